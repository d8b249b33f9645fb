import { render } from "preact";

import { App } from "./frame/App";
import "./style.css";

// A page that the browser kept, and shows again after "back", may be older than a log-out.
addEventListener("pageshow", (event) => event.persisted && location.reload());
render(<App />, document.getElementById("page")!);

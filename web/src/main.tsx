import { render } from "preact";

import { App } from "./frame/App";
import "./style.css";

render(<App />, document.getElementById("page")!);

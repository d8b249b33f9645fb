import { render } from "preact";

import { App } from "./frame/App";
import "./style.css";

// A page that the browser kept, and shows again after "back", may be older than a log-out.
addEventListener("pageshow", (event) => event.persisted && location.reload());
const show = () => render(<App />, document.getElementById("page")!);

/** A program that had this port before may have left a worker in the browser, which sees and answers all that passes. */
async function withoutWorkers(left: readonly ServiceWorkerRegistration[]): Promise<void> {
  if (!left.length) return show();
  await Promise.all(left.map((each) => each.unregister()));
  location.reload();
}

const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker; // only at this machine's own names
if (workers) workers.getRegistrations().then(withoutWorkers, show);
else show();

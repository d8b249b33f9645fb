/** The page of an empty store: three ways to begin, and it listens. */

import { liveness } from "../core/live";
import { useValue } from "../core/state";
import { Command } from "../parts/states";

const WAYS = [
  ["Tell it one thing", 'mem add "Always use snake_case for Python functions" -c convention'],
  ["Bring the rules you already have", "mem import CLAUDE.md AGENTS.md"],
  ["Connect an agent", "mem install claude-code"],
] as const;

export function FirstRun() {
  const listens = useValue(liveness) !== "off";
  return (
    <div class="first-run">
      <h2>Nothing is remembered yet</h2>
      <p class="secondary">
        This page fills itself: it listens to the store and shows the first memory the moment it is written. Three ways
        to begin, from quick to lasting:
      </p>
      {WAYS.map(([title, command]) => (
        <section key={title}>
          <h3>{title}</h3>
          <Command text={command} />
        </section>
      ))}
      <p class="muted listening" role="status">
        <span class={listens ? "dot" : "dot off"} aria-hidden="true" /> {listens ? "Listening to the store" : "The server does not answer"}
      </p>
    </div>
  );
}

/** Live updates: the server's events, joined to four a second; without them, asking every five seconds. */

import { connection } from "./api";
import { state } from "./state";

export interface Change {
  memories: string[];
  actions: Record<string, number>;
  more: boolean;
}

/** `live`: events arrive; `polling`: the page asks instead; `off`: the server is gone. */
export const liveness = state<"live" | "polling" | "off">("off");

const EVERY_MS = 250;
const POLL_MS = 5000;
const watchers = new Set<(change: Change) => void>();
let waiting: Change | null = null;
let timer = 0;

/** Call a function after every change in the store, at most four times a second. */
export function onChange(watcher: (change: Change) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Join changes that came close together. */
export function joined(one: Change | null, other: Change): Change {
  if (!one) return other;
  const actions = { ...one.actions };
  for (const [name, count] of Object.entries(other.actions)) actions[name] = (actions[name] ?? 0) + count;
  return {
    memories: [...new Set([...one.memories, ...other.memories])],
    actions,
    more: one.more || other.more,
  };
}

/** Tell the watchers about a change, also about one that this page made. */
export function announce(change: Change): void {
  waiting = joined(waiting, change);
  if (timer) return;
  timer = window.setTimeout(() => {
    timer = 0;
    const change = waiting;
    waiting = null;
    if (change) for (const each of [...watchers]) each(change);
  }, EVERY_MS);
}

/** Tell the watchers that anything may be different. */
export function announceAnything(): void {
  announce({ memories: [], actions: {}, more: true });
}

export function listen(): () => void {
  let source: EventSource | null = null;
  let poll = 0;
  let again = 0;
  let left = document.hidden;
  let missed = left;
  const connect = () => {
    source?.close();
    if (left) return;
    source = new EventSource("/api/events");
    source.addEventListener("hello", () => {
      if (missed || liveness.get() === "off") announceAnything();
      missed = false;
      liveness.set("live");
      clearInterval(poll);
      poll = 0;
    });
    source.addEventListener("change", (event) => announce(JSON.parse((event as MessageEvent<string>).data) as Change));
    source.addEventListener("reload", announceAnything);
    source.onerror = () => {
      liveness.set(connection.get() === "gone" ? "off" : "polling");
      if (!poll) poll = window.setInterval(() => !left && connection.get() === "ok" && announceAnything(), POLL_MS);
      if (source?.readyState === EventSource.CLOSED) {
        clearTimeout(again);
        again = window.setTimeout(connect, POLL_MS);
      }
    };
  };
  // A browser has six connections to a server for all tabs together, so only a tab that is seen keeps one.
  const follow = ({ type }: Event) => {
    const leaves = type === "pagehide" || document.hidden;
    if (leaves === left) return;
    left = leaves;
    missed ||= leaves;
    if (leaves) source?.close();
    else connect();
  };
  const moments = [[document, "visibilitychange"], [window, "pagehide"], [window, "pageshow"]] as const;
  for (const [where, name] of moments) where.addEventListener(name, follow);
  connect();
  const unwatch = connection.watch(() => {
    if (connection.get() === "gone") liveness.set("off");
    else if (connection.get() === "ok") {
      announceAnything();
      if (source?.readyState !== EventSource.OPEN) connect();
    }
  });
  return () => {
    for (const [where, name] of moments) where.removeEventListener(name, follow);
    unwatch();
    clearInterval(poll);
    clearTimeout(again);
    source?.close();
  };
}

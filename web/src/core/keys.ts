/** Keys: one table of what is bound now, which the sheet of keys shows as well. */

import { useEffect, useRef } from "preact/hooks";

import { state } from "./state";

export interface Binding {
  /** `j`, `g m`, `Ctrl K`, `Escape`, `Shift ?` is written `?`. */
  keys: string;
  does: string;
  run: (event: KeyboardEvent) => void;
  /** Show it in the sheet under this heading. */
  group?: string;
}

const SEQUENCE_MS = 1200;
const layers: { current: Binding[] }[] = [];

/** Single keys can be switched off; keys with Ctrl and Escape stay. */
export const singleKeys = state(readChoice());

function readChoice(): boolean {
  try {
    return localStorage.getItem("single-keys") !== "off";
  } catch {
    return true;
  }
}

export function chooseSingleKeys(on: boolean): void {
  singleKeys.set(on);
  try {
    localStorage.setItem("single-keys", on ? "on" : "off");
  } catch {
    // storage is blocked: the choice holds until the page is closed
  }
}

/** Bind keys while a component is shown; the newest layer is asked first. */
export function useKeys(bindings: Binding[], active = true): void {
  const layer = useRef(bindings);
  layer.current = bindings; // at once: the next key may come before effects run
  useEffect(() => {
    if (!active) return;
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [active]);
}

export function bound(): Binding[] {
  const seen = new Set<string>();
  const all: Binding[] = [];
  for (const each of [...layers].reverse().flatMap((layer) => layer.current))
    if (!seen.has(each.keys)) {
      seen.add(each.keys);
      all.push(each);
    }
  return all;
}

/** Write the key of an event as bindings write it. */
export function nameOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): string {
  const key = event.key === " " ? "Space" : event.key;
  if (event.ctrlKey || event.metaKey) return `Ctrl ${key.length === 1 ? key.toUpperCase() : key}`;
  return event.altKey ? `Alt ${key}` : key;
}

/** Find what a key means after the keys before it. */
export function match(bindings: Binding[], before: string, key: string): Binding | "begins" | null {
  const typed = before ? `${before} ${key}` : key;
  const exact = bindings.find((each) => each.keys === typed);
  if (exact) return exact;
  if (!key.startsWith("Ctrl") && bindings.some((each) => each.keys.startsWith(`${typed} `))) return "begins";
  return null;
}

export function isField(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (element.isContentEditable || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement)
    return true;
  const choices = ["checkbox", "radio", "button", "submit"];
  return element instanceof HTMLInputElement && !choices.includes(element.type);
}

/** A button, link or box under the focus keeps the keys that the browser gives it. */
function hasOwn(element: EventTarget | null, key: string): boolean {
  if (key !== "Enter" && key !== "Space") return false;
  const kinds = key === "Enter" ? "a, button, summary" : "button, summary, input";
  return element instanceof Element && element.closest(kinds) !== null;
}

export function listenToKeys(): () => void {
  let before = "";
  let timer = 0;
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || ["Control", "Shift", "Alt", "Meta"].includes(event.key)) return;
    const key = nameOf(event);
    const single = !key.startsWith("Ctrl") && key !== "Escape";
    if (single && (isField(event.target) || !singleKeys.get())) return;
    if (single && isModal()) return; // what is behind a dialog waits
    if (hasOwn(event.target, key)) return;
    const found = match(bound(), before, key) ?? (before ? match(bound(), "", key) : null);
    clearTimeout(timer);
    before = "";
    if (found === "begins") {
      before = key;
      timer = window.setTimeout(() => (before = ""), SEQUENCE_MS);
      event.preventDefault();
    } else if (found) {
      event.preventDefault();
      found.run(event);
    }
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

function isModal(): boolean {
  return document.querySelector("[aria-modal=true]") !== null;
}

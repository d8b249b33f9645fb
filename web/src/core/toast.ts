/** The message after an action, with a way to take it back. */

import { withShortIds } from "../model/words";
import { Problem, write } from "./api";
import { announceAnything } from "./live";
import { address } from "./router";
import { state } from "./state";

export interface Toast {
  text: string;
  operation?: string | null;
  problem?: boolean;
  link?: { text: string; to: string };
}

export const toast = state<Toast | null>(null);
/** The operation that this page took back last: its rows come back unasked. */
export const undone = state<string | null>(null);
/** The changes of this page that stand, the last one at the end. */
const changes: { operation: string; text: string }[] = [];

/** Say what was done; an operation can be undone from the message. */
export function say(text: string, operation: string | null = null): void {
  if (operation) changes.push({ operation, text });
  toast.set({ text, operation });
}

/** Is this the change that is taken back next? */
export function isLast(operation: string): boolean {
  return changes.at(-1)?.operation === operation;
}

/** Say why something was not done. */
export function sayProblem(failure: unknown): void {
  if (failure instanceof Problem) toast.set({ text: withShortIds(failure.words), problem: true });
  else if (!(failure instanceof DOMException && failure.name === "AbortError"))
    toast.set({ text: String(failure), problem: true });
}

/** Do something, then say it; false if it failed, which is said too. */
export async function act(does: () => Promise<{ operation: string | null }>, done: string): Promise<boolean> {
  try {
    const { operation } = await does();
    announceAnything();
    say(done, operation);
    return true;
  } catch (failure) {
    sayProblem(failure);
    return false;
  }
}

let before: Promise<void> = Promise.resolve();

/** Take a change back, by default the last one of this page that stands; one after the other. */
export function undo(operation?: string): Promise<void> {
  return (before = before.then(() => takeBack(operation ?? changes.at(-1)?.operation)));
}

async function takeBack(operation: string | undefined): Promise<void> {
  if (!operation) {
    const link = { text: "Timeline", to: address("/timeline", { kind: "changes" }) };
    return toast.set({ text: "Nothing is left to undo here. Earlier changes are in the", link });
  }
  const text = changes.find((each) => each.operation === operation)?.text;
  try {
    await write("POST", `/api/operations/${operation}/undo`);
    forget(operation);
    announceAnything();
    say(text ? `Undone: ${text}` : "Undone");
    undone.set(operation);
  } catch (failure) {
    if (failure instanceof Problem && isFinal(failure)) forget(operation);
    sayProblem(failure);
  }
}

function forget(operation: string): void {
  const at = changes.findIndex((each) => each.operation === operation);
  if (at >= 0) changes.splice(at, 1);
}

/** Would the server answer the same again? */
function isFinal({ code, details: { status } }: Problem): boolean {
  return status >= 400 && status < 500 && ![401, 429].includes(status) && code !== "needs_confirmation";
}

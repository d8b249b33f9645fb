/** The message after an action, with a way to take it back. */

import { Problem, write } from "./api";
import { announceAnything } from "./live";
import { state } from "./state";

export interface Toast {
  text: string;
  operation?: string | null;
  problem?: boolean;
}

export const toast = state<Toast | null>(null);
/** How often this page took something back: its rows come back unasked. */
export const undone = state(0);

/** Say what was done; an operation can be undone from the message. */
export function say(text: string, operation: string | null = null): void {
  toast.set({ text, operation });
}

/** Say why something was not done. */
export function sayProblem(failure: unknown): void {
  if (failure instanceof Problem) toast.set({ text: failure.words, problem: true });
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

export async function undoLast(): Promise<void> {
  const last = toast.get();
  if (!last?.operation) return;
  toast.set(null);
  if (await act(() => write("POST", `/api/operations/${last.operation}/undo`), "Undone")) undone.set(undone.get() + 1);
}

/** What a screen reader is told, politely and at most every five seconds. */

import { state } from "./state";

const EVERY_MS = 5000;

export const announced = state("");
let waiting: string | null = null;
let timer = 0;

export function tell(text: string): void {
  if (timer) {
    waiting = text;
    return;
  }
  announced.set(text);
  timer = window.setTimeout(() => {
    timer = 0;
    const next = waiting;
    waiting = null;
    if (next !== null && next !== announced.get()) tell(next);
  }, EVERY_MS);
}

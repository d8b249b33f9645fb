/** The seam where a person confirms: whoever can ask a person registers here. */

import type { Problem } from "./api";

export interface Asked {
  method: string;
  path: string;
  body: unknown;
}

/** Return the headers to repeat a request with, or null if the person declined. */
export type Confirm = (asked: Asked, problem: Problem) => Promise<Record<string, string> | null>;

let ask: Confirm | null = null;
let proof: string | null = null;

/** Keep the proof of an entered passphrase for the requests of this page; it is in no cookie and no storage. */
export function keepConfirmation(given: string): void {
  proof = given;
}

/** The header with that proof. */
export function confirmation(): Record<string, string> {
  return proof === null ? {} : { "Memory-Confirmation": proof };
}

export function registerConfirm(confirm: Confirm): void {
  ask = confirm;
}

export function confirmPerson(asked: Asked, problem: Problem): Promise<Record<string, string> | null> {
  return ask ? ask(asked, problem) : Promise.resolve(null);
}

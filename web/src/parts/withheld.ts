/** Texts that are kept from agents: a person who confirms reads them. */

import { read, readAsPerson } from "../core/api";
import type { Details, Memory } from "../model/memory";

const KEPT = "This text is kept from agents. Confirm that you are a person to read it.";

/** Is the text of a memory kept from whoever is not confirmed as a person? */
export function isWithheld(memory: Memory): boolean {
  return memory.content.startsWith("[withheld: ");
}

/** Return the memory with its text, as far as whoever asks may read it. */
export async function withText(memory: Memory): Promise<Memory> {
  const asked = [`/api/memories/${encodeURIComponent(memory.id)}`, { peek: true }] as const;
  const now = (await read<Details>(...asked)).memory; // the person may have confirmed since
  return isWithheld(now) ? ((await readAsPerson<Details>(...asked, KEPT))?.memory ?? now) : now;
}

/** Text: visible control characters, short ids, and the words in which two texts differ. */

import type { Piece } from "./memory";

const NAMES: Record<number, string> = {
  0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM", 0x061c: "ALM",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO",
  0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
  0x2028: "LS", 0x2029: "PS",
};
const CONTROL =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Split a text at its control characters; these come back as a name to show in their place. */
export function visible(text: string): { text: string; control: boolean }[] {
  const parts: { text: string; control: boolean }[] = [];
  let from = 0;
  for (const found of text.matchAll(CONTROL)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index), control: false });
    const code = found[0].codePointAt(0) ?? 0;
    const name = NAMES[code] ?? (code < 0x20 ? String.fromCodePoint(0x2400 + code) : hex(code));
    parts.push({ text: name, control: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), control: false });
  return parts;
}

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Cut a text without splitting a character in two. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}

/** The eight characters after the prefix of an id, which is what people type. */
export function shortId(id: string): string {
  return id.replace(/^[a-z]+_/, "").slice(0, 8);
}

const MOST_CELLS = 1_000_000;

/** Compare two texts word by word. */
export function wordDiff(old: string, now: string): Piece[] {
  const before = old.match(/\s+|[^\s]+/gu) ?? [];
  const after = now.match(/\s+|[^\s]+/gu) ?? [];
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1;
  const middle = between(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return joined([
    ...before.slice(0, head).map((text): Piece => ({ kind: "same", text })),
    ...middle,
    ...before.slice(before.length - tail).map((text): Piece => ({ kind: "same", text })),
  ]);
}

/** Align two lists of words by their longest common subsequence; very long ones are replaced whole. */
function between(before: string[], after: string[]): Piece[] {
  const removed = before.map((text): Piece => ({ kind: "removed", text }));
  const added = after.map((text): Piece => ({ kind: "added", text }));
  if (!before.length || !after.length || before.length * after.length > MOST_CELLS) return [...removed, ...added];
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengths[(row + 1) * width + column + 1]! + 1
          : Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!);
  const pieces: Piece[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      pieces.push({ kind: "same", text: before[row]! });
      row += 1;
      column += 1;
    } else if (
      column >= after.length ||
      (row < before.length &&
        lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!)
    ) {
      pieces.push(removed[row]!);
      row += 1;
    } else {
      pieces.push(added[column]!);
      column += 1;
    }
  }
  return pieces;
}

/** Join what stands together: between two changes, spaces alone do not count as the same. */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) result.push({ kind: "removed", text: removed });
    if (added) result.push({ kind: "added", text: added });
    removed = added = "";
  };
  pieces.forEach((each, index) => {
    if (each.kind === "removed") removed += each.text;
    else if (each.kind === "added") added += each.text;
    else if ((removed || added) && !each.text.trim() && changes(pieces, index)) {
      removed += each.text;
      added += each.text;
    } else {
      flush();
      const last = result.at(-1);
      if (last?.kind === "same") last.text += each.text;
      else result.push({ ...each });
    }
  });
  flush();
  return result;
}

/** Does something change right behind a place? */
function changes(pieces: Piece[], at: number): boolean {
  const next = pieces[at + 1];
  return next !== undefined && next.kind !== "same";
}

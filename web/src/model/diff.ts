/** The words in which two texts differ. */

import type { Piece } from "./memory";

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

/** The review queue: its kinds, the decisions with their keys as in `mem review`, and what the evidence favours. */

import type { Memory } from "../model/memory";

export type Kind =
  | "held"
  | "proposed"
  | "question"
  | "conflict"
  | "similar"
  | "drifted"
  | "failing"
  | "doubtful"
  | "expired";
export type Decision = "approve" | "edit" | "keep" | "merge" | "supersede" | "drop" | "accept" | "renew" | "archive";

export interface Waiting {
  kind: Kind;
  reason: string;
  memory: Memory;
  other: Memory | null;
  similarity: number | null;
  offers: Decision[];
}

export interface Queue {
  items: Waiting[];
  next: string | null;
  total: number;
  by_kind: Partial<Record<Kind, number>>;
}

interface About {
  /** Over its items in the list. */
  title: string;
  /** Over one item. */
  asks: string;
}

export const KINDS: Record<Kind, About> = {
  held: { title: "Held back", asks: "May this become active?" },
  proposed: { title: "Proposed for approval", asks: "Do you vouch for this?" },
  question: { title: "Close to a known one", asks: "Is this new?" },
  conflict: { title: "Contradictions", asks: "These two contradict each other" },
  similar: { title: "Similar", asks: "These two say nearly the same" },
  drifted: { title: "Source changed", asks: "Is this still true?" },
  failing: { title: "Failing", asks: "Reports speak against this" },
  doubtful: { title: "Low confidence", asks: "Can this be trusted?" },
  expired: { title: "Expired", asks: "Does this still hold?" },
};
/** Kinds about one memory, which can be decided several at a time. */
const ALONE: readonly Kind[] = ["held", "proposed", "drifted", "failing", "doubtful", "expired"];

export interface Choice {
  key: string;
  label: string;
  decision: Decision;
  /** It is about the older one of a pair, and stands under it. */
  turned?: boolean;
  /** One sentence: what it does. */
  does: string;
  done: string;
}

const UNDER_ONE: readonly Choice[] = [
  { key: "a", label: "Approve", decision: "approve", does: "it becomes active, and counts as yours.", done: "Approved" },
  { key: "a", label: "Accept", decision: "accept", does: "it still holds, and its sources are cited as they are now.", done: "Accepted" },
  { key: "r", label: "Renew", decision: "renew", does: "it still holds, for another term.", done: "Renewed" },
  { key: "e", label: "Edit…", decision: "edit", does: "it becomes active in your own words.", done: "Edited" },
  { key: "m", label: "Merge…", decision: "merge", does: "both become one memory; the other text stays in its history.", done: "Merged" },
  { key: "k", label: "Keep both", decision: "keep", does: "both stay, and nobody is asked again.", done: "Both kept" },
  { key: "d", label: "Drop", decision: "drop", does: "the new one is not kept.", done: "Dropped" },
  { key: "x", label: "Archive", decision: "archive", does: "it is no longer given to agents; it can be restored.", done: "Archived" },
];
const OF_PAIRS: readonly Choice[] = [
  { key: "n", label: "Newer replaces", decision: "supersede", does: "the older one stays in history and is no longer given to agents.", done: "The newer one replaces it" },
  { key: "x", label: "Archive", decision: "archive", does: "the newer one is no longer given to agents; it can be restored.", done: "The newer one is archived" },
  { key: "o", label: "Older replaces", decision: "supersede", turned: true, does: "the newer one stays in history and is no longer given to agents.", done: "The older one replaces it" },
  { key: "y", label: "Archive", decision: "archive", turned: true, does: "the older one is no longer given to agents; it can be restored.", done: "The older one is archived" },
  ...UNDER_ONE.filter((each) => each.decision === "keep" || each.decision === "merge"),
];

export function isPair(item: Waiting): boolean {
  return item.kind === "conflict" || item.kind === "similar";
}

/** The decisions about an item, with their keys. */
export function choicesOf(item: Waiting): Choice[] {
  const all = isPair(item) ? OF_PAIRS : UNDER_ONE;
  return all.filter((each) => item.offers.includes(each.decision)).map((each) => worded(each, item));
}

function worded(choice: Choice, item: Waiting): Choice {
  if (item.kind === "proposed" && choice.decision === "drop")
    return { ...choice, label: "Drop the proposal", does: "it stays as it is, without your approval.", done: "Left as it is" };
  if (choice.decision === "keep" && !item.other) return { ...choice, label: "Keep", does: "it becomes active.", done: "Kept" };
  if (choice.decision === "approve" && item.memory.status === "active")
    return { ...choice, does: "it stays active, and counts as yours." };
  return choice;
}

export function reportsOf(memory: Memory): number {
  return memory.worked + memory.partial + memory.failed;
}

const CLEAR = 0.15;

/** The decision that the evidence favours; none if it is no clearer than that. */
export function favoured(item: Waiting): Choice | null {
  const choices = choicesOf(item);
  const find = (decision: Decision, turned = false) =>
    choices.find((each) => each.decision === decision && Boolean(each.turned) === turned) ?? null;
  const { memory, other } = item;
  if (item.kind === "conflict" && other) {
    const gap = memory.outcome_score - other.outcome_score;
    if (Math.abs(gap) > CLEAR) return find("supersede", gap < 0);
    if (memory.writer_kind !== other.writer_kind) return find("supersede", other.writer_kind === "person");
  }
  if ((item.kind === "similar" || item.kind === "question") && (item.similarity ?? 0) > 0.95) return find("merge");
  if (item.kind === "failing") return find("archive");
  if (item.kind === "doubtful" && !reportsOf(memory)) return find("archive");
  if (item.kind === "expired" || item.kind === "drifted" || item.kind === "proposed")
    if (memory.outcome_score > CLEAR) return find(item.kind === "expired" ? "renew" : item.kind === "drifted" ? "accept" : "approve");
  if (item.kind === "expired" && !memory.use_count) return find("archive");
  return null;
}

/** Can the decision be made about all items of this kind at once? */
export function holdsForAll(item: Waiting, choice: Choice): boolean {
  return ALONE.includes(item.kind) && choice.decision !== "edit";
}

/** An item by what it is about, for the address and for finding it again. */
export function nameOf(item: Waiting): string {
  return [item.memory.id, item.other && isPair(item) ? item.other.id : null].filter(Boolean).join("~");
}

/** The versions that are on the screen: nothing else is decided about. */
export function versionsOf(item: Waiting): Record<string, number> {
  return Object.fromEntries([item.memory, item.other].flatMap((each) => (each ? [[each.id, each.version]] : [])));
}

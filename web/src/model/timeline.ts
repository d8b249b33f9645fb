/** What happened, from three lists that are each read page by page: events, recalls and operations. */

import type { Counts } from "../parts/Tally";
import type { Result } from "./memory";

export interface EventItem {
  id: string;
  session: string;
  kind: string;
  outcome: Result | null;
  at: string;
  content: string;
  writer: string;
  status: string;
}

export interface RecallItem {
  id: string;
  at: string;
  query: string;
  kind: string;
  writer: string;
  session: string;
  memories: number;
  reports: Counts;
}

export interface OperationItem {
  id: string;
  at: string;
  writer: string;
  door: string;
  actions: Record<string, number>;
  memories: string[];
  undoes: string | null;
  undone: boolean;
}

export type Item =
  | { type: "event"; at: string; id: string; event: EventItem }
  | { type: "recall"; at: string; id: string; recall: RecallItem }
  | { type: "operation"; at: string; id: string; operation: OperationItem };

/** What was read of one list: newest first, and whether there is more behind. */
export interface Source {
  items: Item[];
  more: boolean;
}

export interface Day {
  key: string;
  items: Item[];
  /** Nothing of it is still unread, so that it can be summed up. */
  complete: boolean;
}

/** What other rows tell already: events and reports have rows of their own. */
const TOLD_ELSEWHERE = new Set(["episode", "outcome", "run"]);

export function isTold(operation: OperationItem): boolean {
  return Object.keys(operation.actions).every((action) => TOLD_ELSEWHERE.has(action));
}

/** The day that an address names; null if there is no such day. */
export function dayIn(text: string | null): string | null {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text ? text : null;
}

export function dayOf(at: string): string {
  const then = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

/** Merge lists by time, only as far back as all of them were read: what comes later may not be missing. */
export function merged(sources: Source[]): Day[] {
  const limits = sources.filter((source) => source.more).map((source) => source.items.at(-1)?.at ?? "9999");
  const horizon = limits.sort().at(-1) ?? "";
  const items = sources
    .flatMap((source) => source.items)
    .filter((item) => item.at >= horizon)
    .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  const days: Day[] = [];
  for (const item of items) {
    const key = dayOf(item.at);
    if (days.at(-1)?.key !== key) days.push({ key, items: [], complete: true });
    days.at(-1)!.items.push(item);
  }
  if (horizon && days.length) days.at(-1)!.complete = false;
  return days;
}

/** A count of a day, and the kind of rows that tell it. */
export interface Part {
  words: string;
  kind?: "changes";
}

/** Sum up a day: what was undone does not count. */
export function summaryOf(day: Day): Part[] {
  const sessions = new Set<string>();
  let questions = 0;
  let reports = 0;
  let added = 0;
  let archived = 0;
  for (const item of day.items) {
    if (item.type === "event") sessions.add(item.event.session);
    else if (item.type === "recall") {
      sessions.add(item.recall.session);
      if (isQuestion(item.recall)) questions += 1;
    } else if (!item.operation.undone) {
      reports += item.operation.actions.outcome ? 1 : 0;
      added += item.operation.actions.add ?? 0;
      archived += item.operation.actions.archive ?? 0;
    }
  }
  const part = (number: number, word: string, words = `${word}s`, kind?: "changes"): Part[] =>
    number ? [{ words: `${number} ${number === 1 ? word : words}`, kind }] : [];
  return [
    ...part(sessions.size, "session"),
    ...part(questions, "question"),
    ...part(reports, "report", "reports", "changes"),
    ...part(added, "new memory", "new memories"),
    ...part(archived, "archived", "archived"),
  ];
}

export function isQuestion(recall: Pick<RecallItem, "kind">): boolean {
  return recall.kind === "search" || recall.kind === "prompt";
}

/** The word at the left of a row. */
export function wordOf(item: Item): string {
  if (item.type === "event") return item.event.kind === "session_end" ? "handoff" : item.event.kind.replaceAll("_", " ");
  if (item.type === "operation") return item.operation.undoes ? "undid" : isSingle(item.operation) ? actionWords(item.operation) : "changed";
  const words: Record<string, string> = { search: "asked", prompt: "asked", warning: "warned", context: "told", compose: "prompted", run: "began" };
  return words[item.recall.kind] ?? item.recall.kind;
}

const ACTIONS: Record<string, string> = {
  add: "stored", edit: "edited", archive: "archived", restore: "restored", approve: "approved", tag: "tagged", merge: "merged",
  link: "linked", unlink: "unlinked", outcome: "reported", episode: "recorded", forget: "erased", reinforce: "confirmed",
  import: "imported", undo: "undone", revert: "went back", link_task: "linked task", consolidate: "tidied", capture: "captured",
  settle: "decided", suggest: "suggested", renew: "renewed", verify: "sources updated", reopen: "asked again", promote: "raised", procedure: "saved steps",
  unlink_task: "unlinked task", run: "ran", recover: "recovered",
};

/** One action, whose word stands at the left of its row. */
export function isSingle({ actions, undoes }: Pick<OperationItem, "actions" | "undoes">): boolean {
  return !undoes && Object.keys(actions).length === 1;
}

/** Say what an operation did: "stored 3, archived 1". */
export function actionWords({ actions }: Pick<OperationItem, "actions">): string {
  const entries = Object.entries(actions);
  if (entries.length === 1 && entries[0]![1] === 1) return ACTIONS[entries[0]![0]] ?? entries[0]![0].replaceAll("_", " ");
  return entries.map(([name, count]) => `${ACTIONS[name] ?? name.replaceAll("_", " ")} ${count}`).join(", ");
}

/** The one result of a row's tick: what was reported most, the worse of two. */
export function tickOf(counts: Counts): Result | null {
  const { worked, partial, failed } = counts;
  if (!(worked + partial + failed)) return null;
  if (failed >= worked && failed >= partial) return "failed";
  return partial >= worked ? "partial" : "worked";
}

export function dayWords(key: string, now: Date): string {
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (key === dayOf(now.toISOString())) return "Today";
  if (key === dayOf(yesterday.toISOString())) return "Yesterday";
  const year = key.startsWith(String(now.getFullYear())) ? undefined : "numeric";
  const date = new Date(`${key}T12:00:00`);
  const weekday = date.toLocaleDateString("en-GB", { weekday: "long" });
  return `${weekday}, ${date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year })}`;
}

/** An explained search, and what its bars and places say. */

import type { Memory } from "./memory";

export interface Ranks {
  keyword: number | null;
  semantic: number | null;
  together: number | null;
  final: number | null;
}

export interface Signal {
  name: string;
  value: number;
  share: number;
}

export interface Hit extends Memory {
  score: number;
  match: number;
  strength: "strong" | "likely" | "weak" | "none";
  failing: boolean;
  signals: Signal[];
  experience: { worked: number; partial: number; failed: number; seen: number } | null;
  query_words: { found: number; total: number } | null;
  ranks?: Ranks;
}

export interface PlainHit extends Memory {
  score: number;
  ranks: Ranks;
}

export interface NearMiss extends Memory {
  score: number;
  reason: string;
  words: string;
}

export interface Found {
  mode: string;
  ranker: string;
  hits: Hit[];
  by_words: PlainHit[];
  by_meaning: PlainHit[];
  near_misses: NearMiss[];
  intent: string | null;
  notice: string | null;
  took: { embedding_ms: number; rest_ms: number };
}

export interface Segment {
  name: string;
  label: string;
  from: number;
  to: number;
  value: string;
}

export interface Bar {
  /** What makes it relevant, in greys, one after the other. */
  parts: Segment[];
  relevance: number;
  score: number;
  /** What reports and marks add or take away. */
  experience: number;
}

/** The signals in the words of the page; others keep their name. */
const LABELS: Record<string, string> = {
  semantic: "meaning",
  keyword: "words",
  keyword_as_semantic: "words",
  coverage: "distinctive words",
  phrase: "phrase",
  in_time: "days",
  asked_kind: "kind",
  activation: "weight",
  relevance: "fits the task",
  keyword_list: "words",
  vector_list: "meaning",
};
const SHARES = new Set(["coverage", "phrase"]);
const AFTERWARDS = new Set([
  "evidence", "same_question", "citation_changed", "project_stale", "category_boost", "access_boost", "access_decay",
]);
export const GREYS: readonly string[] = ["semantic", "keyword", "coverage", "phrase"];

export function labelOf(name: string): string {
  return LABELS[name] ?? name.replaceAll("_", " ");
}

/** Lay out the signals of a hit on the axis of scores. */
export function barOf(hit: Pick<Hit, "signals" | "score">): Bar {
  const parts: Segment[] = [];
  let at = 0;
  for (const { name, value, share } of hit.signals) {
    if (AFTERWARDS.has(name) || share <= 0) continue;
    const shown = SHARES.has(name) ? `${Math.round(100 * value)} %` : value.toFixed(2);
    parts.push({ name, label: labelOf(name), from: at, to: at + share, value: shown });
    at += share;
  }
  return { parts, relevance: at, score: hit.score, experience: hit.score - at };
}

/** The end of the axis: the best match is 1, and reports may lift a hit above it. */
export function axisEnd(hits: Pick<Hit, "score" | "signals">[]): number {
  return Math.max(1, ...hits.map((hit) => Math.max(hit.score, barOf(hit).relevance)));
}

/** Say in a few words why a memory was given, from the signals that were kept. */
export function whyWords(signals: Pick<Signal, "name" | "value">[]): string[] {
  if (!signals.length) return ["how a session ended"];
  const words = wordsOf(signals);
  return words.length ? words : ["given with every task"];
}

/** Say how to read the figures of a recall; empty where words say everything. */
export function figuresWords(ranker: string, hits: { signals: Pick<Signal, "name">[] }[]): string {
  const has = (wanted: string) => hits.some(({ signals }) => signals.some(({ name }) => name === wanted));
  if (has("activation"))
    return "The end of the last sessions comes first, then each kind of memory in its share of the text, rules before all others. The weight is that of a memory's category: it grows when the memory is confirmed, and fades while nobody uses it.";
  if (ranker === "balanced" && has("evidence"))
    return "Meaning and words say how well a memory fits the question; the best fit has a relevance of 1. Reports raise it, up to 1.45, or lower it, down to 0: the further, the more of them agree and the more alike their questions are. At 1 of 1 for this very question they decide almost alone.";
  return "";
}

function wordsOf(signals: Pick<Signal, "name" | "value">[]): string[] {
  const place = ({ name }: { name: string }) => (AFTERWARDS.has(name) ? GREYS.length + 1 : GREYS.indexOf(name) < 0 ? GREYS.length : GREYS.indexOf(name));
  return [...signals].sort((one, other) => place(one) - place(other)).flatMap(({ name, value }) => {
    if (Math.abs(value) < 0.005) return [];
    const moved = `${value > 0 ? "raise" : "lower"} it (${Math.abs(value).toFixed(2)} of 1)`;
    if (name === "evidence") return [`reports for questions like this ${moved}`];
    if (name === "same_question") return [`reports for this very question ${moved}`];
    if (name === "write_scope") return ["its files are the task's"];
    if (name === "included") return ["chosen by name"];
    if (name === "citation_changed") return ["its source changed"];
    if (name === "project_stale") return ["its project is stale"];
    if (AFTERWARDS.has(name) || name.endsWith("_list")) return [];
    return [`${labelOf(name)} ${SHARES.has(name) ? `${Math.round(100 * value)} %` : value.toFixed(2)}`];
  });
}

export function ordinal(place: number): string {
  const ten = place % 100;
  const ending = ten > 10 && ten < 14 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}

/** Say how reports moved a hit; null if they did not. */
export function moveOf(ranks: Ranks | undefined): { up: boolean; words: string } | null {
  if (!ranks?.together || !ranks.final || ranks.together === ranks.final) return null;
  const up = ranks.final < ranks.together;
  return { up, words: `${up ? "up" : "down"} from ${ordinal(ranks.together)}` };
}

/** Say what was reported for questions like this one. */
export function experienceWords(hit: Pick<Hit, "experience" | "worked" | "partial" | "failed">): string {
  const reports = hit.experience;
  const count = reports ? reports.worked + reports.partial + reports.failed : 0;
  if (reports && count) return `worked ${reports.worked} of ${count} times for questions like this`;
  return hit.worked + hit.partial + hit.failed ? "no report for a question like this" : "";
}

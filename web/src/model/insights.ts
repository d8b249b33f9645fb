/** What the reports of some weeks say. */

import type { Memory } from "./memory";

export interface Counts {
  worked: number;
  partial: number;
  failed: number;
}

export interface Week {
  week: string;
  questions: number;
  right: number;
  right_without: number;
  reports: Counts;
}

export interface Insights {
  weeks: number;
  since: string;
  asked: number;
  reports: Counts;
  enough: boolean;
  worked: number | null;
  questions: number;
  first: number | null;
  first_without: number | null;
  weekly: Week[];
  moved: (Memory & { question: string; before: number; now: number; reports: Counts })[];
  by_source: { source: string; reports: Counts; worked: { share: number; low: number; high: number } | null }[];
  in_vain: { question: string; times: number; failed: number; at: string }[];
  funnel: { given: number; used: number; reported: number; worked: number };
  limited: boolean;
  note: string;
}

export const totalOf = (counts: Counts) => counts.worked + counts.partial + counts.failed;

const SOURCES: Record<string, string> = {
  human: "a person", agent: "an agent", import: "imported", capture: "captured", run: "a run", learning: "learned",
};

export function sourceWords(source: string): string {
  return SOURCES[source] ?? source;
}

/** Join weeks until at most so many columns are left, so that a year has room. */
export function joinWeeks(weeks: Week[], most: number): Week[] {
  const size = Math.ceil(weeks.length / most);
  if (size <= 1) return weeks;
  const joined: Week[] = [];
  for (let from = weeks.length % size || size, begin = 0; begin < weeks.length; begin = from, from += size)
    joined.push(weeks.slice(begin, from).reduce((one, other) => ({
      week: one.week,
      questions: one.questions + other.questions,
      right: one.right + other.right,
      right_without: one.right_without + other.right_without,
      reports: {
        worked: one.reports.worked + other.reports.worked,
        partial: one.reports.partial + other.reports.partial,
        failed: one.reports.failed + other.reports.failed,
      },
    })));
  return joined;
}

/** A round number at or above a value: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value)!;
}

/** Round steps from 0 to at least a value, about four of them. */
export function stepsTo(value: number): number[] {
  const step = roundUp(value / 4);
  return Array.from({ length: Math.ceil(value / step) + 1 }, (_, index) => index * step);
}

export function dayMonth(week: string): string {
  return new Date(`${week}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

/** What the reports of some weeks say. */

import type { Memory } from "./memory";
import type { Reports } from "./weeks";

export interface Week {
  week: string;
  questions: number;
  right: number;
  right_without: number;
  reports: Reports;
}

export interface Insights {
  weeks: number;
  since: string;
  asked: number;
  reports: Reports;
  enough: boolean;
  worked: number | null;
  questions: number;
  first: number | null;
  first_without: number | null;
  weekly: Week[];
  moved: (Memory & { question: string; before: number; now: number; reports: Reports })[];
  by_source: { source: string; reports: Reports; worked: { share: number; low: number; high: number } | null }[];
  in_vain: { question: string; times: number; failed: number; at: string }[];
  funnel: { given: number; used: number; reported: number; worked: number };
  limited: boolean;
  note: string;
}

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

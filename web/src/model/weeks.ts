/** Weeks of reports: sums, steps of an axis, and days in words. */

export interface Reports {
  worked: number;
  partial: number;
  failed: number;
}

export function totalOf({ worked, partial, failed }: Reports): number {
  return worked + partial + failed;
}

export function sumOf(weeks: readonly Reports[]): Reports {
  const sum = { worked: 0, partial: 0, failed: 0 };
  for (const each of weeks) {
    sum.worked += each.worked;
    sum.partial += each.partial;
    sum.failed += each.failed;
  }
  return sum;
}

/** The share that worked, in percent; null without reports. */
export function sharePercent(reports: Reports): number | null {
  const total = totalOf(reports);
  return total ? Math.round((100 * reports.worked) / total) : null;
}

/** Round steps for an axis from 0 to a value, at most four of them. */
export function stepsTo(most: number): number[] {
  if (most <= 0) return [];
  const magnitude = 10 ** Math.floor(Math.log10(most / 3 || 1));
  const step = [1, 2, 5, 10].map((each) => Math.max(1, each * magnitude)).find((each) => most / each <= 4) ?? most;
  return Array.from({ length: Math.floor(most / step) }, (_, index) => (index + 1) * step);
}

/** "16 Nov" of a date such as 2026-11-16, which is a day in UTC wherever the reader is. */
export function dayWords(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

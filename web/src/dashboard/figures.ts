/** The numbers behind the dashboard: sums over weeks, steps of an axis, and the layers of a told text. */

export interface Week {
  week: string;
  worked: number;
  partial: number;
  failed: number;
  added: number;
  archived: number;
  given: number;
}

export interface Reports {
  worked: number;
  partial: number;
  failed: number;
}

export interface Weekly {
  items: Week[];
  before: Reports;
}

export interface ContextLine {
  id: string;
  layer: string;
}

export interface Told {
  text: string;
  tokens: number;
  budget: number;
  memories: ContextLine[];
  left_out: number;
  notice: string | null;
}

export const LAYERS: Record<string, string> = {
  handoff: "from the last session",
  baseline: "always",
  contextual: "the best of each kind",
  procedure: "procedures",
};

export function sumOf(weeks: readonly Reports[]): Reports {
  const sum = { worked: 0, partial: 0, failed: 0 };
  for (const each of weeks) {
    sum.worked += each.worked;
    sum.partial += each.partial;
    sum.failed += each.failed;
  }
  return sum;
}

export function totalOf({ worked, partial, failed }: Reports): number {
  return worked + partial + failed;
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

export interface ToldPart {
  layer: string | null;
  lines: string[];
}

/** Split a told text into its layers: a line belongs to the memory whose short id stands in it. */
export function partsOf(told: Told): ToldPart[] {
  const layers = told.memories.map((each) => [each.id.replace(/^[a-z]+_/, ""), each.layer] as const);
  const parts: ToldPart[] = [];
  for (const line of told.text.trimEnd().split("\n")) {
    const named = line.match(/[a-z2-7]{8,}/g) ?? [];
    const layer = layers.find(([id]) => named.some((word) => id.startsWith(word)))?.[1];
    const last = parts.at(-1);
    if (layer === undefined && last) last.lines.push(line);
    else if (last && last.layer === (layer ?? null)) last.lines.push(line);
    else parts.push({ layer: layer ?? null, lines: [line] });
  }
  return parts;
}

/** Name a part; what stands before the first memory introduces the rest. */
export function nameOf(part: ToldPart): string {
  return part.layer === null ? "introduction" : (LAYERS[part.layer] ?? part.layer);
}

export interface Segment {
  name: string;
  share: number;
}

/** Divide the tokens of a told text among its layers, by the length of their lines. */
export function meterOf(told: Told): Segment[] {
  const lengths = new Map<string, number>();
  for (const part of partsOf(told)) {
    const name = nameOf(part);
    lengths.set(name, (lengths.get(name) ?? 0) + part.lines.join("\n").length);
  }
  const all = [...lengths.values()].reduce((sum, each) => sum + each, 0);
  if (!all || !told.budget) return [];
  const filled = Math.min(1, told.tokens / told.budget);
  return [...lengths].map(([name, length]) => ({ name, share: (filled * length) / all }));
}

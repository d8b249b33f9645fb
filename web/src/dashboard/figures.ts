/** The data of the dashboard, and the layers of a told text. */

import type { Reports } from "../model/weeks";

export interface Week extends Reports {
  week: string;
  added: number;
  archived: number;
  given: number;
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

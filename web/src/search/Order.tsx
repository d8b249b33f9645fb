/** How the order came about: the place of each hit by words, by meaning, together, and with what was reported. */

import { address } from "../core/router";
import type { Hit, Ranks } from "../model/search";
import { moveOf } from "../model/search";
import { Drawing } from "../parts/charts";

const COLUMNS: readonly [keyof Ranks, string][] = [
  ["keyword", "by words"],
  ["semantic", "by meaning"],
  ["together", "together"],
  ["final", "with reports"],
];
const STEP = 22;
const TOP = 30;
const LEFT = 26;
const NAMES = 140;
const LETTER = 6.6;
const MOST = 8;

export function Order({ hits }: { hits: Hit[] }) {
  const shown = hits.filter((hit) => hit.ranks).slice(0, MOST);
  if (shown.length < 2) return null;
  const rows = COLUMNS.map(([name]) => rowsOf(shown, name));
  const y = (row: number) => TOP + (row - 0.5) * STEP;
  const height = TOP + Math.max(...rows.flatMap((each) => [...each.values()])) * STEP + 4;
  return (
    <section>
      <h2 class="heading">How the order came about</h2>
      <Drawing height={height} label={inWords(shown)} role="group">
        {(width) => {
          const across = Math.max(54, Math.min(92, (width - LEFT - NAMES) / 3));
          const x = (column: number) => LEFT + column * across;
          return (
            <g class="order">
              {COLUMNS.map(([name, label], column) => (
                <text key={name} x={x(column)} y="14" text-anchor="middle" class="order-head">
                  {across < 80 ? label.replace(/^by |^with /u, "") : label}
                </text>
              ))}
              {shown.map((hit) => {
                const ranks = hit.ranks!;
                const moved = moveOf(ranks);
                const tone = moved ? (moved.up ? "up" : "down") : "same";
                const known = COLUMNS.flatMap(([name], column) => {
                  const row = rows[column]!.get(hit.id);
                  return row === undefined ? [] : [{ x: x(column), y: y(row), place: ranks[name] }];
                });
                return (
                  <g key={hit.id} class={`order-${tone}`}>
                    <path d={known.map((point, index) => (index ? curve(known[index - 1]!, point) : `M${point.x} ${point.y}`)).join("")} />
                    {known.map((point) => (
                      <g key={point.x}>
                        <circle cx={point.x} cy={point.y} r="9" />
                        <text x={point.x} y={point.y + 4} text-anchor="middle">
                          {point.place}
                        </text>
                      </g>
                    ))}
                    <a href={address(`/memories/${hit.id}`)}>
                      <text x={x(3) + 16} y={known.at(-1)!.y + 4}>
                        {firstWords(hit.content, Math.floor((width - x(3) - 16) / LETTER))}
                      </text>
                    </a>
                  </g>
                );
              })}
            </g>
          );
        }}
      </Drawing>
    </section>
  );
}

function curve(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const middle = (from.x + to.x) / 2;
  return `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}

/** The row of each hit in a column: its place, or below the others those that stand further down, closed up. */
export function rowsOf(hits: Pick<Hit, "id" | "ranks">[], name: keyof Ranks): Map<string, number> {
  const ranked = hits.flatMap(({ id, ranks }) => (ranks?.[name] ? [{ id, place: ranks[name] }] : []));
  const lowest = hits.length + 1;
  const below = ranked.filter((each) => each.place > lowest).sort((one, other) => one.place - other.place);
  return new Map(ranked.map((each) => [each.id, each.place > lowest ? lowest + 1 + below.indexOf(each) : each.place]));
}

function firstWords(text: string, most: number): string {
  const words = text.replace(/\s+/gu, " ");
  return words.length > most ? `${words.slice(0, most - 1).trimEnd()}…` : words;
}

function inWords(hits: Hit[]): string {
  return hits
    .map(({ ranks }) => COLUMNS.map(([name, label]) => `${label} ${ranks![name] ?? "not found"}`).join(", "))
    .map((places, index) => `Hit ${index + 1}: ${places}`)
    .join(". ");
}

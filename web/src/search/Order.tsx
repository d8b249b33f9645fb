/** How the order came about: the place of each hit by words, by meaning, together, and with what was reported. */

import { address } from "../core/router";
import type { Hit, Ranks } from "../model/search";
import { moveOf } from "../model/search";

const COLUMNS: readonly [keyof Ranks, string][] = [
  ["keyword", "by words"],
  ["semantic", "by meaning"],
  ["together", "together"],
  ["final", "with reports"],
];
const STEP = 22;
const TOP = 30;
const WIDTH = 440;
const LEFT = 26;
const ACROSS = 92;
const MOST = 8;

export function Order({ hits }: { hits: Hit[] }) {
  const shown = hits.filter((hit) => hit.ranks).slice(0, MOST);
  if (shown.length < 2) return null;
  const lowest = shown.length + 2;
  const row = (place: number | null) => Math.min(place ?? lowest, lowest);
  const x = (column: number) => LEFT + column * ACROSS;
  const y = (place: number | null) => TOP + (row(place) - 0.5) * STEP;
  const height = TOP + lowest * STEP + 4;
  const spread = spreadPlaces(shown, lowest);
  return (
    <section>
      <h2 class="heading">How the order came about</h2>
      <svg class="order" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={inWords(shown)}>
        {COLUMNS.map(([name, label], column) => (
          <text key={name} x={x(column)} y="14" text-anchor="middle" class="order-head">
            {label}
          </text>
        ))}
        {shown.map((hit) => {
          const ranks = hit.ranks!;
          const moved = moveOf(ranks);
          const tone = moved ? (moved.up ? "up" : "down") : "same";
          const points = COLUMNS.map(([name], column) => ({
            x: x(column) + (spread.get(`${name} ${hit.id}`) ?? 0),
            y: y(ranks[name]),
            place: ranks[name],
          }));
          const known = points.filter((point) => point.place !== null);
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
                <text x={x(3) + 16} y={y(ranks.final) + 4} class="order-name">
                  {firstWords(hit.content)}
                </text>
              </a>
            </g>
          );
        })}
      </svg>
    </section>
  );
}

function curve(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const middle = (from.x + to.x) / 2;
  return `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}

/** Places beyond the last row share it: spread them so that none covers another. */
function spreadPlaces(hits: Hit[], lowest: number): Map<string, number> {
  const offsets = new Map<string, number>();
  for (const [name] of COLUMNS) {
    const below = hits.filter((hit) => (hit.ranks![name] ?? 0) >= lowest).sort((a, b) => a.ranks![name]! - b.ranks![name]!);
    below.forEach((hit, index) => offsets.set(`${name} ${hit.id}`, (index - (below.length - 1) / 2) * 20));
  }
  return offsets;
}

function firstWords(text: string): string {
  const words = text.replace(/\s+/gu, " ");
  return words.length > 15 ? `${words.slice(0, 14).trimEnd()}…` : words;
}

function inWords(hits: Hit[]): string {
  return hits
    .map(({ ranks }) => COLUMNS.map(([name, label]) => `${label} ${ranks![name] ?? "not found"}`).join(", "))
    .map((places, index) => `Hit ${index + 1}: ${places}`)
    .join(". ");
}

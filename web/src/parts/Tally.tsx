/** Reports as ticks: up worked, half partly, down failed; and the score they made. */

import type { Report, Result } from "../model/memory";
import { signed } from "../model/time";

const MOST = 12;
const STEP = 5;
const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;
const TICKS: Record<Result, { y: number; height: number; fill: string }> = {
  worked: { y: MIDDLE - 8, height: 8, fill: "fill-worked" },
  partial: { y: MIDDLE - 4, height: 4, fill: "fill-partly" },
  failed: { y: MIDDLE, height: 8, fill: "fill-failed" },
};

export interface Counts {
  worked: number;
  partial: number;
  failed: number;
}

/** Say the counts that there are: "worked 4, failed 1". */
export function countWords({ worked, partial, failed }: Counts): string {
  const said = [worked && `worked ${worked}`, partial && `partly ${partial}`, failed && `failed ${failed}`];
  return said.filter(Boolean).join(", ") || "no reports yet";
}

/** Spread the counts over at most twelve ticks; a result that occurred keeps at least one. */
export function ticksOf(counts: Counts, most = MOST): Result[] {
  const results: Result[] = ["worked", "partial", "failed"];
  const total = counts.worked + counts.partial + counts.failed;
  const factor = total > most ? most / total : 1;
  const ticks = results.flatMap((result) =>
    Array<Result>(counts[result] ? Math.max(1, Math.round(counts[result] * factor)) : 0).fill(result),
  );
  return ticks.slice(0, most);
}

/** The results of the reports that count, oldest first; null if they are not all there. */
export function inOrder(counts: Counts, reports: readonly Report[]): Result[] | null {
  const counted = reports.filter((each) => each.counted).sort((one, other) => one.at.localeCompare(other.at));
  const enough = counted.length >= Math.min(MOST, counts.worked + counts.partial + counts.failed);
  return enough ? counted.slice(-MOST).map((each) => each.result) : null;
}

/** With `reports`, ticks stand in their order; otherwise by kind. */
export function Tally({ counts, reports = [] }: { counts: Counts; reports?: readonly Report[] }) {
  const ticks = inOrder(counts, reports) ?? ticksOf(counts);
  const width = Math.max(58, ticks.length * STEP);
  return (
    <svg class="tally" width={width} height={HEIGHT} role="img" aria-label={countWords(counts)}>
      <path d={`M0 ${MIDDLE}h${width}`} class="stroke-line" stroke-dasharray={ticks.length ? undefined : "1 3"} />
      {ticks.map((result, index) => (
        <rect key={index} x={index * STEP} y={TICKS[result].y} width="3" height={TICKS[result].height} class={TICKS[result].fill} />
      ))}
    </svg>
  );
}

/** One tick with its base line, such as on a button. */
export function Tick({ result }: { result: Result }) {
  const { y, height, fill } = TICKS[result];
  return (
    <svg width="11" height={HEIGHT} aria-hidden="true">
      <path d={`M0 ${MIDDLE}h11`} class="stroke-muted" />
      <rect x="3.5" y={y} width="4" height={height} class={fill} />
    </svg>
  );
}

export function Score({ counts, score }: { counts: Counts; score: number }) {
  if (!(counts.worked + counts.partial + counts.failed) && !score) return <span class="muted">new</span>;
  return <span class={score > 0 ? "positive" : score < 0 ? "negative" : "muted"}>{signed(score)}</span>;
}

/** The scale from -1 to 1 with the place where a memory is archived. */
export function Scale({ score, archivedAt = -0.5, width = 234 }: { score: number; archivedAt?: number; width?: number }) {
  const pad = 14;
  const x = (value: number) => pad + ((value + 1) / 2) * (width - 2 * pad);
  const tone = score < 0 ? "failed" : "worked";
  const near = Math.abs(score) < 0.22;
  return (
    <svg class="scale" width={width} height="36" viewBox={`0 0 ${width} 36`} role="img" aria-label={`score ${signed(score)} on a scale from −1 to +1`}>
      <path d={`M${x(-1)} 10H${x(1)}M${x(archivedAt)} 6v8M${x(0)} 6v8`} class="stroke-muted" />
      <path d={`M${x(0)} 10H${x(score)}`} class={`stroke-${tone}`} stroke-width="4" />
      <circle cx={x(score)} cy="10" r="4.5" class={`fill-${tone}`} />
      {score > -0.75 && <text x={x(-1)} y="31" text-anchor="middle">−1</text>}
      {Math.abs(score - archivedAt) > 0.3 && <text x={x(archivedAt)} y="31" text-anchor="middle">archived</text>}
      {!near && <text x={x(0)} y="31" text-anchor="middle">0</text>}
      <text x={Math.min(width - 18, Math.max(18, x(score)))} y="31" text-anchor="middle" class={`fill-${tone} strong`}>
        {signed(score)}
      </text>
    </svg>
  );
}

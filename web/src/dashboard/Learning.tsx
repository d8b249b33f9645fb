/** Reports of each week as bars: worked upwards with partly on top, failed downwards. */

import { useEffect, useRef, useState } from "preact/hooks";

import { address } from "../core/router";
import { count } from "../model/time";
import { dayWords, sharePercent, stepsTo, sumOf, totalOf, type Week, type Weekly } from "./figures";

const HEIGHT = 220;
const LEFT = 28;
const RIGHT = 76;
const BOTTOM = 22;
const TOP = 8;

export function Learning({ weekly }: { weekly: Weekly }) {
  const [numbers, setNumbers] = useState(false);
  const sum = sumOf(weekly.items);
  return (
    <section class="section">
      <div class="heading">
        <h2>Is it learning?</h2>
        <span class="muted wide-only">reports each week</span>
        <span class="aside">
          {totalOf(sum) > 0 && (
            <button type="button" class="text-button small" aria-pressed={numbers} onClick={() => setNumbers(!numbers)}>
              {numbers ? "Show the chart" : "Show numbers"}
            </button>
          )}{" "}
          <a href={address("/insights")}>Insights</a>
        </span>
      </div>
      {!totalOf(sum) ? (
        <p class="secondary quiet">
          No reports in {weekly.items.length} weeks. After a task, agents report what helped by{" "}
          <code>mem outcome ID worked</code>; then each week stands here.
        </p>
      ) : numbers ? (
        <Numbers weeks={weekly.items} />
      ) : (
        <Chart weeks={weekly.items} label={inWords(weekly)} />
      )}
    </section>
  );
}

/** Say the chart in a sentence. */
function inWords(weekly: Weekly): string {
  const sum = sumOf(weekly.items);
  const before = sharePercent(weekly.before);
  const last = weekly.items.at(-1);
  return (
    `Of ${count(totalOf(sum))} reports in ${weekly.items.length} weeks ${sharePercent(sum)} % worked` +
    (before === null ? "." : `, ${before} % in the weeks before.`) +
    (last ? ` This week: ${last.worked} worked, ${last.partial} partly, ${last.failed} failed.` : "")
  );
}

function Chart({ weeks, label }: { weeks: Week[]; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const up = Math.max(1, ...weeks.map((each) => each.worked + each.partial));
  const down = Math.max(0, ...weeks.map((each) => each.failed));
  const unit = (HEIGHT - TOP - BOTTOM) / (up + down);
  const zero = TOP + up * unit;
  const room = Math.max(1, width - LEFT - RIGHT) / weeks.length;
  const thick = Math.min(28, Math.max(3, room * 0.55));
  const every = Math.max(1, Math.ceil(weeks.length / Math.max(1, Math.floor((width - LEFT - RIGHT) / 70))));
  const last = weeks.at(-1)!;
  const end = width - RIGHT + 10;
  const labels = spread([
    { at: zero - (last.worked + last.partial / 2) * unit, text: `partly ${last.partial}`, kind: "partly", on: last.partial > 0 },
    { at: zero - (last.worked * unit) / 2, text: `worked ${last.worked}`, kind: "worked", on: true },
    { at: zero + (last.failed * unit) / 2, text: `failed ${last.failed}`, kind: "failed", on: last.failed > 0 },
  ]);
  return (
    <div class="chart" ref={box} style={{ height: `${HEIGHT}px` }}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label}>
          {stepsTo(up).map((value) => (
            <g key={value}>
              <path d={`M${LEFT} ${Math.round(zero - value * unit) + 0.5}H${width - RIGHT}`} class="grid" />
              <text x={LEFT - 8} y={zero - value * unit + 4} text-anchor="end">
                {count(value)}
              </text>
            </g>
          ))}
          {weeks.map((each, index) => {
            const x = LEFT + room * (index + 0.5) - thick / 2;
            const partly = each.partial * unit;
            const worked = each.worked * unit;
            return (
              <g key={each.week} class="week">
                <title>
                  {`Week of ${dayWords(each.week)}: ${each.worked} worked, ${each.partial} partly, ${each.failed} failed`}
                </title>
                <rect x={LEFT + room * index} y={TOP} width={room} height={HEIGHT - BOTTOM - TOP} class="catch" />
                {worked > 0 && <rect x={x} y={zero - worked} width={thick} height={worked} class="area-worked" />}
                {partly > 0 && (
                  <rect x={x + 0.5} y={zero - worked - partly + 0.5} width={thick - 1} height={Math.max(1, partly - 1.5)} class="area-partly" />
                )}
                {each.failed > 0 && <rect x={x} y={zero} width={thick} height={each.failed * unit} class="area-failed" />}
                {(weeks.length - 1 - index) % every === 0 && (
                  <text x={x + thick / 2} y={HEIGHT - 5} text-anchor="middle">
                    {dayWords(each.week)}
                  </text>
                )}
              </g>
            );
          })}
          <path d={`M${LEFT} ${Math.round(zero) + 0.5}H${width - RIGHT}`} class="zero" />
          {labels.map((each) => (
            <text key={each.kind} x={end} y={each.at + 4} class={`at-line ${each.kind}`}>
              {each.text}
            </text>
          ))}
        </svg>
      )}
    </div>
  );
}

interface Label {
  at: number;
  text: string;
  kind: string;
  on: boolean;
}

/** Keep labels at least a line apart, in their order. */
function spread(labels: Label[]): Label[] {
  const shown = labels.filter((each) => each.on);
  for (let index = shown.length - 2; index >= 0; index -= 1)
    shown[index]!.at = Math.min(shown[index]!.at, shown[index + 1]!.at - 16);
  const above = TOP + 4 - (shown[0]?.at ?? TOP + 4);
  return above > 0 ? shown.map((each, index) => ({ ...each, at: Math.max(each.at, TOP + 4 + 16 * index) })) : shown;
}

function Numbers({ weeks }: { weeks: Week[] }) {
  return (
    <div class="numbers">
      <table>
        <thead>
          <tr>
            <th scope="col">Week of</th>
            {["worked", "partly", "failed", "added", "archived", "given"].map((each) => (
              <th key={each} scope="col" class="right">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...weeks].reverse().map((each) => (
            <tr key={each.week}>
              <th scope="row">{dayWords(each.week)}</th>
              {[each.worked, each.partial, each.failed, each.added, each.archived, each.given].map((n, index) => (
                <td key={index} class={n ? "right" : "right muted"}>
                  {count(n)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return width;
}

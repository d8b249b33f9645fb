/** Charts drawn in the width they have: without smoothing, zero in view, labelled at the line. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { count } from "../model/time";
import { dayWords, stepsTo, type Reports } from "../model/weeks";

export const LEFT = 44;
export const RIGHT = 84;
export const TOP = 10;
export const BOTTOM = 22;

/** A drawing in the width of its place; it says in a sentence what it shows. */
export function Drawing({ height, label, role = "img", children }: { height: number; label: string; role?: "img" | "group"; children: (width: number) => ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  return (
    <div class="chart" ref={box} style={{ height: `${height}px` }}>
      {width > 0 && (
        <svg width={width} height={height} role={role} aria-label={label}>
          {children(width)}
        </svg>
      )}
    </div>
  );
}

/** Lines across at round values, and the line at zero. */
export function Steps({ values, y, width, unit = "" }: { values: number[]; y: (value: number) => number; width: number; unit?: string }) {
  return (
    <>
      {[0, ...values].map((value) => (
        <g key={value}>
          <path d={`M${LEFT} ${Math.round(y(value)) + 0.5}H${width - RIGHT}`} class={value ? "grid" : "zero"} />
          <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
            {count(value)}
            {value === values.at(-1) && unit}
          </text>
        </g>
      ))}
    </>
  );
}

/** The days below the weeks, as many as have room; the last week is not over yet. */
export function Days({ weeks, x, width, y }: { weeks: readonly { week: string }[]; x: (index: number) => number; width: number; y: number }) {
  const every = Math.max(1, Math.ceil((weeks.length * 64) / Math.max(64, width - LEFT - RIGHT)));
  const last = weeks.length - 1;
  return (
    <>
      {weeks.map(({ week }, index) =>
        (last - index) % every ? null : (
          <text key={week} x={x(index)} y={y} text-anchor="middle">
            {index === last ? "so far" : dayWords(week)}
          </text>
        ),
      )}
    </>
  );
}

/** Reports of each week: worked upwards with partly on top, failed downwards; the labels are of the last full week and begin with its day. */
export function Bars({ weeks, height, label }: { weeks: readonly (Reports & { week: string })[]; height: number; label: string }) {
  const up = Math.max(1, ...weeks.map((each) => each.worked + each.partial));
  const down = Math.max(0, ...weeks.map((each) => each.failed));
  const unit = (height - TOP - BOTTOM) / (up + down);
  const y = (value: number) => TOP + (up - value) * unit;
  const full = weeks.at(-2) ?? weeks.at(-1)!;
  const counted = [
    { at: y(full.worked + full.partial / 2), word: "partly", n: full.partial },
    { at: y(full.worked / 2), word: "worked", n: full.worked },
    { at: y(-full.failed / 2), word: "failed", n: full.failed },
  ].filter((each) => each.n > 0);
  const labels = spread(counted.length ? [{ at: counted[0]!.at, word: "", n: dayWords(full.week) }, ...counted] : []);
  return (
    <Drawing height={height} label={label}>
      {(width) => {
        const room = Math.max(1, width - LEFT - RIGHT) / weeks.length;
        const thick = Math.min(28, Math.max(3, room * 0.55));
        const x = (index: number) => LEFT + room * (index + 0.5);
        return (
          <>
            <Steps values={stepsTo(up)} y={y} width={width} />
            {weeks.map(({ week, worked, partial, failed }, index) => {
              const bar = (from: number, to: number, kind: string, edge = 0) =>
                to > from && <rect x={x(index) - thick / 2 + edge} y={y(to) + edge} width={thick - 2 * edge} height={Math.max(1, (to - from) * unit - 3 * edge)} class={kind} />;
              const now = index === weeks.length - 1;
              return (
                <g key={week} class={now ? "week now" : "week"}>
                  <title>{`From ${dayWords(week)}${now ? " so far" : ""}: ${worked} worked, ${partial} partly, ${failed} failed`}</title>
                  <rect x={LEFT + room * index} y={TOP} width={room} height={height - BOTTOM - TOP} class="catch" />
                  {bar(0, worked, "area-worked")}
                  {bar(worked, worked + partial, "area-partly", 0.5)}
                  {bar(-failed, 0, "area-failed")}
                </g>
              );
            })}
            <Days weeks={weeks} x={x} width={width} y={height - 5} />
            {labels.map(({ at, word, n }) => (
              <text key={word} x={width - RIGHT + 10} y={at + 4} class={word}>
                {word} {n}
              </text>
            ))}
          </>
        );
      }}
    </Drawing>
  );
}

/** Keep labels at least a line apart, in their order. */
export function spread<Label extends { at: number }>(labels: Label[]): Label[] {
  for (let index = labels.length - 2; index >= 0; index -= 1)
    labels[index]!.at = Math.min(labels[index]!.at, labels[index + 1]!.at - 16);
  const missing = TOP + 4 - (labels[0]?.at ?? TOP + 4);
  return missing > 0 ? labels.map((each, index) => ({ ...each, at: Math.max(each.at, TOP + 4 + 16 * index) })) : labels;
}

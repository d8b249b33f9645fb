/** Charts of insights: drawn by hand, without smoothing, labelled at the line, with their numbers as a table. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { dayMonth, joinWeeks, sourceWords, stepsTo, totalOf, type Insights, type Week } from "../model/insights";
import { Part } from "../views/Insights";

const WIDTH = 520;
const HEIGHT = 200;
const LEFT = 48;
const RIGHT = 116;
const BOTTOM = 176;
const MOST_COLUMNS = 26;
const inner = WIDTH - LEFT - RIGHT;

function Chart({ label, table, children, height = HEIGHT }: { label: string; table: ComponentChildren; children: ComponentChildren; height?: number }) {
  const [numbers, setNumbers] = useState(false);
  return (
    <>
      {numbers ? (
        <div class="chart-table">{table}</div>
      ) : (
        <svg class="chart" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
          {children}
        </svg>
      )}
      <button type="button" class="text-button small chart-switch" onClick={() => setNumbers(!numbers)}>
        {numbers ? "Show chart" : "Show numbers"}
      </button>
    </>
  );
}

/** The labels below a chart: at most four, the last one always. */
function Dates({ weeks, x }: { weeks: Week[]; x: (index: number) => number }) {
  const step = Math.max(1, Math.ceil(weeks.length / 4));
  return (
    <>
      {weeks.map((each, index) =>
        (weeks.length - 1 - index) % step === 0 ? (
          <text key={each.week} x={x(index)} y={HEIGHT - 6} text-anchor="middle">
            {dayMonth(each.week)}
          </text>
        ) : null,
      )}
    </>
  );
}

function Lines({ values, y, unit = "" }: { values: number[]; y: (value: number) => number; unit?: string }) {
  return (
    <>
      {values.map((value, index) => (
        <g key={value}>
          <path class={value === 0 ? "chart-zero" : "chart-line"} d={`M${LEFT} ${y(value)}H${WIDTH - RIGHT}`} />
          <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
            {value}
            {index === values.length - 1 && unit}
          </text>
        </g>
      ))}
    </>
  );
}

/** A line through the weeks that have questions; it does not pretend to know the others. */
function through(weeks: Week[], x: (index: number) => number, y: (value: number) => number, part: "right" | "right_without"): string {
  return weeks
    .map((each, index) => ({ each, index }))
    .filter(({ each }) => each.questions)
    .map(({ each, index }, place) => `${place ? "L" : "M"}${x(index)} ${y((100 * each[part]) / each.questions)}`)
    .join("");
}

export function FirstRight({ found }: { found: Insights }) {
  const weeks = joinWeeks(found.weekly, MOST_COLUMNS);
  const known = weeks.filter((each) => each.questions);
  if (found.first === null || known.length < 2)
    return (
      <Part title="First memory was the one that worked" aside="of reported questions">
        <p class="muted">
          {found.questions
            ? `${found.weekly.reduce((sum, each) => sum + each.right, 0)} of ${found.questions} questions so far.`
            : "No report names its question yet."}
        </p>
      </Part>
    );
  const x = (index: number) => LEFT + ((index + 0.5) * inner) / weeks.length;
  const y = (value: number) => BOTTOM - (value / 100) * (BOTTOM - 12);
  const last = known.at(-1)!;
  const at = weeks.indexOf(last);
  const [withReports, without] = [(100 * last.right) / last.questions, (100 * last.right_without) / last.questions];
  const [first, second] = apart(y(withReports), y(without));
  const area = `${through(weeks, x, y, "right")}${reversed(weeks, x, y)}Z`;
  return (
    <Part title="First memory was the one that worked" aside="share of reported questions, by week" note={found.note}>
      <Chart
        label={`Share of questions whose first memory worked: ${Math.round(withReports)} percent at last with reports, ${Math.round(without)} without.`}
        table={
          <WeekTable
            weeks={weeks}
            heads={["questions", "first was right", "without reports"]}
            cells={(each) => [each.questions, each.right, each.right_without]}
          />
        }
      >
        <Lines values={[0, 25, 50, 75, 100]} y={y} unit=" %" />
        <path class="chart-area" d={area} />
        <path class="chart-without" d={through(weeks, x, y, "right_without")} />
        <path class="chart-with" d={through(weeks, x, y, "right")} />
        <circle class="fill-worked" cx={x(at)} cy={y(withReports)} r="3.5" />
        <text x={WIDTH - RIGHT + 8} y={first + 4}>
          <tspan class="chart-strong fill-worked">{Math.round(withReports)} %</tspan>
          <tspan class="chart-wide"> with reports</tspan>
        </text>
        <text x={WIDTH - RIGHT + 8} y={second + 4}>
          <tspan class="chart-strong">{Math.round(without)} %</tspan> without
        </text>
        <Dates weeks={weeks} x={x} />
      </Chart>
    </Part>
  );
}

function reversed(weeks: Week[], x: (index: number) => number, y: (value: number) => number): string {
  return weeks
    .map((each, index) => ({ each, index }))
    .filter(({ each }) => each.questions)
    .reverse()
    .map(({ each, index }) => `L${x(index)} ${y((100 * each.right_without) / each.questions)}`)
    .join("");
}

/** Keep two labels from covering each other. */
function apart(one: number, other: number): [number, number] {
  const gap = 16 - Math.abs(one - other);
  if (gap <= 0) return [one, other];
  return one <= other ? [one - gap / 2, other + gap / 2] : [one + gap / 2, other - gap / 2];
}

export function Reports({ found }: { found: Insights }) {
  const weeks = joinWeeks(found.weekly, MOST_COLUMNS);
  const up = Math.max(1, ...weeks.map((each) => each.reports.worked + each.reports.partial));
  const down = Math.max(0, ...weeks.map((each) => each.reports.failed));
  const steps = stepsTo(up);
  const top = steps.at(-1)!;
  const scale = (BOTTOM - 12) / (top + down);
  const zero = 12 + top * scale;
  const y = (value: number) => zero - value * scale;
  const column = inner / weeks.length;
  const bar = Math.min(22, column * 0.6);
  const x = (index: number) => LEFT + (index + 0.5) * column;
  const last = weeks.at(-1)!.reports;
  if (!totalOf(found.reports))
    return (
      <Part title="Reports each week">
        <p class="muted">Nothing was reported yet. Agents report by themselves once they are connected.</p>
      </Part>
    );
  return (
    <Part title="Reports each week" aside="worked up, failed down">
      <Chart
        label={`Reports each week; this week ${last.worked} worked, ${last.partial} partly, ${last.failed} failed.`}
        table={
          <WeekTable weeks={weeks} heads={["worked", "partly", "failed"]} cells={({ reports }) => [reports.worked, reports.partial, reports.failed]} />
        }
      >
        <Lines values={steps} y={y} />
        {weeks.map(({ week, reports }, index) => (
          <g key={week}>
            <rect class="chart-worked" x={x(index) - bar / 2} y={y(reports.worked)} width={bar} height={reports.worked * scale} />
            {reports.partial > 0 && (
              <rect class="chart-partly" x={x(index) - bar / 2 + 0.5} y={y(reports.worked + reports.partial)} width={bar - 1} height={Math.max(1, reports.partial * scale - 2)} />
            )}
            <rect class="chart-failed" x={x(index) - bar / 2} y={zero} width={bar} height={reports.failed * scale} />
          </g>
        ))}
        <path class="chart-zero" d={`M${LEFT} ${zero}H${WIDTH - RIGHT}`} />
        <text x={WIDTH - RIGHT + 8} y={Math.min(y(last.worked / 2), zero - 26) + 4} class="chart-strong fill-worked">
          worked {last.worked}
        </text>
        <text x={WIDTH - RIGHT + 8} y={Math.min(y(last.worked / 2), zero - 26) - 14}>
          partly {last.partial}
        </text>
        <text x={WIDTH - RIGHT + 8} y={zero + 14} class="chart-strong fill-failed">
          failed {last.failed}
        </text>
        <Dates weeks={weeks} x={x} />
      </Chart>
    </Part>
  );
}

const ROW = 26;
const NAMES = 76;

export function Sources({ found }: { found: Insights }) {
  if (!found.by_source.length) return null;
  if (!found.enough)
    return (
      <Part title="Whose memories work">
        <ul class="insights-rows">
          {found.by_source.map(({ source, reports }) => (
            <li key={source}>
              <span class="insights-fill">{sourceWords(source)}</span>
              <span class="small muted">
                {reports.worked} of {totalOf(reports)} worked
              </span>
            </li>
          ))}
        </ul>
      </Part>
    );
  const height = found.by_source.length * ROW + 30;
  const x = (share: number) => NAMES + share * (WIDTH - NAMES - RIGHT);
  const base = found.by_source.length * ROW + 4;
  return (
    <Part title="Whose memories work" aside="share that worked, 95 % interval">
      <Chart
        height={height}
        label={found.by_source
          .map(({ source, reports, worked }) => `${sourceWords(source)}: ${Math.round(100 * (worked?.share ?? 0))} percent of ${totalOf(reports)}`)
          .join(", ")}
        table={
          <table>
            <thead>
              <tr>
                <th scope="col">source</th>
                <th scope="col" class="right">worked</th>
                <th scope="col" class="right">of</th>
                <th scope="col" class="right">95 % interval</th>
              </tr>
            </thead>
            <tbody>
              {found.by_source.map(({ source, reports, worked }) => (
                <tr key={source}>
                  <td>{sourceWords(source)}</td>
                  <td class="right">{reports.worked}</td>
                  <td class="right">{totalOf(reports)}</td>
                  <td class="right">{worked && `${Math.round(100 * worked.low)} to ${Math.round(100 * worked.high)} %`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        }
      >
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share}>
            <path class="chart-line" d={`M${x(share)} 0V${base}`} />
            <text x={x(share)} y={base + 16} text-anchor="middle">
              {share * 100}
              {share === 1 && " %"}
            </text>
          </g>
        ))}
        {found.by_source.map(({ source, reports, worked }, index) => {
          const y = index * ROW + ROW / 2;
          return worked ? (
            <g key={source}>
              <text x="0" y={y + 4} class="chart-ink">
                {sourceWords(source)}
              </text>
              <path class="chart-interval" d={`M${x(worked.low)} ${y}H${x(worked.high)}M${x(worked.low)} ${y - 4}v8M${x(worked.high)} ${y - 4}v8`} />
              <circle class="fill-worked" cx={x(worked.share)} cy={y} r="4.5" />
              <text x={WIDTH} y={y + 4} text-anchor="end" class="chart-ink">
                {Math.round(100 * worked.share)} % of {totalOf(reports)}
              </text>
            </g>
          ) : null;
        })}
      </Chart>
    </Part>
  );
}

function WeekTable({ weeks, heads, cells }: { weeks: Week[]; heads: string[]; cells: (week: Week) => number[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">from</th>
          {heads.map((head) => (
            <th key={head} scope="col" class="right">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((each) => (
          <tr key={each.week}>
            <td>{dayMonth(each.week)}</td>
            {cells(each).map((value, index) => (
              <td key={index} class="right">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

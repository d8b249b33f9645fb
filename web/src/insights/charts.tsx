/** Charts of insights, with their numbers as a table. */

import { dayWords, totalOf } from "../model/weeks";
import { joinWeeks, sourceWords, type Insights, type Week } from "../model/insights";
import { Bars, BOTTOM, Days, Drawing, LEFT, RIGHT, spread, Steps, TOP } from "../parts/charts";
import { Numbers, Part } from "../parts/Part";

const HEIGHT = 200;
const MOST_COLUMNS = 26;
/** With fewer questions, a share says more about luck than about what was learned. */
const FEW = 5;

const percent = (share: number) => Math.round(100 * share);

export function FirstRight({ found }: { found: Insights }) {
  const title = "First memory was the one that worked";
  const weeks = joinWeeks(found.weekly, MOST_COLUMNS);
  const asked = weeks.flatMap((each, index) => (each.questions ? [{ ...each, index }] : []));
  const many = asked.filter((each) => each.questions >= FEW);
  const known = many.length > 1 ? many : asked;
  const last = known.at(-1);
  if (found.first === null || !last || known.length < 2)
    return (
      <Part title={title} about="of reported questions">
        <p class="muted">
          {found.questions
            ? `${found.weekly.reduce((sum, each) => sum + each.right, 0)} of ${found.questions} questions so far.`
            : "No report names its question yet."}
        </p>
      </Part>
    );
  const y = (value: number) => HEIGHT - BOTTOM - (value / 100) * (HEIGHT - BOTTOM - TOP);
  const shares = { right: percent(last.right / last.questions), right_without: percent(last.right_without / last.questions) };
  const labels = spread([
    { at: y(shares.right), share: shares.right, word: "with", kind: "worked" },
    { at: y(shares.right_without), share: shares.right_without, word: "without", kind: "" },
  ].sort((one, other) => one.at - other.at));
  return (
    <Part
      title={title}
      about="with and without reports"
      note={
        <>
          {found.note.replace("experience", "reports")}
          {known.length < asked.length && ` Weeks with fewer than ${FEW} questions are left out of the lines.`}
        </>
      }
      numbers={
        <Numbers
          heads={["From", "questions", "first was right", "without reports"]}
          rows={weeks.map((each) => [dayWords(each.week), each.questions, each.right, each.right_without])}
        />
      }
    >
      <Drawing
        height={HEIGHT}
        label={`Share of questions whose first memory worked: ${shares.right} percent at last with reports, ${shares.right_without} without.`}
      >
        {(width) => {
          const x = (index: number) => LEFT + ((index + 0.5) * (width - LEFT - RIGHT)) / weeks.length;
          // a line through the weeks that have questions: it does not pretend to know the others
          const through = (part: "right" | "right_without", of: (Week & { index: number })[]) =>
            of.map((each) => `${x(each.index)} ${y((100 * each[part]) / each.questions)}`).join("L");
          const upper = through("right", known);
          return (
            <>
              <Steps values={[25, 50, 75, 100]} y={y} width={width} unit=" %" />
              <path class="chart-area" d={`M${upper}L${through("right_without", [...known].reverse())}Z`} />
              <path class="chart-without" d={`M${through("right_without", known)}`} />
              <path class="chart-with" d={`M${upper}`} />
              <circle class="fill-worked" cx={x(last.index)} cy={y(shares.right)} r="3.5" />
              {labels.map(({ at, share, word, kind }) => (
                <text key={word} x={width - RIGHT + 8} y={at + 4}>
                  <tspan class={kind}>{share} %</tspan> {word}
                </text>
              ))}
              <Days weeks={weeks} x={x} width={width} y={HEIGHT - 5} />
            </>
          );
        }}
      </Drawing>
    </Part>
  );
}

export function ReportsChart({ found }: { found: Insights }) {
  const weeks = joinWeeks(found.weekly, MOST_COLUMNS).map(({ week, reports }) => ({ week, ...reports }));
  if (!totalOf(found.reports))
    return (
      <Part title="Reports each week">
        <p class="muted">Nothing was reported yet. Agents report by themselves once they are connected.</p>
      </Part>
    );
  const last = weeks.at(-1)!;
  const joined = Math.ceil(found.weekly.length / weeks.length);
  const title = joined > 1 ? `Reports every ${joined} weeks` : "Reports each week";
  return (
    <Part
      title={title}
      about="worked up, failed down"
      numbers={
        <Numbers
          heads={["From", "worked", "partly", "failed"]}
          rows={weeks.map((each) => [dayWords(each.week), each.worked, each.partial, each.failed])}
        />
      }
    >
      <Bars weeks={weeks} height={HEIGHT} label={`${title}; so far ${last.worked} worked, ${last.partial} partly, ${last.failed} failed.`} />
    </Part>
  );
}

const ROW = 28;
const NAMES = 84;

export function Sources({ found }: { found: Insights }) {
  const sources = found.by_source;
  if (!sources.length) return null;
  if (!found.enough)
    return (
      <Part title="Whose memories work">
        <ul class="insights-rows">
          {sources.map(({ source, reports }) => (
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
  const rated = sources.flatMap(({ source, reports, worked }) => (worked ? [{ name: sourceWords(source), total: totalOf(reports), n: reports.worked, ...worked }] : []));
  const base = rated.length * ROW + 4;
  return (
    <Part
      title="Whose memories work"
      about="95 % interval"
      numbers={
        <Numbers heads={["Source", "worked", "of", "95 % interval"]} rows={rated.map(({ name, n, total, low, high }) => [name, n, total, `${percent(low)} to ${percent(high)} %`])} />
      }
    >
      <Drawing height={base + BOTTOM} label={rated.map(({ name, share, total }) => `${name}: ${percent(share)} percent of ${total}`).join(", ")}>
        {(width) => {
          const x = (share: number) => NAMES + share * (width - NAMES - RIGHT - 8);
          return (
            <>
              {[0, 25, 50, 75, 100].map((share) => (
                <g key={share}>
                  <path class="grid" d={`M${x(share / 100)} 0V${base}`} />
                  <text x={x(share / 100)} y={base + 16} text-anchor="middle">
                    {share}
                    {share === 100 && " %"}
                  </text>
                </g>
              ))}
              {rated.map(({ name, share, low, high, total }, index) => {
                const y = index * ROW + ROW / 2;
                return (
                  <g key={name} class="interval">
                    <text y={y + 4}>{name}</text>
                    <path d={`M${x(low)} ${y}H${x(high)}M${x(low)} ${y - 4}v8M${x(high)} ${y - 4}v8`} />
                    <circle class="fill-worked" cx={x(share)} cy={y} r="4.5" />
                    <text x={width} y={y + 4} text-anchor="end">
                      {percent(share)} % of {total}
                    </text>
                  </g>
                );
              })}
            </>
          );
        }}
      </Drawing>
    </Part>
  );
}

/** Whether reports improve what agents are given. */

import { apiAddress } from "../core/api";
import { address, setQuery } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { FirstRight, ReportsChart, Sources } from "../insights/charts";
import type { Insights as Found } from "../model/insights";
import { familyOf } from "../model/families";
import { count } from "../model/time";
import { totalOf } from "../model/weeks";
import { Shape } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import { Part } from "../parts/Part";
import { Empty, Shown } from "../parts/states";
import { Tally } from "../parts/Tally";
import { ViewPage } from "../parts/ViewPage";
import "../insights/insights.css";

const PERIODS = [
  [4, "4 weeks"],
  [12, "12 weeks"],
  [52, "1 year"],
] as const;

export default function Insights({ route }: ViewProps) {
  const asked = Number(route.query.get("weeks"));
  const weeks = Number.isInteger(asked) && asked >= 1 && asked <= 104 ? asked : 12;
  const params = { ...useProject(), weeks };
  const found = useRead<Found>("/api/insights", params);
  return (
    <ViewPage
      title="Insights"
      command={`mem insights --weeks ${weeks}`}
      json={apiAddress("/api/insights", params)}
      controls={
        <div class="choices insights-period" role="group" aria-label="Period">
          {PERIODS.map(([value, label]) => (
            <button key={value} type="button" aria-pressed={weeks === value} onClick={() => setQuery({ weeks: value === 12 ? null : value })}>
              {label}
            </button>
          ))}
        </div>
      }
    >
      <Shown reading={found}>{(data) => <Body found={data} />}</Shown>
    </ViewPage>
  );
}

function Body({ found }: { found: Found }) {
  if (!found.asked && !totalOf(found.reports))
    return (
      <Empty title="Nothing to learn from yet" command="mem install">
        <p>When agents ask, and report whether what they were given worked, this page shows what changed by it. Connect an agent first.</p>
      </Empty>
    );
  return (
    <>
      <Sentence found={found} />
      <div class="insights-grid">
        <div>
          <FirstRight found={found} />
          <Moved found={found} />
        </div>
        <div>
          <ReportsChart found={found} />
          <Sources found={found} />
          <FunnelBars found={found} />
          <InVain found={found} />
        </div>
      </div>
      {found.limited && (
        <p class="small muted">Only the newest 10,000 questions and reports, and the newest 2,000 answered questions, are counted.</p>
      )}
    </>
  );
}

function Sentence({ found }: { found: Found }) {
  const { reports } = found;
  const total = totalOf(reports);
  const percent = (share: number | null) => `${Math.round(100 * (share ?? 0))} %`;
  const [first, without] = [percent(found.first), percent(found.first_without)];
  return (
    <p class="insights-sentence">
      In {found.weeks === 1 ? "this week" : `${found.weeks} weeks`} agents asked <b>{times(found.asked)}</b> and reported <b>{times(total)}</b>
      {found.worked === null ? `: ${reports.worked} worked, ${reports.partial} partly, ${reports.failed} failed.` : <>: <b>{percent(found.worked)} worked</b>.</>}
      {found.first !== null && (
        <>
          {" "}
          The first answer was right for <b>{first}</b> of {count(found.questions)} {found.questions === 1 ? "question" : "questions"}
          {first === without ? ", as without reports." : <>; without reports for <b>{without}</b>.</>}
        </>
      )}
      {!found.enough && <span class="insights-few"> Rates are shown from 20 reports on.</span>}
    </p>
  );
}

function times(number: number): string {
  return number === 1 ? "once" : `${count(number)} times`;
}

function Moved({ found }: { found: Found }) {
  return (
    <Part title="What reports moved" about="place for its question: without → with">
      {found.moved.length ? (
        <ul class="insights-rows">
          {found.moved.map((each) => (
            <li key={each.id}>
              <Shape family={familyOf(each.category)} />
              <a class="ellipsis" href={address(`/memories/${each.id}`)} title={`For “${each.question}”`}>
                <MemoryText text={each.content} line />
              </a>
              <Tally counts={each.reports} />
              <a class="insights-move" href={address("/search", { q: each.question })} title={`From place ${each.before} to ${each.now}; search for its question`}>
                {each.before} → {each.status === "archived" ? "archived" : each.now}
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">No report changed an order yet.</p>
      )}
    </Part>
  );
}

function InVain({ found }: { found: Found }) {
  return (
    <Part title="Asked in vain" about={found.in_vain.length > 0 && "add what you know"}>
      {found.in_vain.length ? (
        <ul class="insights-rows">
          {found.in_vain.map((each) => (
            <li key={each.question}>
              <a class="ellipsis" href={address("/search", { q: each.question })} dir="auto">
                “<MemoryText text={each.question} line />”
              </a>
              <span class="small muted">
                asked {each.times === 1 ? "once" : `${each.times} times`}
                {each.failed ? `, failed ${each.failed}` : ", nothing known"}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">Every question had an answer.</p>
      )}
    </Part>
  );
}

function FunnelBars({ found }: { found: Found }) {
  const { given, used, reported, worked } = found.funnel;
  const rows: [string, number][] = [
    ["given to agents", given],
    ["used", used],
    ["reported on", reported],
    ["worked", worked],
  ];
  return (
    <Part title="From given to worked" about="memories">
      <dl class="funnel">
        {rows.map(([label, number], index) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <i class={index === 3 ? "last" : undefined} style={{ width: `${given ? (80 * number) / given : 0}%` }} />
              {count(number)}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

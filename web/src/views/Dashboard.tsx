/** Whether the memory learns, what an agent is told, what is known, and the latest. */

import { apiAddress, inProject } from "../core/api";
import { address } from "../core/router";
import { useRead } from "../core/useRead";
import "../dashboard/dashboard.css";
import { Figures } from "../dashboard/Figures";
import type { Told, Weekly } from "../dashboard/figures";
import { FirstRun } from "../dashboard/FirstRun";
import { Knows } from "../dashboard/Knows";
import { Latest, LATEST } from "../dashboard/Latest";
import { Learning } from "../dashboard/Learning";
import { ToldBlock } from "../dashboard/ToldBlock";
import { useOverview, useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import type { Facets, MemoryPage, Stats } from "../model/memory";
import { count } from "../model/time";
import { Failed, GreyLines, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

const WEEKS = 12;

export default function Dashboard(_: ViewProps) {
  const project = useProject();
  const stats = useRead<Stats>("/api/stats", project);
  const isEmpty = stats.data?.total === 0;
  const idle = isEmpty || stats.data === null;
  const overview = useOverview();
  const weekly = useRead<Weekly>("/api/stats/weekly", { ...project, weeks: WEEKS }, { idle: isEmpty });
  const latest = useRead<MemoryPage>("/api/memories", { ...project, ...LATEST }, { live: isEmpty, idle: isEmpty });
  const told = useRead<Told>("/api/context", { ...project, peek: true }, { idle });
  const facets = useRead<Facets>("/api/facets", project, { idle });
  return (
    <ViewPage
      title="Dashboard"
      command={`mem stats --weeks ${WEEKS}`}
      json={apiAddress("/api/stats", inProject())}
      padded={false}
    >
      {isEmpty ? (
        <FirstRun />
      ) : (
        <>
          {stats.data ? (
            <Figures stats={stats.data} overview={overview.data} weekly={weekly.data} />
          ) : stats.problem ? (
            <Failed problem={stats.problem} retry={stats.reload} />
          ) : (
            <div class="figure-lines">{stats.slow && <GreyLines lines={2} />}</div>
          )}
          <div class="dashboard">
            <div>
              <Shown reading={weekly} lines={8}>
                {(weeks) => <Learning weekly={weeks} />}
              </Shown>
              <section class="section">
                <div class="heading">
                  <h2>What it knows</h2>
                  <span class="muted wide-only">active memories by category</span>
                  <span class="aside">
                    <a href={address("/map")}>Map</a>
                  </span>
                </div>
                <Shown reading={facets}>{(found) => <Knows facets={found} />}</Shown>
              </section>
            </div>
            <div>
              <section class="section">
                <div class="heading">
                  <h2>What an agent is told first</h2>
                  <span class="aside">
                    {told.data && `${count(told.data.tokens)} of ${count(told.data.budget)} tokens`}
                  </span>
                </div>
                <Shown reading={told}>{(text) => <ToldBlock told={text} />}</Shown>
              </section>
              <section class="section">
                <div class="heading">
                  <h2>Latest</h2>
                  <span class="aside">
                    <a href={address("/timeline")}>Timeline</a>
                  </span>
                </div>
                <Latest reading={latest} project={project} />
              </section>
            </div>
          </div>
        </>
      )}
    </ViewPage>
  );
}

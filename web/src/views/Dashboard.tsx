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
import { Part } from "../parts/Part";
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
      command="mem stats"
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
            </div>
            <Part title="What an agent is told first" aside={told.data && `${count(told.data.tokens)} of ${count(told.data.budget)} tokens`}>
              <Shown reading={told}>{(text) => <ToldBlock told={text} />}</Shown>
            </Part>
            <Part title="What it knows" about="active memories by category" aside={<a href={address("/map")}>Map</a>}>
              <Shown reading={facets}>{(found) => <Knows facets={found} />}</Shown>
            </Part>
            <Part title="Latest" aside={<a href={address("/timeline")}>Timeline</a>}>
              <Latest reading={latest} project={project} />
            </Part>
          </div>
        </>
      )}
    </ViewPage>
  );
}

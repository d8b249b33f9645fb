/** What the whole frame knows: totals, what waits and the projects. */

import { inProject, type Params } from "../core/api";
import { address, go, route, useRoute } from "../core/router";
import { useRead } from "../core/useRead";
import type { Overview, Page, Project } from "../model/memory";

/** The parameters of the chosen project, which every request of a view takes. */
export function useProject(): Params {
  return inProject(useRoute().query.get("p"));
}

/** Show the same of another project; empty for that of the server. */
export function chooseProject(project: string): void {
  const { path, query } = route.get();
  go(address(path, { ...Object.fromEntries(query), p: project, cursor: null, open: null }, null));
}

export function useOverview() {
  return useRead<Overview>("/api/overview", useProject());
}

export function useProjects() {
  return useRead<Page<Project>>("/api/projects", { limit: 200 }, { live: false });
}

/** The name of a project by its key, as the rail shows it. */
export function useProjectName(key: string | null): string | null {
  const found = useProjects().data?.items.find((each) => each.key === key);
  return found?.name || key;
}

/** What the whole frame knows: totals, what waits, the projects and the session. */

import { inProject, type Params } from "../core/api";
import { useRoute } from "../core/router";
import { useRead } from "../core/useRead";
import type { Overview, Page, Project, Session } from "../model/memory";

/** The parameters of the chosen project, which every request of a view takes. */
export function useProject(): Params {
  return inProject(useRoute().query.get("p"));
}

export function useOverview() {
  return useRead<Overview>("/api/overview", useProject());
}

export function useProjects() {
  return useRead<Page<Project>>("/api/projects", { limit: 200 }, { live: false });
}

export function useSession() {
  return useRead<Session>("/api/session", {}, { live: false });
}

/** The table of views: their addresses, names, keys, and the files that are loaded when they are opened; the first comes with the frame. */

import type { ComponentType } from "preact";

import type { IconName } from "../parts/Icon";
import type { Route } from "../core/router";
import Dashboard from "../views/Dashboard";

export interface ViewProps {
  route: Route;
}

export interface View {
  /** The first part of the address; empty for `/`. */
  part: string;
  title: string;
  /** The key after `g`. */
  key?: string;
  /** Where it stands in the rail: views of a group stand together. */
  group?: number;
  icon?: IconName;
  load: () => Promise<{ default: ComponentType<ViewProps> }>;
}

const other = (name: keyof typeof import("../views/others")) => () =>
  import("../views/others").then((views) => ({ default: views[name] }));

export const VIEWS: readonly View[] = [
  { part: "", title: "Dashboard", key: "d", group: 0, icon: "home", load: async () => ({ default: Dashboard }) },
  { part: "memories", title: "Memories", key: "m", group: 0, icon: "list", load: other("Memories") },
  { part: "search", title: "Search", key: "s", group: 0, icon: "search", load: other("Search") },
  { part: "timeline", title: "Timeline", key: "t", group: 0, load: other("Timeline") },
  { part: "map", title: "Map", key: "p", group: 0, load: () => import("../views/Map") },
  { part: "review", title: "Review", key: "r", group: 1, icon: "inbox", load: other("Review") },
  { part: "tasks", title: "Tasks", key: "k", group: 1, load: other("Tasks") },
  { part: "insights", title: "Insights", key: "i", group: 2, load: other("Insights") },
  { part: "health", title: "Health", key: "h", group: 2, load: other("Health") },
  { part: "settings", title: "Settings", group: 2, load: other("Settings") },
  { part: "recalls", title: "Recall", load: other("Recall") },
];

export function viewOf(route: Route): View | null {
  return VIEWS.find((each) => each.part === (route.parts[0] ?? "")) ?? null;
}

/** Which optional columns the table of memories shows; the browser remembers it. */

import { state } from "../core/state";
import type { Memory } from "../model/memory";

export interface OptionalColumn {
  name: string;
  title: string;
  sort?: string;
  text: (memory: Memory) => string;
}

export const OPTIONAL: readonly OptionalColumn[] = [
  { name: "project", title: "Project", sort: "project", text: (memory) => memory.project?.split(/[/\\]/u).filter((part) => part !== ".git").at(-1) ?? "everywhere" },
  { name: "source", title: "Source", text: (memory) => memory.source },
  { name: "confidence", title: "Confidence", sort: "confidence", text: (memory) => memory.confidence.toFixed(2) },
  { name: "path", title: "Path", text: (memory) => memory.scope.join(", ") },
];

export const columns = state<ReadonlySet<string>>(remembered());

function remembered(): ReadonlySet<string> {
  try {
    return new Set((localStorage.getItem("columns") ?? "").split(" ").filter(Boolean));
  } catch {
    return new Set();
  }
}

export function toggleColumn(name: string): void {
  const next = new Set(columns.get());
  if (!next.delete(name)) next.add(name);
  columns.set(next);
  try {
    localStorage.setItem("columns", [...next].join(" "));
  } catch {
    // storage is blocked: the choice holds until the page is closed
  }
}

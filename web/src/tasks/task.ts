/** Tasks of other programs, as the server answers them. */

import type { Status } from "../model/memory";

export interface LinkedMemory {
  id: string;
  content: string;
  status: Status;
  linked_at: string;
  automatic: boolean;
  reported: boolean;
}

export interface Task {
  ref: string;
  id: string;
  source: string;
  title: string;
  status: string;
  stated_status: string;
  description: string;
  priority: number | string | null;
  created_at: string | null;
  updated_at: string | null;
  closed_at: string | null;
  labels: string[];
  list: string | null;
  origin: string;
  waits_for: string[];
  memories: LinkedMemory[];
}

export interface Origin {
  source: string;
  where: string;
  tasks: number;
  malformed: number;
  as_of: string | null;
  flaws: string[];
  lines: number[];
}

export interface Tasks {
  items: Task[];
  total: number;
  to_report: Task[];
  origins: Origin[];
}

/** The program that a task comes from; Claude Code's older lists are told apart by their ids. */
export function programOf(task: Pick<Task, "source" | "id">): string {
  if (task.source === "beads") return "Beads";
  if (task.source === "claude") return task.id.startsWith("todo-") ? "Claude Code todos" : "Claude Code";
  return task.source;
}

export function statusWords(task: Pick<Task, "status" | "stated_status">): string {
  return (task.status === "other" ? task.stated_status || "other" : task.status).replaceAll("_", " ");
}

/** The last moment that the program names. */
export function changedAt(task: Task): string | null {
  return task.closed_at ?? task.updated_at ?? task.created_at;
}

/** A task's own address on the page. */
export function pathOf(ref: string): string {
  const at = ref.indexOf(":");
  const rest = ref.slice(at + 1).split("/").map(encodeURIComponent);
  return `/tasks/${encodeURIComponent(ref.slice(0, at))}/${rest.join("/")}`;
}

export function refOf(parts: readonly string[]): string | null {
  return parts.length >= 3 ? `${parts[1]}:${parts.slice(2).join("/")}` : null;
}

/** A task's address at the server. */
export function apiPathOf(ref: string): string {
  return `/api/tasks/${ref.split("/").map(encodeURIComponent).join("/")}`;
}

export function matches(task: Task, text: string): boolean {
  const inside = [task.title, task.id, task.status, task.list ?? "", ...task.labels].join(" ").toLowerCase();
  return text.toLowerCase().split(/\s+/u).every((word) => inside.includes(word));
}

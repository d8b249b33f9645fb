/** The queue as it is worked through: decided items stay in their places, changed ones are shown anew. */

import { useEffect, useState } from "preact/hooks";

import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import { nameOf, versionsOf, type Queue, type Waiting } from "./queue";

export interface Row {
  name: string;
  item: Waiting;
  /** The word for what happened to it, and what takes it back. */
  done?: { word: string; operation: string | null; at: number };
  /** It was changed while it was on the screen. */
  changed?: boolean;
}

const AT_ONCE = 200;

export function useQueue() {
  const params = { ...useProject(), limit: AT_ONCE };
  const reading = useRead<Queue>("/api/review", params);
  const [rows, setRows] = useState<Row[] | null>(null);
  const { data } = reading;
  useEffect(() => {
    if (data) setRows((before) => joined(before ?? [], data.items));
  }, [data]);
  const young = rows?.some(isYoung) ?? false;
  const { reload } = reading;
  useEffect(() => {
    if (!young) return;
    const timer = setTimeout(reload, YOUNG_MS); // whoever takes it back elsewhere is heard then
    return () => clearTimeout(timer);
  }, [young, data, reload]);
  const settle = (names: string[], word: string, operation: string | null) =>
    setRows((before) =>
      (before ?? []).map((row) => (names.includes(row.name) ? { ...row, done: { word, operation, at: Date.now() }, changed: false } : row)),
    );
  const reopen = (operation: string) =>
    setRows((before) =>
      (before ?? []).map((row) => (row.done?.operation === operation ? { name: row.name, item: row.item } : row)),
    );
  const seen = (name: string) =>
    setRows((before) => (before ?? []).map((row) => (row.name === name && row.changed ? { ...row, changed: false } : row)));
  return { reading, rows, settle, reopen, seen };
}

const YOUNG_MS = 1500;

function isYoung(row: Row): boolean {
  return row.done !== undefined && Date.now() - row.done.at < YOUNG_MS;
}

/** Keep the places of the rows; new items follow those of their kind. */
export function joined(before: Row[], items: Waiting[]): Row[] {
  const now = new Map(items.map((item) => [key(item), item]));
  const rows = before.map((row): Row => {
    const item = now.get(key(row.item));
    now.delete(key(row.item));
    if (!item) return row.done ? row : { ...row, done: { word: "no longer waiting", operation: null, at: 0 } };
    if (row.done && isYoung(row) && sameVersions(row.item, item)) return row; // it may be an answer to an earlier question
    return { name: row.name, item, changed: row.changed || !sameVersions(row.item, item) };
  });
  for (const item of now.values()) {
    const last = rows.map((row) => row.item.kind).lastIndexOf(item.kind);
    rows.splice(last < 0 ? rows.length : last + 1, 0, { name: nameOf(item), item });
  }
  return rows;
}

function key(item: Waiting): string {
  return `${item.kind} ${nameOf(item)}`;
}

function sameVersions(one: Waiting, other: Waiting): boolean {
  return JSON.stringify(versionsOf(one)) === JSON.stringify(versionsOf(other));
}

/** The place of the last decision that can be taken back. */
export function lastDone(rows: readonly Row[]): Row | null {
  const done = rows.filter((row) => row.done?.operation);
  return done.reduce<Row | null>((last, row) => (!last || row.done!.at >= last.done!.at ? row : last), null);
}

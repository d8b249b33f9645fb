/** The queue as it is worked through: decided items stay in their places, changed ones are shown anew. */

import { useEffect, useRef, useState } from "preact/hooks";

import { read } from "../core/api";
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
  const taken = useRef<readonly string[]>([]); // memories that this page takes back: their new versions are no news
  const { data } = reading;
  useEffect(() => {
    const own = taken.current;
    if (data) setRows((before) => joined(before ?? [], data.items, own));
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
  const reopen = (operation: string) => {
    const is = (row: Row) => row.done?.operation === operation;
    const own = (rows ?? []).filter(is).flatMap((row) => Object.keys(versionsOf(row.item)));
    taken.current = [...taken.current, ...own];
    setRows((before) => (before ?? []).map((row) => (is(row) ? { name: row.name, item: row.item } : row)));
    const end = () => (taken.current = taken.current.filter((id) => !own.includes(id)));
    const asked = read<Queue>("/api/review", params);
    asked.then(({ items }) => setRows((before) => joined(before ?? [], items, own)), () => {}).finally(end);
  };
  const seen = (name: string) =>
    setRows((before) => (before ?? []).map((row) => (row.name === name && row.changed ? { ...row, changed: false } : row)));
  return { reading, rows, settle, reopen, seen };
}

const YOUNG_MS = 1500;

function isYoung(row: Row): boolean {
  return row.done !== undefined && Date.now() - row.done.at < YOUNG_MS;
}

/** Keep the places of the rows; new items follow those of their kind. What is `own` is not marked as changed. */
export function joined(before: Row[], items: Waiting[], own: readonly string[] = []): Row[] {
  const now = new Map(items.map((item) => [key(item), item]));
  const rows = before.map((row): Row => {
    const item = now.get(key(row.item));
    now.delete(key(row.item));
    if (!item) return row.done ? row : { ...row, done: { word: "no longer waiting", operation: null, at: 0 } };
    if (row.done && isYoung(row) && sameVersions(row.item, item)) return row; // it may be an answer to an earlier question
    const news = !sameVersions(row.item, item) && !Object.keys(versionsOf(item)).some((id) => own.includes(id));
    return { name: row.name, item, changed: row.changed || news };
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

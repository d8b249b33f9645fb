/** A list that is read page by page and kept up to date at its newest end. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { apiAddress, Problem, read, type Params } from "./api";
import { onChange } from "./live";

export const PAGE = 40;
const MOST = 1000;

interface PageOf<Item> {
  items: Item[];
  next: string | null;
}

export interface Pages<Item> {
  items: Item[] | null;
  next: string | null;
  problem: Problem | null;
  more: () => void;
  reload: () => void;
}

/** Items are newest first whatever order the server answers in; `idle` reads nothing. */
export function usePages<Item extends { id: string; at: string }>(path: string, params: Params, idle: boolean): Pages<Item> {
  const url = apiAddress(path, params);
  const [items, setItems] = useState<Item[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const latest = useRef(0);
  const busy = useRef(false);
  const length = useRef(0);
  length.current = items?.length ?? 0;

  const fetchPage = useCallback(
    (more: Params, take: (page: PageOf<Item>) => void) => {
      const mine = latest.current;
      return read<PageOf<Item>>(path, { ...params, ...more }).then(
        (page) => mine === latest.current && (setProblem(null), take({ ...page, items: newestFirst(page.items) })),
        (failure: unknown) => {
          if (!(failure instanceof Problem)) throw failure;
          if (mine === latest.current) setProblem(failure);
        },
      );
    },
    [url],
  );

  const reload = useCallback(() => {
    if (idle) return;
    const all = length.current > PAGE ? { limit: Math.min(length.current, MOST) } : {}; // older ones change too
    void fetchPage(all, (page) => {
      setItems((before) => joinNewest(before, page.items));
      if (!length.current) setNext(page.next); // else the end was found already, or lies further back
    });
  }, [fetchPage, idle]);

  useEffect(() => {
    latest.current += 1;
    setItems(null);
    setNext(null);
    setProblem(null);
    if (!idle)
      void fetchPage({}, (page) => {
        setItems(page.items);
        setNext(page.next);
      });
    return () => {
      latest.current += 1;
    };
  }, [fetchPage, idle]);
  useEffect(() => onChange(reload), [reload]);

  const more = () => {
    if (!next || busy.current) return;
    busy.current = true;
    void fetchPage({ cursor: next, limit: PAGE }, (page) => {
      setItems((before) => [...(before ?? []), ...page.items]);
      setNext(page.next);
    }).finally(() => (busy.current = false));
  };
  return { items, next, problem, more, reload };
}

function newestFirst<Item extends { at: string }>(items: Item[]): Item[] {
  return items.length > 1 && items[0]!.at < items.at(-1)!.at ? [...items].reverse() : items;
}

/** Put a fresh first page before what was read, with the newer form of each item. */
export function joinNewest<Item extends { id: string }>(before: Item[] | null, fresh: Item[]): Item[] {
  const known = new Set(fresh.map((item) => item.id));
  return [...fresh, ...(before ?? []).filter((item) => !known.has(item.id))];
}

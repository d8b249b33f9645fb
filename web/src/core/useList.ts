/** A list that never jumps: rows change in place, and what is new waits to be asked for. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { apiAddress, Problem, read, type Params } from "./api";
import { onChange } from "./live";
import { undone } from "./toast";
import type { Reading } from "./useRead";

const PATIENCE_MS = 150;

interface Listed<Item> {
  items: Item[];
  next: string | null;
}

export interface Waiting {
  /** How many were created since the list was read. */
  fresh: number;
  /** How many older ones came into it, such as restored ones. */
  came: number;
}

const NOTHING: Waiting = { fresh: 0, came: 0 };

/** Bring the rows that are shown up to date, and count those that came; the next page still begins after them. */
export function merged<Item extends { id: string; created_at: string }, Body extends Listed<Item>>(
  shown: Body,
  now: Body,
  read: number,
): { shown: Body } & Waiting {
  const latest = new Map(now.items.map((each) => [each.id, each]));
  const known = new Set(shown.items.map((each) => each.id));
  const last = now.items.findLastIndex((each) => known.has(each.id)); // what follows it came from the next page
  const others = now.items.slice(0, shown.next && last >= 0 ? last : undefined).filter((each) => !known.has(each.id));
  const fresh = others.filter((each) => Date.parse(each.created_at) >= read).length;
  return {
    shown: { ...now, items: shown.items.map((each) => latest.get(each.id) ?? each), next: shown.next },
    fresh,
    came: others.length - fresh,
  };
}

/** What came since waits for `reload`. */
export interface ListReading<Body> extends Reading<Body>, Waiting {
  /** What is there belongs to an earlier question. */
  earlier: boolean;
}

export function useList<Item extends { id: string; created_at: string }, Body extends Listed<Item>>(path: string, params: Params): ListReading<Body> {
  const url = apiAddress(path, params);
  const [shown, setShown] = useState<{ url: string; body: Body; read: number } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [slow, setSlow] = useState(false);
  const [waiting, setWaiting] = useState(NOTHING);
  const latest = useRef(0);
  const replacing = useRef(true);

  const fetchList = useCallback(
    (replaces: boolean) => {
      const mine = (latest.current += 1);
      replacing.current ||= replaces; // also if a change comes before the answer
      const asked = Date.now();
      read<Body>(url).then(
        (body) => {
          if (mine !== latest.current) return; // a late answer to an earlier question
          setProblem(null);
          const replaced = replacing.current;
          replacing.current = false;
          setShown((before) => {
            const keeps = !replaced && before?.url === url && before.body.items.length > 0;
            const next = keeps ? merged<Item, Body>(before.body, body, before.read) : { shown: body, ...NOTHING };
            setWaiting(next);
            return { url, body: next.shown, read: keeps ? before.read : asked };
          });
        },
        (failure: unknown) => {
          if (mine !== latest.current) return;
          if (!(failure instanceof Problem)) throw failure;
          setProblem(failure);
        },
      );
    },
    [url],
  );

  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    fetchList(true);
    return () => {
      clearTimeout(timer);
      latest.current += 1;
    };
  }, [fetchList]);
  useEffect(() => onChange(() => fetchList(false)), [fetchList]);
  useEffect(() => undone.watch(() => fetchList(true)), [fetchList]);

  const earlier = shown !== null && shown.url !== url;
  return {
    data: shown?.body ?? null,
    problem,
    slow: slow && shown === null && problem === null,
    stale: earlier && slow,
    reload: () => fetchList(true),
    fresh: waiting.fresh,
    came: waiting.came,
    earlier,
  };
}

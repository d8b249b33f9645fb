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

/** Bring the rows that are shown up to date, and count those that came; the next page still begins after them. */
export function merged<Item extends { id: string }, Body extends Listed<Item>>(
  shown: Body,
  now: Body,
): { shown: Body; fresh: number } {
  const latest = new Map(now.items.map((each) => [each.id, each]));
  const known = new Set(shown.items.map((each) => each.id));
  const others = now.items.map((each) => !known.has(each.id));
  const last = others.lastIndexOf(false); // what follows it came from the next page
  const came = shown.next && last >= 0 ? others.slice(0, last) : others;
  return {
    shown: { ...now, items: shown.items.map((each) => latest.get(each.id) ?? each), next: shown.next },
    fresh: came.filter(Boolean).length,
  };
}

export interface ListReading<Body> extends Reading<Body> {
  /** How many came since; `reload` shows them. */
  fresh: number;
  /** What is there belongs to an earlier question. */
  earlier: boolean;
}

export function useList<Item extends { id: string }, Body extends Listed<Item>>(path: string, params: Params): ListReading<Body> {
  const url = apiAddress(path, params);
  const [shown, setShown] = useState<{ url: string; body: Body } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [slow, setSlow] = useState(false);
  const [fresh, setFresh] = useState(0);
  const latest = useRef(0);
  const replacing = useRef(true);

  const fetchList = useCallback(
    (replaces: boolean) => {
      const mine = (latest.current += 1);
      replacing.current ||= replaces; // also if a change comes before the answer
      read<Body>(url).then(
        (body) => {
          if (mine !== latest.current) return; // a late answer to an earlier question
          setProblem(null);
          const replaced = replacing.current;
          replacing.current = false;
          setShown((before) => {
            const keeps = !replaced && before?.url === url && before.body.items.length > 0;
            const next = keeps ? merged<Item, Body>(before.body, body) : { shown: body, fresh: 0 };
            setFresh(next.fresh);
            return { url, body: next.shown };
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
    fresh,
    earlier,
  };
}

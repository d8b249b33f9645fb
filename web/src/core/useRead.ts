/** Data of a view: read, kept while it is read again, brought up to date when the store changes. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { apiAddress, Problem, read, type Params } from "./api";
import { onChange } from "./live";

const PATIENCE_MS = 150;

export interface Reading<Body> {
  data: Body | null;
  problem: Problem | null;
  /** Nothing is there yet, and a moment has passed. */
  slow: boolean;
  /** What is there belongs to an earlier question, and has for a moment. */
  stale: boolean;
  reload: () => void;
}

export interface ReadOptions {
  /** Read again when the store changes; default true. A list that must not jump says false and asks itself. */
  live?: boolean;
  /** Do not read at all for now. */
  idle?: boolean;
}

export function useRead<Body>(path: string, params: Params = {}, { live = true, idle = false }: ReadOptions = {}): Reading<Body> & { earlier: boolean } {
  const url = apiAddress(path, params);
  const [shown, setShown] = useState<{ url: string; data: Body } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [slow, setSlow] = useState(false);
  const latest = useRef(0);

  const reload = useCallback(() => {
    if (idle) return;
    const mine = (latest.current += 1);
    read<Body>(url).then(
      (data) => {
        if (mine !== latest.current) return; // a late answer to an earlier question
        setShown({ url, data });
        setProblem(null);
      },
      (failure: unknown) => {
        if (mine !== latest.current) return;
        if (!(failure instanceof Problem)) throw failure;
        setProblem(failure);
      },
    );
  }, [url, idle]);

  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    reload();
    return () => {
      clearTimeout(timer);
      latest.current += 1;
    };
  }, [reload]);

  useEffect(() => (live ? onChange(reload) : undefined), [live, reload]);

  const earlier = shown !== null && shown.url !== url;
  return {
    data: shown?.data ?? null,
    problem,
    slow: slow && shown === null && problem === null,
    earlier,
    stale: earlier && slow,
    reload,
  };
}

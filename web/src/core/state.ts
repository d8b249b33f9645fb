/** A value that components watch. */

import { useEffect, useReducer } from "preact/hooks";

export interface State<Value> {
  get(): Value;
  set(value: Value): void;
  watch(watcher: () => void): () => void;
}

export function state<Value>(initial: Value): State<Value> {
  let current = initial;
  const watchers = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const each of [...watchers]) each();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

/** Return the value, and render again when it changes. */
export function useValue<Value>(source: State<Value>): Value {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => source.watch(() => again(undefined as never)), [source]);
  return source.get();
}

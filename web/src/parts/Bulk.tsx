/** What can be done with the selected memories at once, each as one operation. */

import { useState } from "preact/hooks";

import { write } from "../core/api";
import { act } from "../core/toast";
import type { Memory } from "../model/memory";
import { count } from "../model/time";

interface BulkProps {
  ids: string[];
  memories: Memory[];
  /** The number of memories on this page, and selecting them all. */
  here: number;
  all: () => void;
  done: () => void;
}

export function Bulk({ ids, memories, here, all, done }: BulkProps) {
  const [tag, setTag] = useState<string | null>(null);
  const many = `${count(ids.length)} ${ids.length === 1 ? "memory" : "memories"}`;
  const run = async (path: string, body: object, said: string) => {
    if (await act(() => write("POST", path, body), said)) done();
  };
  const archived = memories.filter((each) => each.status === "archived").map((each) => each.id);
  const live = memories.filter((each) => each.status === "active").map((each) => each.id);
  return (
    <div class="bulk" role="group" aria-label="Selected memories">
      <b>{many} selected</b>
      {tag === null ? (
        <>
          <button type="button" class="button" disabled={!ids.length} onClick={() => setTag("")}>
            Tag…
          </button>
          <button
            type="button"
            class="button"
            disabled={!live.length}
            onClick={() => void run("/api/memories/archive", { memory_ids: live }, `Archived ${count(live.length)}`)}
          >
            Archive
          </button>
          {archived.length > 0 && (
            <button
              type="button"
              class="button"
              onClick={() => void run("/api/memories/restore", { memory_ids: archived }, `Restored ${count(archived.length)}`)}
            >
              Restore
            </button>
          )}
          {ids.length < here && (
            <button type="button" class="text-button" onClick={all}>
              Select all {count(here)} on this page
            </button>
          )}
          <button type="button" class="text-button" onClick={done}>
            {ids.length ? "Clear selection" : "Cancel"}
          </button>
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run("/api/memories/tag", { memory_ids: ids, words: [tag] }, `Tagged ${many}`);
          }}
        >
          <input
            class="field"
            ref={(element) => element?.focus()}
            aria-label="Tag, or several with commas"
            placeholder="tag"
            value={tag}
            onInput={(event) => setTag(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), setTag(null))}
          />
          <button class="button primary" disabled={!tag.trim()}>
            Tag {many}
          </button>
          <button type="button" class="text-button" onClick={() => setTag(null)}>
            Cancel
          </button>
        </form>
      )}
    </div>
  );
}

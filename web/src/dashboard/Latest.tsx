/** The latest memories; new ones wait until they are asked for, so that nothing moves under the pointer. */

import { useEffect, useState } from "preact/hooks";

import { onChange } from "../core/live";
import { address } from "../core/router";
import { read, type Params } from "../core/api";
import { familyOf } from "../model/families";
import type { MemoryPage } from "../model/memory";
import { age, count, fullTime } from "../model/time";
import { Shape } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import type { Reading } from "../core/useRead";
import { Shown } from "../parts/states";

export const LATEST = { sort: "created", limit: 8 } as const;

export function Latest({ reading, project }: { reading: Reading<MemoryPage>; project: Params }) {
  const fresh = useNewer(reading, project);
  return (
    <>
      {fresh > 0 && (
        <button type="button" class="fresh" onClick={reading.reload}>
          {fresh > LATEST.limit ? `more than ${LATEST.limit} new` : `${count(fresh)} new`}
        </button>
      )}
      <Shown reading={reading} lines={4}>
        {(page) => (
          <ul class="latest">
            {page.items.map((memory) => (
              <li key={memory.id}>
                <a href={address(`/memories/${memory.id}`)}>
                  <Shape family={familyOf(memory.category)} />
                  <span class="hidden-text">{memory.category.replaceAll("_", " ")}: </span>
                  <span class="ellipsis one-line">
                    <MemoryText text={memory.content} line />
                  </span>
                  <time class="muted" dateTime={memory.created_at} title={fullTime(memory.created_at)}>
                    {age(memory.created_at)}
                  </time>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </>
  );
}

/** Count what was stored after the list on screen was read. */
function useNewer(reading: Reading<MemoryPage>, project: Params): number {
  const [newer, setNewer] = useState(0);
  const shown = reading.data;
  const key = JSON.stringify(project);
  useEffect(() => {
    setNewer(0);
    if (!shown) return;
    let current = true;
    const known = new Set(shown.items.map((each) => each.id));
    const first = shown.items[0]?.created_at ?? "";
    const look = () =>
      read<MemoryPage>("/api/memories", { ...project, ...LATEST, limit: LATEST.limit + 1 }).then(
        (page) => current && setNewer(page.items.filter((each) => !known.has(each.id) && each.created_at > first).length),
        () => undefined, // the frame says that the server is gone
      );
    const stop = onChange(() => void look());
    return () => {
      current = false;
      stop();
    };
  }, [shown, key]);
  return newer;
}

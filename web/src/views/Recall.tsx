/** A recall as it was: the question, and what was given. */

import { address } from "../core/router";
import { useRead } from "../core/useRead";
import type { ViewProps } from "../frame/views";
import type { Memory, Recall } from "../model/memory";
import { fullTime } from "../model/time";
import { Category } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import { Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

export default function RecallView({ route }: ViewProps) {
  const path = `/api/recalls/${encodeURIComponent(route.parts[1] ?? "")}`;
  const recall = useRead<Recall & { hits: (Memory & { score: number })[] }>(path, {}, { live: false });
  return (
    <ViewPage title="Recall" command={`mem last ${route.parts[1] ?? ""}`} json={path}>
      <Shown reading={recall}>
        {(given) => (
          <>
            <p class="section">
              <MemoryText text={given.query} /> <span class="muted">{fullTime(given.at)}</span>
            </p>
            <ol>
              {given.hits.map((hit) => (
                <li key={hit.id}>
                  <Category name={hit.category} />{" "}
                  <a href={address(`/memories/${hit.id}`)}>
                    <MemoryText text={hit.content} />
                  </a>{" "}
                  <span class="muted">{hit.score.toFixed(2)}</span>
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
    </ViewPage>
  );
}

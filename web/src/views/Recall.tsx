/** A recall as it was: the question, and what was given. */

import { address } from "../core/router";
import { useRead } from "../core/useRead";
import type { ViewProps } from "../frame/views";
import { categoryWords } from "../model/families";
import type { Memory, Recall } from "../model/memory";
import { fullTime } from "../model/time";
import { MemoryText } from "../parts/MemoryText";
import { Part } from "../parts/Part";
import { Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import { PlainHits } from "../search/SideBySide";

export default function RecallView({ route }: ViewProps) {
  const path = `/api/recalls/${encodeURIComponent(route.parts[1] ?? "")}`;
  const recall = useRead<Recall & { hits: (Memory & { score: number })[] }>(path, {}, { live: false });
  return (
    <ViewPage title="Recall" command={`mem last ${route.parts[1] ?? ""}`} json={path}>
      <Shown reading={recall}>
        {(given) => (
          <div class="health">
            <p class="verdict">
              <MemoryText text={given.query || "What an agent is told first"} />
            </p>
            <Part title="Given" about={`to ${given.writer}, ${fullTime(given.at)}`} aside={given.query && <a href={address("/search", { q: given.query })}>Ask it now</a>}>
              {given.hits.length ? <PlainHits hits={given.hits} last={({ category }) => categoryWords(category)} /> : <p class="muted">Nothing was known.</p>}
            </Part>
          </div>
        )}
      </Shown>
    </ViewPage>
  );
}

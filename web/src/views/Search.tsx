/** Search, explained. */

import { useState } from "preact/hooks";

import { apiAddress } from "../core/api";
import { address, setQuery } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import type { Memory } from "../model/memory";
import { Category } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import { Empty, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

interface Found {
  mode: string;
  ranker: string;
  hits: (Memory & { score: number; match: number })[];
}

export default function Search({ route }: ViewProps) {
  const q = route.query.get("q") ?? "";
  const [text, setText] = useState(q);
  const params = { ...useProject(), q, explain: true, peek: true };
  const found = useRead<Found>("/api/search", params, { idle: !q });
  return (
    <ViewPage title="Search" command={`mem search ${JSON.stringify(q)}`} json={q ? apiAddress("/api/search", params) : undefined}>
      <form
        class="section"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ q: text });
        }}
      >
        <label>
          <span class="hidden-text">Question</span>
          <input data-filter class="field" value={text} onInput={(event) => setText(event.currentTarget.value)} placeholder="A question, as an agent would ask it" />
        </label>
      </form>
      {!q ? (
        <Empty title="Ask what an agent would ask">
          <p>The page shows what would be given, in which order, and why.</p>
        </Empty>
      ) : (
        <Shown reading={found}>
          {({ hits }) => (
            <ol>
              {hits.map((hit) => (
                <li key={hit.id} class="section">
                  <Category name={hit.category} /> <a href={address(`/memories/${hit.id}`)}>open</a>
                  <div>
                    <MemoryText text={hit.content} />
                  </div>
                  <span class="muted">
                    score {hit.score.toFixed(2)}, match {hit.match.toFixed(2)}
                  </span>
                </li>
              ))}
            </ol>
          )}
        </Shown>
      )}
    </ViewPage>
  );
}

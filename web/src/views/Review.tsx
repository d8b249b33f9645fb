/** What waits for a person's decision. */

import { apiAddress } from "../core/api";
import { address } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import type { Memory, Page } from "../model/memory";
import { Category } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import { Empty, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

interface Waiting {
  kind: string;
  reason: string;
  memory: Memory;
  offers: string[];
}

export default function Review(_: ViewProps) {
  const params = useProject();
  const queue = useRead<Page<Waiting>>("/api/review", params);
  return (
    <ViewPage title="Review" command="mem review" json={apiAddress("/api/review", params)}>
      <Shown reading={queue}>
        {({ items }) =>
          items.length ? (
            <ul>
              {items.map((each) => (
                <li key={each.memory.id + each.kind} class="section">
                  <Category name={each.memory.category} /> <span class="muted">{each.reason}</span>
                  <div>
                    <a href={address(`/memories/${each.memory.id}`)}>
                      <MemoryText text={each.memory.content} />
                    </a>
                  </div>
                </li>
              ))}
            </ul>
          ) : (
            <Empty title="Nothing waits for you" command="mem review">
              <p>Doubtful memories, contradictions and proposals appear here.</p>
            </Empty>
          )
        }
      </Shown>
    </ViewPage>
  );
}

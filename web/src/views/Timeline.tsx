/** Events of agents' sessions, newest first. */

import { apiAddress } from "../core/api";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { fullTime } from "../model/time";
import { MemoryText } from "../parts/MemoryText";
import { Empty, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

interface Event {
  id: string;
  at?: string;
  created_at?: string;
  kind?: string;
  content: string;
}

export default function Timeline(_: ViewProps) {
  const params = useProject();
  const events = useRead<{ items: Event[] }>("/api/timeline", params);
  return (
    <ViewPage title="Timeline" command="mem timeline" json={apiAddress("/api/timeline", params)}>
      <Shown reading={events}>
        {({ items }) =>
          items.length ? (
            <ul>
              {items.map((each) => (
                <li key={each.id}>
                  <span class="muted">{fullTime(each.at ?? each.created_at ?? "")}</span> {each.kind}{" "}
                  <MemoryText text={each.content} />
                </li>
              ))}
            </ul>
          ) : (
            <Empty title="Nothing happened yet" command='mem episode "tests pass again"'>
              <p>Events that agents record in their sessions appear here.</p>
            </Empty>
          )
        }
      </Shown>
    </ViewPage>
  );
}

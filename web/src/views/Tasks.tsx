/** Tasks of the project, with their memories. */

import { apiAddress } from "../core/api";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { Plain } from "../parts/MemoryText";
import { Empty, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

interface Task {
  ref: string;
  source: string;
  title: string;
  status: string;
}

export default function Tasks(_: ViewProps) {
  const params = useProject();
  const tasks = useRead<{ items: Task[] }>("/api/tasks", params);
  return (
    <ViewPage title="Tasks" command="mem tasks" json={apiAddress("/api/tasks", params)}>
      <Shown reading={tasks}>
        {({ items }) =>
          items.length ? (
            <ul>
              {items.map((each) => (
                <li key={each.ref}>
                  <span class="badge">{each.source}</span> <Plain text={each.title} /> <span class="muted">{each.status}</span>
                </li>
              ))}
            </ul>
          ) : (
            <Empty title="No tasks here" command="mem tasks">
              <p>Tasks of Beads and of Claude Code appear here, with the memories that belong to them.</p>
            </Empty>
          )
        }
      </Shown>
    </ViewPage>
  );
}

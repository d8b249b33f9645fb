/** The memories, as a list. */

import { apiAddress } from "../core/api";
import { address } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import type { MemoryPage } from "../model/memory";
import { Category } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import { Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

export default function Memories(_: ViewProps) {
  const params = { ...useProject(), limit: 50 };
  const page = useRead<MemoryPage>("/api/memories", params);
  return (
    <ViewPage title="Memories" command="mem list" json={apiAddress("/api/memories", params)}>
      <Shown reading={page}>
        {({ items }) => (
          <ul>
            {items.map((memory) => (
              <li key={memory.id} class="ellipsis one-line">
                <Category name={memory.category} />{" "}
                <a href={address(`/memories/${memory.id}`)}>
                  <MemoryText text={memory.content} line />
                </a>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </ViewPage>
  );
}

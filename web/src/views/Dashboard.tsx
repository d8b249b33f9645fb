/** What is stored: totals, categories by family, and the latest memories. */

import { inProject, apiAddress } from "../core/api";
import { address } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { categoryWords, FAMILIES } from "../model/families";
import type { MemoryPage, Stats } from "../model/memory";
import { age, count, signed } from "../model/time";
import { Category, Shape } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import { Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

export default function Dashboard(_: ViewProps) {
  const project = useProject();
  const stats = useRead<Stats>("/api/stats", project);
  const latest = useRead<MemoryPage>("/api/memories", { ...project, sort: "created", limit: 8 });
  return (
    <ViewPage title="Dashboard" command="mem stats" json={apiAddress("/api/stats", inProject())}>
      <Shown reading={stats}>
        {(totals) => (
          <>
            <p class="section">
              {count(totals.total)} memories: {count(totals.active)} active, {count(totals.staged)} staged,{" "}
              {count(totals.archived)} archived. Average outcome {signed(totals.average_outcome)}.
            </p>
            <section class="section">
              <h2 class="heading">What it knows</h2>
              {FAMILIES.map((family) => (
                <div key={family.name}>
                  <a class="category" href={address("/memories", { q: `is:active family:${family.name}` })}>
                    <Shape family={family.name} /> {family.title} {count(totals.by_family[family.name] ?? 0)}
                  </a>{" "}
                  <span class="muted">
                    {family.categories
                      .filter((each) => totals.by_category[each])
                      .map((each) => `${categoryWords(each)} ${totals.by_category[each]}`)
                      .join(", ")}
                  </span>
                </div>
              ))}
            </section>
          </>
        )}
      </Shown>
      <section class="section">
        <h2 class="heading">Latest</h2>
        <Shown reading={latest}>
          {(page) => (
            <ul>
              {page.items.map((memory) => (
                <li key={memory.id} class="ellipsis one-line">
                  <Category name={memory.category} />{" "}
                  <a href={address(`/memories/${memory.id}`)}>
                    <MemoryText text={memory.content} line />
                  </a>{" "}
                  <span class="muted">{age(memory.created_at)}</span>
                </li>
              ))}
            </ul>
          )}
        </Shown>
      </section>
    </ViewPage>
  );
}

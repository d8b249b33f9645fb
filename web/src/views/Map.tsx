/** The memories as a picture: near means alike. */

import { address } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { FAMILIES } from "../model/families";
import type { Stats } from "../model/memory";
import { count } from "../model/time";
import { Shape } from "../parts/Category";
import { Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

export default function MapView(_: ViewProps) {
  const stats = useRead<Stats>("/api/stats", useProject());
  return (
    <ViewPage title="Map">
      <Shown reading={stats}>
        {(totals) => (
          <ul>
            {FAMILIES.map((family) => (
              <li key={family.name}>
                <a class="category" href={address("/memories", { q: `family:${family.name}` })}>
                  <Shape family={family.name} /> {family.title} {count(totals.by_family[family.name] ?? 0)}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </ViewPage>
  );
}

/** The checks of the store. */

import { useRead } from "../core/useRead";
import type { ViewProps } from "../frame/views";
import { Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

interface Health {
  ok: boolean;
  checks: Record<string, unknown>[];
}

export default function HealthView(_: ViewProps) {
  const health = useRead<Health>("/api/health", {}, { live: false });
  return (
    <ViewPage title="Health" command="mem doctor" json="/api/health">
      <Shown reading={health}>
        {({ ok, checks }) => (
          <>
            <p class="section">{ok ? "The store is in order." : "Something is wrong with the store."}</p>
            <ul>
              {checks.map((each, index) => (
                <li key={index}>
                  {String(each["name"] ?? "")} <span class="muted">{String(each["detail"] ?? each["says"] ?? "")}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
    </ViewPage>
  );
}

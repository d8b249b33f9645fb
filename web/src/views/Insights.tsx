/** Whether reports improve what agents are given. */

import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import type { Stats } from "../model/memory";
import { count, signed } from "../model/time";
import { Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

export default function Insights(_: ViewProps) {
  const stats = useRead<Stats>("/api/stats", useProject());
  return (
    <ViewPage title="Insights" command="mem stats">
      <Shown reading={stats}>
        {(totals) => (
          <p>
            Average outcome {signed(totals.average_outcome)}: {count(totals.outcomes.high)} memories with a good record,{" "}
            {count(totals.outcomes.neutral)} neutral, {count(totals.outcomes.low)} with a bad one.
          </p>
        )}
      </Shown>
    </ViewPage>
  );
}

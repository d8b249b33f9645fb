/** Reports of each week as bars. */

import { address } from "../core/router";
import { count } from "../model/time";
import { dayWords, sharePercent, sumOf, totalOf } from "../model/weeks";
import { Bars } from "../parts/charts";
import { Numbers, Part } from "../parts/Part";
import type { Weekly } from "./figures";

const HEIGHT = 228;

export function Learning({ weekly }: { weekly: Weekly }) {
  const { items } = weekly;
  const some = totalOf(sumOf(items)) > 0;
  return (
    <Part
      title="Is it learning?"
      about="reports each week"
      aside={<a href={address("/insights")}>Insights</a>}
      numbers={
        some && (
          <Numbers
            heads={["Week of", "worked", "partly", "failed", "added", "archived", "given"]}
            rows={[...items].reverse().map((each) => [dayWords(each.week), each.worked, each.partial, each.failed, each.added, each.archived, each.given])}
          />
        )
      }
    >
      {some ? (
        <Bars weeks={items} height={HEIGHT} label={inWords(weekly)} />
      ) : (
        <p class="secondary quiet">
          No reports in {items.length} weeks. After a task, agents report what helped by{" "}
          <code>mem outcome ID worked</code>; then each week stands here.
        </p>
      )}
    </Part>
  );
}

/** Say the chart in a sentence. */
function inWords({ items, before }: Weekly): string {
  const sum = sumOf(items);
  const share = sharePercent(before);
  const last = items.at(-1);
  return (
    `Of ${count(totalOf(sum))} reports in ${items.length} weeks ${sharePercent(sum)} % worked` +
    (share === null ? "." : `, ${share} % in the weeks before.`) +
    (last ? ` This week so far: ${last.worked} worked, ${last.partial} partly, ${last.failed} failed.` : "")
  );
}

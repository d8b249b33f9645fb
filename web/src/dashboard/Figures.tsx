/** Four figures: how much there is, how it fared, what worked lately, and what waits. */

import { address } from "../core/router";
import type { Overview, Stats } from "../model/memory";
import { count, signed } from "../model/time";
import { sharePercent, sumOf, totalOf } from "../model/weeks";
import type { Weekly } from "./figures";

const KINDS: Record<string, string> = {
  held: "held back",
  proposed: "proposed",
  question: "nearly the same",
  conflict: "contradict",
  similar: "alike",
  drifted: "drifted",
  failing: "failing",
  doubtful: "doubtful",
  expired: "expired",
};

export function Figures({ stats, overview, weekly }: { stats: Stats; overview: Overview | null; weekly: Weekly | null }) {
  return (
    <dl class="figures">
      <Total stats={stats} />
      <Average stats={stats} />
      <Worked weekly={weekly} />
      <Waiting overview={overview} />
    </dl>
  );
}

function Total({ stats }: { stats: Stats }) {
  const used = stats.given_out ?? stats.active;
  const parts = [
    ["active", used],
    ["outdated", stats.active - used],
    ["staged", stats.staged],
    ["archived", stats.archived],
  ] as const;
  return (
    <div class="figure wide">
      <dt>
        <b>{count(stats.total)}</b> {stats.total === 1 ? "memory" : "memories"}
      </dt>
      <dd>
        <div class="share-bar" aria-hidden="true">
          {parts.map(([name, n]) => n > 0 && <i key={name} class={name} style={{ flexGrow: n }} />)}
        </div>
        <ul class="share-words">
          {parts.map(([name, n]) =>
            name !== "outdated" ? (
              <li key={name}>
                <a href={address("/memories", { q: `is:${name}` })}>
                  <i class={`key ${name}`} aria-hidden="true" />
                  {count(n)} {name}
                </a>
              </li>
            ) : (
              n > 0 && <li key={name} title="active, but replaced by another or expired, so not used">{count(n)} {name}</li>
            ),
          )}
        </ul>
      </dd>
    </div>
  );
}

function Average({ stats }: { stats: Stats }) {
  const score = stats.average_outcome;
  const from = Math.min(0, score);
  return (
    <div class="figure">
      <dt>
        <b>{signed(score)}</b> average outcome
      </dt>
      <dd>
        <div class="scale-bar" aria-hidden="true">
          <i
            class={score < 0 ? "failed" : "worked"}
            style={{ left: `${50 + 50 * from}%`, width: `${50 * Math.abs(score)}%` }}
          />
        </div>
        <div class="scale-words muted" aria-hidden="true">
          <span>−1</span>
          <span>0</span>
          <span>+1</span>
        </div>
        <span class="hidden-text">on a scale from −1 to +1, over the active memories</span>
      </dd>
    </div>
  );
}

function Worked({ weekly }: { weekly: Weekly | null }) {
  const sum = weekly && sumOf(weekly.items);
  const share = sum && sharePercent(sum);
  const before = weekly && sharePercent(weekly.before);
  const weeks = weekly?.items.length ?? 0;
  return (
    <div class="figure">
      <dt>
        <b>{share === null ? "–" : `${share} %`}</b> worked
      </dt>
      <dd class="muted">
        {sum && totalOf(sum) ? `of ${count(totalOf(sum))} reports in ${weeks} weeks` : `no reports in ${weeks || 12} weeks`}
        <br />
        {before !== null ? `${before} % in the ${weeks} weeks before` : share !== null && `${count(sum!.partial)} partly, ${count(sum!.failed)} failed`}
      </dd>
    </div>
  );
}

function Waiting({ overview }: { overview: Overview | null }) {
  const kinds = Object.entries(overview?.waiting ?? {})
    .filter(([, n]) => n > 0)
    .sort(([, one], [, other]) => other - one);
  const all = kinds.reduce((sum, [, n]) => sum + n, 0);
  const [first, second, ...rest] = kinds;
  const more = rest.reduce((sum, [, n]) => sum + n, 0);
  return (
    <div class="figure">
      <dt>
        <b>{overview ? count(all) : "–"}</b> {all === 1 ? "waits for you" : "wait for you"}
      </dt>
      <dd class="muted">
        {all ? (
          <>
            {[first, second].flatMap((each) => (each ? [`${count(each[1])} ${KINDS[each[0]] ?? each[0].replaceAll("_", " ")}`] : [])).join(", ")}
            {more > 0 && `, ${count(more)} more`}
            <br />
            <a href={address("/review")}>Review them</a>
          </>
        ) : (
          overview && "nothing to decide"
        )}
      </dd>
    </div>
  );
}

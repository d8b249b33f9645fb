/** The reports about a memory, newest first. */

import { useState } from "preact/hooks";

import { address } from "../core/router";
import type { Report } from "../model/memory";
import { age, count, fullTime } from "../model/time";
import { Plain } from "./MemoryText";
import { Section } from "./Section";
import { Tick } from "./Tally";

const FIRST = 6;
const WORDS = { worked: "worked", partial: "partly", failed: "failed" } as const;

export function Evidence({ outcomes }: { outcomes: Report[] }) {
  const [all, setAll] = useState(false);
  const sorted = [...outcomes].sort((one, other) => other.at.localeCompare(one.at));
  const shown = all ? sorted : sorted.slice(0, FIRST);
  return (
    <Section id="evidence" title="Evidence" note={outcomes.length ? `${count(outcomes.length)} ${outcomes.length === 1 ? "report" : "reports"}` : undefined}>
      {!outcomes.length && <p class="muted">Nobody has reported on it yet.</p>}
      <ul>
        {shown.map((each, index) => (
          <li key={each.id}>
            {each.query && each.query !== shown[index - 1]?.query && (
              <p class="small muted">
                for{" "}
                <a href={address("/search", { q: each.query })}>
                  “<Plain text={each.query} />”
                </a>
              </p>
            )}
            <div class="report">
              <Tick result={each.result} />
              <span>
                {each.evidence ? <Plain text={each.evidence} /> : WORDS[each.result]}{" "}
                <span class="small muted">
                  by <Plain text={each.writer} />
                  {each.counted ? "" : ", not counted"}
                </span>
              </span>
              <time class="small muted" dateTime={each.at} title={fullTime(each.at)}>
                {each.recall ? (
                  <a href={address(`/recalls/${each.recall}`)} title={`${fullTime(each.at)}: what was given then`}>
                    {age(each.at)}
                  </a>
                ) : (
                  age(each.at)
                )}
              </time>
            </div>
          </li>
        ))}
      </ul>
      {sorted.length > FIRST && (
        <button type="button" class="text-button small" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${count(sorted.length)}`}
        </button>
      )}
    </Section>
  );
}

/** The recalls in which agents were given a memory. */

import { address } from "../core/router";
import { usePages } from "../core/usePages";
import type { Memory, Recall } from "../model/memory";
import { age, count, fullTime } from "../model/time";
import { Plain } from "./MemoryText";
import { Section } from "./Section";
import { Failed } from "./states";

const SHOWN = 10;

export function Given({ memory }: { memory: Memory }) {
  const given = usePages<Recall>("/api/recalls", { memory_id: memory.id, limit: SHOWN }, !memory.recall_count);
  if (!memory.recall_count) return null;
  return (
    <Section id="given" title="Given" note={`${count(memory.recall_count)} ${memory.recall_count === 1 ? "time" : "times"}`}>
      <ul>
        {given.items?.map((each) => (
          <li key={each.id} class="report given-row">
            <a href={address(`/recalls/${each.id}`, { memory: memory.id })} class="ellipsis">
              {each.query ? <Plain text={each.query} /> : "what an agent is told first"}
            </a>
            <span class="small secondary ellipsis">
              <Plain text={each.writer} />
            </span>
            <time class="small muted" dateTime={each.at} title={fullTime(each.at)}>
              {age(each.at)}
            </time>
          </li>
        ))}
      </ul>
      {given.problem && given.problem.code !== "server_gone" && <Failed problem={given.problem} retry={given.items ? given.more : given.reload} />}
      {given.next && (
        <button type="button" class="text-button" onClick={given.more}>
          Show earlier
        </button>
      )}
    </Section>
  );
}

/** Whether the store and the agents' connections are in order, and the command that repairs each. */

import { useRead } from "../core/useRead";
import type { ViewProps } from "../frame/views";
import { count } from "../model/time";
import { Ticked } from "../parts/MemoryText";
import { Command, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import "../health/health.css";

interface Check {
  name: string;
  state: "ok" | "notice" | "problem" | "repaired" | "cannot_repair" | "not_checked";
  found: number;
  detail: string;
  fix: string | null;
}

interface Agent {
  agent: string;
  title: string;
  present: boolean;
  state: "missing" | "stale" | "current" | "untrusted" | "broken";
  through: string | null;
  problem: string | null;
  fix: string | null;
}

interface Health {
  ok: boolean;
  checks: Check[];
  agents: Agent[];
}

const CHECK_WORDS: Record<Check["state"], string> = {
  ok: "fine",
  notice: "worth knowing",
  problem: "problem",
  repaired: "repaired",
  cannot_repair: "cannot be repaired",
  not_checked: "not checked",
};
const AGENT_WORDS: Record<Agent["state"], string> = {
  missing: "not connected",
  stale: "out of date",
  current: "connected",
  untrusted: "waits for trust",
  broken: "cannot be read",
};

export default function HealthView(_: ViewProps) {
  const health = useRead<Health>("/api/health", {}, { live: false });
  return (
    <ViewPage
      title="Health"
      command="mem doctor"
      json="/api/health"
      controls={
        <button type="button" class="text-button" onClick={health.reload}>
          Check again
        </button>
      }
    >
      <Shown reading={health} lines={12}>
        {(found) => (
          <div class="health">
            <p class="verdict">{verdict(found)}</p>
            <section class="section" aria-labelledby="agents">
              <h2 class="heading" id="agents">
                Agents and their hooks
              </h2>
              {found.agents.length ? (
                <table class="lines">
                  <tbody>
                    {found.agents.map((each) => (
                      <tr key={each.agent}>
                        <th scope="row">{each.title}</th>
                        <td>
                          <State word={AGENT_WORDS[each.state]} tone={each.state === "current" ? "fine" : each.state === "missing" ? "note" : "wrong"} />
                        </td>
                        <td>
                          {each.through && `through ${each.through} `}
                          {each.problem}
                          <Fix text={each.fix && `\`${each.fix}\``} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              ) : (
                <>
                  <p class="secondary">No agent was found on this machine. This lists those that can be connected:</p>
                  <Command text="mem install" />
                </>
              )}
            </section>
            <section class="section" aria-labelledby="store-checks">
              <h2 class="heading" id="store-checks">
                The store <span class="aside">{count(found.checks.length)} checks</span>
              </h2>
              <table class="lines">
                <tbody>
                  {worstFirst(found.checks).map((each) => (
                    <tr key={each.name}>
                      <th scope="row">{each.name.replaceAll("_", " ")}</th>
                      <td>
                        <State word={CHECK_WORDS[each.state]} tone={toneOf(each.state)} />
                      </td>
                      <td>
                        <p>
                          <Ticked text={each.detail} />
                        </p>
                        <Fix text={each.fix} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </div>
        )}
      </Shown>
    </ViewPage>
  );
}

type Tone = "fine" | "note" | "wrong";

function toneOf(state: Check["state"]): Tone {
  if (state === "ok" || state === "repaired") return "fine";
  return state === "problem" || state === "cannot_repair" ? "wrong" : "note";
}

const ORDER: Tone[] = ["wrong", "note", "fine"];

function worstFirst(checks: Check[]): Check[] {
  return [...checks].sort((one, other) => ORDER.indexOf(toneOf(one.state)) - ORDER.indexOf(toneOf(other.state)));
}

/** Say it in one sentence. */
function verdict({ ok, checks, agents }: Health): string {
  const wrong = checks.filter((each) => toneOf(each.state) === "wrong").length;
  const notes = checks.filter((each) => toneOf(each.state) === "note").length;
  const open = agents.filter((each) => each.state !== "current").length;
  const store = wrong ? `${count(wrong)} of ${count(checks.length)} checks found a problem` : ok ? "The store is in order" : "The store cannot be opened";
  const parts = [store, notes ? `${count(notes)} worth knowing` : "", open ? `${count(open)} ${open === 1 ? "agent is" : "agents are"} not connected` : ""];
  return `${parts.filter(Boolean).join(", ")}.`;
}

function State({ word, tone }: { word: string; tone: Tone }) {
  return (
    <span class={`state ${tone}`}>
      <i aria-hidden="true" />
      {word}
    </span>
  );
}

/** A repair: commands in it can be copied. */
function Fix({ text }: { text: string | null }) {
  if (!text) return null;
  const commands = [...text.matchAll(/`([^`]+)`/gu)].map((found) => found[1]!);
  if (!commands.length) return <p class="secondary">{text}</p>;
  return (
    <div class="fix">
      {text !== `\`${commands[0]}\`` && <p class="secondary">{text.replaceAll("`", "")}</p>}
      {commands.map((each) => (
        <Command key={each} text={each} />
      ))}
    </div>
  );
}

/** The history of a memory: what each version changed, and going back to one. */

import { useState } from "preact/hooks";

import { write } from "../core/api";
import { act } from "../core/toast";
import { useRead } from "../core/useRead";
import type { Citation, Difference, History, Memory, Version } from "../model/memory";
import { age, count, fullTime } from "../model/time";
import { actionWords } from "../model/timeline";
import { cut } from "../model/words";
import { pathOf } from "./Detail";
import { Diff, Plain } from "./MemoryText";
import { Section } from "./Section";
import { whereOf } from "./Source";
import { Failed } from "./states";

const FIRST = 4;
/** Fields that follow from others and say nothing to a reader. */
const QUIET = new Set(["content_hash", "updated_at", "version", "position", "session"]);

export function Versions({ memory, done }: { memory: Memory; done: () => void }) {
  const [all, setAll] = useState(false);
  const history = useRead<History>(`${pathOf(memory.id)}/history`, { limit: 50 });
  const versions = history.data?.versions ?? [];
  const shown = all ? versions : versions.slice(0, FIRST);
  const goBack = async (number: number) => {
    if (await act(() => write("POST", `${pathOf(memory.id)}/revert`, { to: number }), `Back to version ${number}`)) done();
  };
  return (
    <Section id="history" title="History" note={versions.length ? `${count(versions.length)}${history.data?.next ? "+" : ""} ${versions.length === 1 ? "version" : "versions"}` : undefined}>
      {history.problem && !history.data && <Failed problem={history.problem} retry={history.reload} />}
      <ol class="versions">
        {shown.map((version, index) => (
          <li key={version.number}>
            <span class="muted">{version.number}</span>
            <div>
              <Changes version={version} />
              <span class="small muted">
                {version.undoes ? "undone" : actionWords({ actions: { [version.action]: 1 } })} by <Plain text={version.writer} />,{" "}
                <time dateTime={version.at} title={fullTime(version.at)}>
                  {age(version.at)}
                </time>
                {!version.intact && <b class="negative"> does not fit the audit log</b>}
              </span>
            </div>
            {(index > 0 || version !== versions[0]) && (
              <button type="button" class="text-button small" onClick={() => void goBack(version.number)}>
                Go back
              </button>
            )}
          </li>
        ))}
      </ol>
      {versions.length > FIRST && (
        <button type="button" class="text-button small" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${count(versions.length)}`}
        </button>
      )}
    </Section>
  );
}

function Changes({ version }: { version: Version }) {
  const told = version.changes.filter((each) => !QUIET.has(each.field));
  if (!told.length)
    return (
      <p>
        <Plain text={cut(version.memory.content, 160)} />
      </p>
    );
  return (
    <>
      {told.map((each) => (
        <p key={each.field}>{each.pieces?.length ? <Diff pieces={each.pieces} /> : <Field change={each} />}</p>
      ))}
    </>
  );
}

function Field({ change }: { change: Difference }) {
  const [before, after] = [change.old, change.new].map((value) =>
    change.field === "citations" ? ((value ?? []) as Citation[]).map((each) => whereOf(each)).join(", ") : shownValue(value),
  );
  return (
    <>
      {change.field.replaceAll("_", " ")}: {before && <del><Plain text={before} /></del>} {after && <ins><Plain text={after} /></ins>}
    </>
  );
}

function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (Array.isArray(value)) return value.map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each))).join(", ");
  if (typeof value === "object") return cut(JSON.stringify(value), 200);
  return cut(String(value), 200);
}

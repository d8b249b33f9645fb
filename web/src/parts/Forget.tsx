/** Erasing a memory for good: says what goes, and wants its short id typed. */

import { useEffect, useState } from "preact/hooks";

import { Problem, write } from "../core/api";
import { announceAnything } from "../core/live";
import { say } from "../core/toast";
import type { Memory } from "../model/memory";
import { count } from "../model/time";
import { cut, shortId } from "../model/words";
import { Dialog } from "./Dialog";
import { Plain } from "./MemoryText";

interface Traces {
  id: string;
  versions: number;
  links: number;
  outcomes: number;
  recalls: number;
  copies: unknown[] | number;
}

export function Forget({ memory, close, done }: { memory: Memory; close: () => void; done: () => void }) {
  const [typed, setTyped] = useState("");
  const [traces, setTraces] = useState<Traces | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const short = shortId(memory.id);
  const forget = (yes: boolean) =>
    write<{ memories?: Traces[] }>("POST", "/api/memories/forget", { memory_ids: [memory.id], yes }, { asks: yes });
  const failed = (failure: unknown) => {
    if (!(failure instanceof Problem)) throw failure;
    setProblem(failure);
  };
  useEffect(() => {
    forget(false).then(
      ({ body }) => setTraces(body.memories?.[0] ?? null),
      (failure: unknown) => failure instanceof Problem && failure.code === "needs_confirmation" || failed(failure),
    );
  }, [memory.id]);
  const erase = async (event: Event) => {
    event.preventDefault();
    setProblem(null);
    try {
      await forget(true);
      announceAnything();
      say("Forgotten");
      done();
    } catch (failure) {
      failed(failure);
    }
  };
  return (
    <Dialog title="Forget this memory?" close={close}>
      <form onSubmit={(event) => void erase(event)}>
        <p>
          “<Plain text={cut(memory.content, 200)} />”
        </p>
        <p>
          Its text is erased from the store for good
          {traces && (
            <>
              : {count(traces.versions)} {traces.versions === 1 ? "version" : "versions"}, {count(traces.links)} links,{" "}
              {count(traces.outcomes)} reports and its traces in {count(traces.recalls)} recalls
            </>
          )}
          . This cannot be undone. To only take it out of use, archive it instead.
        </p>
        <label>
          Type <code>{short}</code> to confirm
          <input data-first class="field mono" value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        {problem && (
          <p role="alert" class="negative">
            {problem.words}
          </p>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button class="button danger" disabled={typed.trim() !== short}>
            Forget
          </button>
        </div>
      </form>
    </Dialog>
  );
}

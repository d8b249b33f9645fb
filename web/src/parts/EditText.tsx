/** Changing the text of a memory in place; if somebody was first, both texts are shown. */

import { useState } from "preact/hooks";

import { Problem, write } from "../core/api";
import { announceAnything } from "../core/live";
import { say } from "../core/toast";
import type { Memory } from "../model/memory";
import { wordDiff } from "../model/diff";
import { Diff } from "./MemoryText";
import { pathOf } from "./Detail";

export function EditText({ memory, close, done }: { memory: Memory; close: () => void; done: () => void }) {
  const [text, setText] = useState(memory.content);
  const [seen] = useState(memory.version);
  const [conflict, setConflict] = useState<Memory | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const changed = text !== memory.content && text.trim() !== "";
  const save = async (version: number) => {
    setBusy(true);
    setProblem(null);
    try {
      const { operation } = await write("PATCH", pathOf(memory.id), { content: text }, { ifMatch: version });
      announceAnything();
      say("Saved", operation);
      close();
      done();
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure;
      if (failure.details.status === 412) setConflict(failure.details["current"] as Memory);
      else setProblem(failure.words);
    } finally {
      setBusy(false);
    }
  };
  const version = conflict?.version ?? seen;
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && changed) void save(version);
    else if (event.key === "Escape") changed || close(); // what was typed is not thrown away by a key
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        void save(version);
      }}
    >
      <textarea
        class="field"
        ref={(element) => {
          if (element && !element.dataset["begun"]) {
            element.dataset["begun"] = "yes";
            element.focus();
          }
        }}
        dir="auto"
        aria-label="Text of the memory"
        rows={Math.min(16, Math.max(3, Math.ceil(text.length / 48)))}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      {conflict && (
        <div class="conflict" role="alert">
          <p>
            <b>Somebody else changed it meanwhile.</b> Nothing was saved. This is what your text would change now:
          </p>
          <p>
            <Diff pieces={wordDiff(conflict.content, text)} />
          </p>
          <button type="button" class="text-button" onClick={() => { close(); done(); }}>
            Keep theirs
          </button>
        </div>
      )}
      {problem && <p role="alert" class="negative">{problem}</p>}
      <div class="edit-actions">
        <button class="button primary" disabled={!changed || busy}>
          {conflict ? "Save mine instead" : "Save"} <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

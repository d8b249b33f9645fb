/** The dialogs of a review: other words, the text of a merge, and the same decision about several. */

import { useState } from "preact/hooks";

import { Category } from "../parts/Category";
import { Dialog } from "../parts/Dialog";
import { MemoryText } from "../parts/MemoryText";
import { isWithheld } from "../parts/withheld";
import type { Choice, Waiting } from "./queue";

export function EditDialog({ item, close, save }: { item: Waiting; close: () => void; save: (content: string) => void }) {
  const [text, setText] = useState(item.memory.content);
  const unchanged = !text.trim() || text.trim() === item.memory.content;
  return (
    <Dialog title="In your own words" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save(text.trim());
        }}
      >
        <label>
          <span class="hidden-text">Text</span>
          <textarea data-first class="field" rows={5} dir="auto" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <p class="small muted">The old text stays in the history.</p>
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button class="button primary" disabled={unchanged}>
            Save and approve
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export type MergeText = "new" | "known";

/** The text that has more words than the other one; none if they have as many, or one of them is withheld. */
export function fuller({ memory, other }: Waiting): MergeText | null {
  if (!other || isWithheld(memory) || isWithheld(other)) return null;
  const [one, two] = [memory, other].map(({ content }) => new Set(content.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)).size) as [number, number];
  return one === two ? null : one > two ? "new" : "known";
}

export function MergeDialog({ item, close, merge }: { item: Waiting; close: () => void; merge: (text: MergeText) => void }) {
  const names = item.kind === "question" ? ["The new text", "The known text"] : ["The newer text", "The older text"];
  const texts: [MergeText, string, string | undefined][] = [
    ["new", names[0]!, item.memory.content],
    ["known", names[1]!, item.other?.content],
  ];
  const more = fuller(item);
  return (
    <Dialog title="Which text do you keep?" close={close}>
      <p class="secondary">The other one stays in the history. Reports, tags and sources of both are kept.</p>
      {texts.map(([text, name, content]) => (
        <button key={text} type="button" class="merge-text" onClick={() => merge(text)}>
          <span class="strong">
            {name} {text === more && <span class="badge">fuller</span>}
          </span>
          <MemoryText text={content ?? ""} line />
        </button>
      ))}
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        {more && (
          <button type="button" class="button" onClick={() => merge(more)}>
            Keep the fuller one
          </button>
        )}
      </div>
    </Dialog>
  );
}

interface ManyProps {
  items: Waiting[];
  choices: Choice[];
  close: () => void;
  decide: (choice: Choice, items: Waiting[]) => void;
}

/** Preview the same decision about all items like one; single ones can be left out. */
export function ManyDialog({ items, choices, close, decide }: ManyProps) {
  const [out, setOut] = useState<string[]>([]);
  const chosen = items.filter((each) => !out.includes(each.memory.id));
  const toggle = (id: string) => setOut(out.includes(id) ? out.filter((each) => each !== id) : [...out, id]);
  return (
    <Dialog title={`Decide about ${chosen.length} at once`} close={close} kind="many">
      <ul class="preview">
        {items.map(({ memory, reason }) => (
          <li key={memory.id}>
            <label>
              <input type="checkbox" checked={!out.includes(memory.id)} onChange={() => toggle(memory.id)} />
              <Category name={memory.category} />
              <span class="ellipsis one-line" title={reason}>
                <MemoryText text={memory.content} line />
              </span>
            </label>
          </li>
        ))}
      </ul>
      <p class="small muted">One operation, taken back as a whole. If one of them has changed meanwhile, nothing is decided.</p>
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        {choices.map((choice) => (
          <button key={choice.decision} type="button" class="button" disabled={!chosen.length} onClick={() => decide(choice, chosen)}>
            {choice.label} {chosen.length}
          </button>
        ))}
      </div>
    </Dialog>
  );
}

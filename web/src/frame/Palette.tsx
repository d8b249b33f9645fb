/** The palette: one field for memories, actions, views and projects. */

import { useEffect, useState } from "preact/hooks";

import { inProject, read } from "../core/api";
import { bound } from "../core/keys";
import { address, go } from "../core/router";
import { chooseTheme } from "../core/theme";
import type { Memory } from "../model/memory";
import { familyOf } from "../model/families";
import { Shape } from "../parts/Category";
import { Dialog } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { MemoryText } from "../parts/MemoryText";
import { closeFloating, openKeys } from "./palette-state";
import { chooseProject, useProjects } from "./store-info";
import { VIEWS } from "./views";

interface Choice {
  id: string;
  group: string;
  label: string;
  hint?: string;
  keys?: string;
  memory?: Memory;
  run: () => void;
}

const SETTLE_MS = 120;
const MOST = 6;

export function Palette() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = useHits(text);
  const projects = useProjects().data?.items ?? [];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (label: string) => words.every((word) => label.toLowerCase().includes(word));
  const choices: Choice[] = [
    ...VIEWS.filter((view) => view.group !== undefined && fits(view.title)).map((view): Choice => ({
      id: `view ${view.part}`,
      group: "Views",
      label: view.title,
      keys: view.key && `g ${view.key}`,
      run: () => go(address(`/${view.part}`)),
    })),
    ...actions().filter((each) => fits(each.label)),
    ...projects.filter((each) => words.length && fits(`project ${each.name} ${each.key}`)).slice(0, MOST).map((each): Choice => ({
      id: each.id,
      group: "Projects",
      label: each.name,
      hint: each.key,
      run: () => chooseProject(each.id),
    })),
    // they come late, so they stand below: what is chosen already stays in its place
    ...(found?.hits ?? []).map((memory): Choice => ({ id: memory.id, group: "Memories", label: memory.content, memory, run: () => go(address(`/memories/${memory.id}`)) })),
  ];
  const chosen = Math.min(at, choices.length - 1);
  useEffect(() => document.getElementById(`choice-${chosen}`)?.scrollIntoView({ block: "nearest" }), [chosen, text]);
  const run = (choice: Choice | undefined) => {
    if (!choice || (choice.memory && found?.text !== text)) return; // an answer to an earlier text may not be meant
    closeFloating();
    setTimeout(choice.run); // after the focus went back
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === "Enter") run(choices[chosen]);
    else if (event.key === "ArrowDown") setAt((chosen + 1) % choices.length);
    else if (event.key === "ArrowUp") setAt((chosen - 1 + choices.length) % choices.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search or jump to" close={closeFloating} kind="palette" hideTitle>
      <div class="palette-field">
        <Icon name="search" />
        <input
          data-first
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-choices"
          aria-activedescendant={choices[chosen] ? `choice-${chosen}` : undefined}
          aria-label="Search or jump to"
          placeholder="A memory, an action, a view or a project"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={move}
        />
        <button type="button" aria-label="Close" onClick={closeFloating}>
          <kbd>Esc</kbd>
        </button>
      </div>
      <div id="palette-choices" role="listbox" aria-label="Choices">
        {choices.map((choice, index) => (
          <div key={choice.id} role="presentation">
            {choices[index - 1]?.group !== choice.group && <h3 role="presentation">{choice.group}</h3>}
            <div id={`choice-${index}`} role="option" aria-selected={index === chosen} onMouseMove={() => setAt(index)} onClick={() => run(choice)}>
              {choice.memory && <Shape family={familyOf(choice.memory.category)} />}
              <span class="ellipsis one-line">{choice.memory ? <MemoryText text={choice.label} line /> : choice.label}</span>
              {choice.hint && <span class="muted small">{choice.hint}</span>}
              {choice.keys && <kbd>{choice.keys}</kbd>}
            </div>
          </div>
        ))}
        {!choices.length && found !== null && <p class="palette-none muted">Nothing fits “{text}”.</p>}
      </div>
    </Dialog>
  );
}

function actions(): Choice[] {
  const fixed: Choice[] = [
    { id: "light", group: "Actions", label: "Theme: light", run: () => chooseTheme("light") },
    { id: "dark", group: "Actions", label: "Theme: dark", run: () => chooseTheme("dark") },
    { id: "system", group: "Actions", label: "Theme: as the system has it", run: () => chooseTheme("system") },
    { id: "keys", group: "Actions", label: "Show all keys", keys: "?", run: openKeys },
  ];
  const here = bound()
    .filter((each) => each.group && !["Everywhere", "Views"].includes(each.group))
    .map((each): Choice => ({ id: `key ${each.keys}`, group: "Actions", label: each.does, keys: each.keys, run: () => each.run(new KeyboardEvent("keydown")) }));
  return [...here, ...fixed];
}

interface Hits {
  text: string;
  hits: Memory[];
}

/** Search a little after typing stopped; a late answer to an earlier question is dropped. */
function useHits(text: string): Hits | null {
  const [found, setFound] = useState<Hits | null>(null);
  useEffect(() => {
    const none = { text, hits: [] };
    if (text.trim().length < 2) {
      setFound(none);
      return;
    }
    setFound((before) => (before?.hits.length ? before : null)); // null: not known yet
    const abort = new AbortController();
    const timer = setTimeout(() => {
      read<{ hits: Memory[] }>("/api/search", { q: text, limit: MOST, peek: true, ...inProject() }, abort.signal).then(
        ({ hits }) => setFound({ text, hits }),
        () => abort.signal.aborted || setFound(none), // the palette still offers the rest
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return found;
}

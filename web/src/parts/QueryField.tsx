/** The field of a list's filter: chips for the words that are understood, text for the rest, suggestions with counts. */

import { useEffect, useId, useRef, useState } from "preact/hooks";

import { beginsKey, flawOf, KEYS, parseQuery, suggestions, typedKey, writeQuery, writeWord, type Word } from "../model/query";
import { count } from "../model/time";
import { Icon } from "./Icon";

const SETTLE_MS = 200;

export interface QueryFieldProps {
  q: string;
  change: (q: string) => void;
  facets?: Record<string, Record<string, number>> | undefined;
  /** Asks for the counts of the values of a key. */
  wantFacets: (key: string) => void;
}

export function QueryField({ q, change, facets, wantFacets }: QueryFieldProps) {
  const words = parseQuery(q);
  const chips = words.filter((each) => each.key);
  const [draft, setDraft] = useState(freeText(words));
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(q);
  const id = useId();

  useEffect(() => {
    if (q !== sent.current) setDraft(freeText(parseQuery(q))); // changed elsewhere: the back button, a family
    sent.current = q;
  }, [q]);

  const send = (next: string) => {
    sent.current = next;
    if (next !== q) change(next);
  };
  useEffect(() => {
    const next = writeQuery([...chips, ...parseQuery(draft).filter((each) => !each.key)]);
    if (next === q || draft.includes(":") || beginsKey(draft)) return;
    const timer = setTimeout(() => send(next), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  useEffect(() => {
    if (open) wantFacets(typedKey(draft));
  }, [open, typedKey(draft)]);

  const offers = open ? suggestions(draft, facets) : [];
  const take = (text: string) => {
    const before = draft.slice(0, draft.lastIndexOf(" ") + 1);
    setAt(-1);
    if (text.endsWith(":")) setDraft(before + text);
    else complete(`${before}${text} `);
    input.current?.focus();
  };
  /** Turn what is complete into chips. */
  const complete = (text: string) => {
    const typed = parseQuery(text);
    const free = typed.filter((each) => !each.key);
    setDraft(free.map(writeWord).join(" ") + (free.length ? " " : ""));
    send(writeQuery([...chips, ...typed.filter((each) => each.key), ...free]));
  };
  const typed = (text: string) => {
    setAt(-1);
    setOpen(true);
    if (/[a-z]+:("[^"]+"|[^\s"]+)\s$/iu.test(text) && parseQuery(text).some((each) => each.key)) complete(text);
    else setDraft(text);
  };
  const pressed = (event: KeyboardEvent) => {
    const field = event.currentTarget as HTMLInputElement;
    if (event.key === "ArrowDown" && offers.length) setAt((at + 1) % offers.length);
    else if (event.key === "ArrowUp" && offers.length) setAt((at - 1 + offers.length) % offers.length);
    else if (event.key === "Enter") {
      const chosen = offers[at];
      if (chosen) take(chosen.text);
      else {
        complete(`${draft} `);
        setOpen(false);
      }
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (open) setOpen(false);
      else field.blur();
    } else if (event.key === "Backspace" && field.selectionStart === 0 && field.selectionEnd === 0 && chips.length) {
      const last = chips.at(-1)!;
      setDraft(`${writeWord(last)}${draft ? ` ${draft}` : ""}`); // the chip becomes its text again
      send(writeQuery([...chips.slice(0, -1), ...parseQuery(draft)]));
    } else return;
    event.preventDefault();
  };
  return (
    <div class="query-field">
      <div class="query-box" onClick={(event) => event.target === event.currentTarget && input.current?.focus()}>
        <Icon name="search" />
        {chips.map((word) => (
          <Chip key={writeWord(word)} word={word} remove={() => send(writeQuery(words.filter((each) => each !== word)))} />
        ))}
        <input
          ref={input}
          data-filter
          role="combobox"
          aria-label="Filter the memories"
          aria-expanded={offers.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          autocomplete="off"
          spellcheck={false}
          value={draft}
          placeholder={chips.length ? "" : `text, or ${Object.keys(KEYS).slice(0, 6).join(": ")}:`}
          onInput={(event) => typed(event.currentTarget.value)}
          onKeyDown={pressed}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            setOpen(false);
            if (draft.trim()) complete(draft);
          }}
        />
        <kbd>/</kbd>
      </div>
      {offers.length > 0 && (
        <ul class="suggestions" id={id} role="listbox" aria-label="Suggestions">
          {offers.map((offer, index) => (
            <li
              key={offer.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseDown={(event) => {
                event.preventDefault();
                take(offer.text);
              }}
            >
              <code class="ellipsis">{offer.text}</code>
              <span class="muted">{offer.about ?? (offer.count === undefined ? "" : count(offer.count))}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Chip({ word, remove }: { word: Word; remove: () => void }) {
  const flaw = flawOf(word);
  return (
    <button
      type="button"
      class={flaw ? "chip flawed" : "chip"}
      title={flaw ?? "Click to remove"}
      aria-label={`${writeWord(word)}${flaw ? `, ${flaw}` : ""}: remove`}
      onClick={remove}
    >
      {word.key}:<b>{writeWord(word).slice(word.key.length + 1)}</b>
    </button>
  );
}

function freeText(words: readonly Word[]): string {
  return words
    .filter((each) => !each.key)
    .map(writeWord)
    .join(" ");
}

/** One row of the timeline. */

import { useEffect, useState } from "preact/hooks";

import { read } from "../core/api";
import { address } from "../core/router";
import type { Memory, Page } from "../model/memory";
import { familyOf } from "../model/families";
import { fullTime } from "../model/time";
import { actionWords, isSingle, tickOf, wordOf, type EventItem, type Item, type OperationItem, type RecallItem } from "../model/timeline";
import { Shape } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import { countWords, Tick } from "../parts/Tally";

type Texts = Map<string, Memory>;
const MOST_TEXTS = 32;
const NO_TEXTS: Texts = new Map();

const ANY = { status: ["active", "archived", "staged"], expired: true, superseded: true, all: true, limit: MOST_TEXTS };

/** Read the first memory of the changes shown, so that a row can say what was changed; null until they are there. Anew with every list of changes. */
export function useTexts(rows: Item[], changes: unknown): Texts | null {
  const [texts, setTexts] = useState<Texts | null>(null);
  const ids = [...new Set(rows.flatMap((row) => (row.type === "operation" ? row.operation.memories.slice(0, 1) : [])))];
  useEffect(() => {
    if (!ids.length) return;
    const chunks = Array.from({ length: Math.ceil(ids.length / MOST_TEXTS) }, (_, at) => ids.slice(at * MOST_TEXTS, (at + 1) * MOST_TEXTS));
    const reads = chunks.map((id) => read<Page<Memory>>("/api/memories", { id, ...ANY }).then(({ items }) => items, () => [])); // without a text a row shows the id
    void Promise.all(reads).then((found) => setTexts((before) => new Map([...(before ?? []), ...found.flat().map((memory) => [memory.id, memory] as const)])));
  }, [ids.join(), changes]);
  return ids.length ? texts : NO_TEXTS;
}

const clock = (at: string) => new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

/** A row that happened in the same minute as the row before, and of its kind, leaves out what both would say. */
export function Row({ item, before, texts, chosen, choose, undo }: {
  item: Item; before: Item | undefined; texts: Texts; chosen: boolean; choose: () => void; undo: (operation: OperationItem) => void;
}) {
  const same = before && clock(before.at) === clock(item.at) && wordOf(before) === wordOf(item);
  const result = item.type === "recall" ? tickOf(item.recall.reports) : item.type === "event" ? item.event.outcome : null;
  return (
    <li id={`row-${item.id}`} class={`row${chosen ? " chosen" : ""}${same ? " same" : ""}`} onClick={choose} onFocusCapture={choose}>
      <time class="muted" dateTime={item.at} title={fullTime(item.at)}>
        {clock(item.at)}
      </time>
      <span class="row-tick">{result && <Tick result={result} />}</span>
      <span class="row-word muted">{wordOf(item)}</span>
      {item.type === "event" && <EventText event={item.event} />}
      {item.type === "recall" && <RecallText recall={item.recall} />}
      {item.type === "operation" && <OperationText operation={item.operation} texts={texts} undo={undo} />}
    </li>
  );
}

function EventText({ event }: { event: EventItem }) {
  const handoff = event.kind === "session_end" ? handoffOf(event.content) : null;
  return (
    <>
      <div class="row-text">
        {handoff ? (
          <a href={address(`/memories/${event.id}`)}>The session ended</a>
        ) : (
          <a href={address(`/memories/${event.id}`)}>
            <MemoryText text={event.content} most={400} />
          </a>
        )}
        {event.status === "archived" && <span class="muted"> archived</span>}
        {handoff && (
          <dl class="handoff">
            {handoff.map(([name, text]) => (
              <div key={name + text}>
                <dt class="muted">{name}</dt>
                <dd>
                  <MemoryText text={text} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <span class="row-who small muted" title={`session ${event.session}`}>
        {event.writer}
      </span>
    </>
  );
}

/** Split the text of a handoff at its headings. */
function handoffOf(content: string): [string, string][] {
  const rows: [string, string][] = [];
  let name = "";
  for (const line of content.split("\n")) {
    const heading = /^(?:#+\s*)?(Done|Next|Questions|Open questions|Open|Files)\s*:?\s*(.*)$/i.exec(line);
    if (heading) name = heading[1]!.toLowerCase().replace("open ", "");
    const text = (heading ? heading[2]! : line).replace(/^[-*]\s+/u, "").trim();
    if (text) rows.push([rows.at(-1)?.[0] === name && !heading ? "" : name, text]);
  }
  return rows;
}

function RecallText({ recall }: { recall: RecallItem }) {
  const given = recall.memories === 1 ? "1 memory" : `${recall.memories} memories`;
  const total = recall.reports.worked + recall.reports.partial + recall.reports.failed;
  return (
    <>
      <div class="row-text secondary">
        <a href={address(`/recalls/${recall.id}`)}>
          {recall.kind === "warning" ? "before " : recall.query && recall.kind !== "context" ? "“" : ""}
          {recall.query ? <MemoryText text={recall.query} line /> : "the session began"}
          {recall.query && recall.kind !== "warning" && recall.kind !== "context" ? "”" : ""}
        </a>
        <span class="muted">
          {" "}
          {recall.memories ? `${given} given` : "nothing known"}
          {total > 0 && `, ${countWords(recall.reports)}`}
        </span>
      </div>
      <span class="row-who small muted" title={`session ${recall.session}`}>
        {recall.writer}
      </span>
    </>
  );
}

function OperationText({ operation, texts, undo }: {
  operation: OperationItem; texts: Texts; undo: (operation: OperationItem) => void;
}) {
  const first = operation.memories[0];
  const memory = first ? texts.get(first) : undefined;
  const others = operation.memories.length - 1;
  return (
    <>
      <div class="row-text row-change">
        {!isSingle(operation) && !operation.undoes && <span class={operation.undone ? "undone" : undefined}>{actionWords(operation)}</span>}
        {first && (
          <a class={operation.undone && isSingle(operation) ? "ellipsis undone" : "ellipsis"} href={address(`/memories/${first}`)}>
            {memory && <Shape family={familyOf(memory.category)} />}
            {memory ? <MemoryText text={memory.content} line /> : first.slice(0, 12)}
          </a>
        )}
        {others > 0 && <span class="muted nowrap">and {others} more</span>}
      </div>
      <span class="row-who small muted" title={`${operation.writer} (${operation.door})`}>
        <span class="ellipsis">{operation.writer}</span>
        {operation.undone ? (
          "undone"
        ) : (
          <button type="button" class="text-button" aria-label={`Undo: ${actionWords(operation)}`} onClick={() => undo(operation)}>
            Undo
          </button>
        )}
      </span>
    </>
  );
}

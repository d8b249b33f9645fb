/** Both sides of an item in one table, with the words in which they differ boxed. */

import type { ComponentChildren } from "preact";

import { useRead } from "../core/useRead";
import { address } from "../core/router";
import type { Details, Memory, Piece } from "../model/memory";
import { age, count, fullTime } from "../model/time";
import { wordDiff } from "../model/diff";
import { shortId } from "../model/words";
import { Category } from "../parts/Category";
import { MemoryText, Plain } from "../parts/MemoryText";
import { countWords, Score, Tally, Tick } from "../parts/Tally";
import { isWithheld } from "../parts/withheld";
import { isPair, reportsOf, type Choice, type Waiting } from "./queue";

const LONG = 4000;

interface SidesProps {
  item: Waiting;
  /** Show the text of a memory that is withheld. */
  show: (memory: Memory) => void;
  /** The buttons that stand under a side. */
  decide: (turned: boolean) => ComponentChildren;
}

export function Sides({ item, show, decide }: SidesProps) {
  const one = useDetails(item.memory);
  const other = useDetails(item.other);
  const sides = [one, other].filter((each) => each !== null);
  const titles = item.kind === "question" ? ["New", "Known"] : ["Newer", "Older"];
  const pieces =
    item.other && item.memory.content.length + item.other.content.length < LONG
      ? wordDiff(item.other.content, item.memory.content)
      : null;
  const row = (label: string, cell: (side: Details, older: boolean) => ComponentChildren, kind = "") => (
    <tr class={kind}>
      <th scope="row">{label}</th>
      {sides.map((side, place) => (
        <td key={side.memory.id}>{cell(side, place === 1)}</td>
      ))}
    </tr>
  );
  return (
    <table class={sides.length > 1 ? "sides two" : "sides"}>
      {sides.length > 1 && (
        <thead>
          <tr>
            <td />
            {sides.map(({ memory }, place) => (
              <th scope="col" key={memory.id}>
                {titles[place]} <IdLink memory={memory} />
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {row(
          "says",
          ({ memory }, older) => (
            <>
              {pieces ? <Boxed pieces={pieces} older={older} /> : <MemoryText text={memory.content} line={isWithheld(memory)} />}{" "}
              {isWithheld(memory) && (
                <button type="button" class="button" onClick={() => show(memory)}>
                  Show the text
                </button>
              )}
            </>
          ),
          "says",
        )}
        {row("reports", ({ memory, outcomes }) =>
          reportsOf(memory) || memory.outcome_score ? (
            <span class="reports">
              <Tally counts={memory} reports={outcomes} />
              <Score counts={memory} score={memory.outcome_score} />
              <span class="secondary">{countWords(memory)}</span>
            </span>
          ) : (
            <span class="muted">none yet</span>
          ),
        )}
        {row("source", ({ memory }) => <Sources memory={memory} />)}
        {row("written", ({ memory }) => (
          <>
            {item.reason.startsWith("suggested: ") ? (
              <>
                suggested by Memory Layer in the name of <Plain text={memory.writer} />
              </>
            ) : (
              <>
                by <Plain text={memory.writer} /> ({memory.writer_kind})
              </>
            )}
            , confidence {memory.confidence.toFixed(2)}
            {memory.approved_by && `, approved by ${memory.approved_by}`}
          </>
        ))}
        {row("age, given", ({ memory }) => (
          <>
            <time dateTime={memory.created_at} title={fullTime(memory.created_at)}>
              {age(memory.created_at)}
            </time>
            , {memory.recall_count === 1 ? "once" : `${count(memory.recall_count)} times`}
          </>
        ))}
        {row("category", ({ memory }) => (
          <>
            <Category name={memory.category} />
            {memory.priority !== "normal" && <span class="badge">{memory.priority}</span>}
            {sides.length === 1 && <IdLink memory={memory} />}
          </>
        ))}
        {sides.some(({ memory }) => reportsOf(memory)) && row("last report", ({ outcomes }) => {
          const last = outcomes[0];
          if (!last) return <span class="muted">none</span>;
          return (
            <span class="last-time">
              <Tick result={last.result} />
              <span>
                {last.query && (
                  <span class="memory-text" dir="auto">
                    “<Plain text={last.query} />”:{" "}
                  </span>
                )}
                {last.result === "partial" ? "partly" : last.result} <span class="muted nowrap">{age(last.at)}</span>
              </span>
            </span>
          );
        })}
        {row("decide", (_, older) => <div class="choices-under">{decide(older)}</div>, "decide")}
      </tbody>
    </table>
  );
}

/** A memory with its reports; what the queue told is shown until they are there. */
function useDetails(memory: Memory | null): Details | null {
  const path = memory ? `/api/memories/${memory.id}` : "";
  const { data } = useRead<Details>(path, { peek: true }, { idle: !memory });
  if (!memory) return null;
  const loaded = data?.memory.id === memory.id ? data : null;
  const citations = loaded && isWithheld(loaded.memory) === isWithheld(memory) ? loaded.memory.citations : memory.citations;
  const outcomes = [...(loaded?.outcomes ?? [])].sort((one, other) => other.at.localeCompare(one.at));
  return { links: [], superseded_by: null, failing: false, ...loaded, outcomes, memory: { ...memory, citations } };
}

function IdLink({ memory }: { memory: Memory }) {
  return (
    <a class="id-link" href={address(`/memories/${memory.id}`)}>
      <code>mem_{shortId(memory.id)}</code>
    </a>
  );
}

function Boxed({ pieces, older }: { pieces: Piece[]; older: boolean }) {
  const own = older ? "removed" : "added";
  return (
    <span class="memory-text" dir="auto">
      {pieces.map((piece, index) => {
        if (piece.kind === "same") return <Plain key={index} text={piece.text} />;
        if (piece.kind !== own) return null;
        return piece.text.split(/(\s+)/u).map((word, at) =>
          word.trim() ? (
            <mark key={`${index} ${at}`} class="differs">
              <Plain text={word} />
            </mark>
          ) : (
            word
          ),
        );
      })}
    </span>
  );
}

function Sources({ memory }: { memory: Memory }) {
  if (!memory.citations.length) return <span class="muted">none</span>;
  return (
    <ul>
      {memory.citations.slice(0, 4).map((each, index) => (
        <li key={index}>
          <code>
            <Plain text={each.url ?? `${each.path ?? ""}${each.first_line ? `:${each.first_line}–${each.last_line ?? each.first_line}` : ""}`} />
          </code>{" "}
          {each.state && <span class={each.state === "fresh" ? "muted" : "strong"}>{each.state}</span>}
        </li>
      ))}
      {memory.citations.length > 4 && <li class="muted">and {memory.citations.length - 4} more</li>}
    </ul>
  );
}

/** Which side a button stands under: the older one's for what is about it. */
export function standsUnder(choice: Choice, turned: boolean, item: Waiting): boolean {
  if (!item.other) return !turned;
  if (isPair(item)) return Boolean(choice.turned) === turned;
  return !turned;
}

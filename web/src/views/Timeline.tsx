/** What happened, newest first: events, questions with what was given, warnings, and changes that can be undone. */

import { useMemo, useState } from "preact/hooks";

import { apiAddress } from "../core/api";
import { useKeys } from "../core/keys";
import { address, setQuery } from "../core/router";
import { undo } from "../core/toast";
import { PAGE, usePages, type Pages } from "../core/usePages";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import {
  dayIn, dayOf, dayWords, isQuestion, isTold, merged, summaryOf, type EventItem, type Item, type OperationItem, type Part, type RecallItem, type Source,
} from "../model/timeline";
import { Empty, Failed, GreyLines } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import { Row, useTexts } from "../timeline/Row";
import "../timeline/timeline.css";

const KINDS = [
  ["", "Everything"],
  ["events", "Events"],
  ["questions", "Questions"],
  ["changes", "Changes"],
] as const;
type Kind = (typeof KINDS)[number][0];
const PATHS = { events: "/api/timeline", questions: "/api/recalls", changes: "/api/operations" };
const COMMANDS = { events: "mem timeline", questions: "mem recalls", changes: "mem undo --list" };

export default function Timeline({ route }: ViewProps) {
  const kind: Kind = KINDS.find(([value]) => value === route.query.get("kind"))?.[0] ?? "";
  const day = dayIn(route.query.get("day"));
  const project = useProject();
  const until = day ? midnight(day, 1) : null;
  const page = { until, limit: PAGE };
  const asks = {
    events: { ...project, ...page },
    questions: { ...project, here: project.all ? null : true, ...page },
    changes: page,
  };
  const wants = (each: string) => !kind || kind === each;
  const events = usePages<EventItem>(PATHS.events, asks.events, !wants("events"));
  const recalls = usePages<RecallItem>(PATHS.questions, asks.questions, !wants("questions"));
  const operations = usePages<OperationItem>(PATHS.changes, asks.changes, !wants("changes"));
  const lists = [events, recalls, operations];
  const failed = lists.find(({ problem, items }) => problem && (!items || problem.code !== "server_gone"));
  const failure = failed?.problem && <Failed problem={failed.problem} retry={() => lists.forEach((list) => list.problem && list.reload())} />;
  const days = useMemo(
    () =>
      merged([
        source(events, (event) => ({ type: "event", at: event.at, id: event.id, event })),
        source(recalls, (recall) => ({ type: "recall", at: recall.at, id: recall.id, recall })),
        source(operations, (operation) => ({ type: "operation", at: operation.at, id: operation.id, operation })),
      ]),
    [events.items, recalls.items, operations.items],
  );
  const shown = days
    .map((each) => ({ ...each, summary: each.complete && !kind && !failed ? summaryOf(each) : [], items: each.items.filter((item) => isShown(item, kind)) }))
    .filter((each) => each.items.length);
  const rows = shown.flatMap((each) => each.items);
  const [id, setId] = useState(""); // rows come in above: by its place it would be another one
  const texts = useTexts(rows, operations.items);
  const at = rows.findIndex((row) => row.id === id);
  const chosen = rows[at];
  const move = (step: number) => {
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
    if (!next) return;
    setId(next.id);
    document.getElementById(`row-${next.id}`)?.querySelector<HTMLElement>("a, button")?.focus();
  };
  useKeys([
    { keys: "j", does: "Next row", group: "Timeline", run: () => move(1) },
    { keys: "k", does: "Previous row", group: "Timeline", run: () => move(-1) },
    {
      keys: "u", does: "Undo the change of this row", group: "Timeline",
      run: () => chosen?.type === "operation" && canUndo(chosen.operation) && void undo(chosen.operation.id),
    },
  ]);
  const waiting = lists.some((list, index) => wants(KINDS[index + 1]![0]) && list.items === null && !list.problem);
  const more = lists.some((list) => list.next);
  return (
    <ViewPage
      title="Timeline"
      command={kind && [COMMANDS[kind], kind === "questions" && !project.all && "--here", day && `--since ${midnight(day, 0)} --until ${until} --limit 1000`].filter(Boolean).join(" ")}
      json={kind && apiAddress(PATHS[kind], asks[kind])}
      controls={
        <div class="timeline-controls">
          <div class="choices" role="group" aria-label="What to show">
            {KINDS.map(([value, label]) => (
              <button key={value} type="button" aria-pressed={kind === value} onClick={() => setQuery({ kind: value })}>
                {label}
              </button>
            ))}
          </div>
          <label class="timeline-day">
            <span class="small muted">Day</span>
            <input type="date" aria-label="Show what happened on this day, and before" value={day ?? ""} max={dayOf(new Date().toISOString())} onChange={(event) => setQuery({ day: event.currentTarget.value })} />
          </label>
          {day && (
            <button type="button" class="text-button small" onClick={() => setQuery({ day: null })}>
              Show the newest
            </button>
          )}
        </div>
      }
    >
      {!failed?.items && failure}
      {waiting || !texts ? (
        <GreyLines lines={8} />
      ) : !rows.length ? (
        !failed && <Nothing kind={kind} day={day} />
      ) : (
        <div class={kind === "changes" ? "timeline changes" : "timeline"}>
          {day && shown[0] && shown[0].key !== day && (
            <section>
              <h2 class="heading">{dayWords(day, new Date())}</h2>
              <p class="muted">Nothing {kind ? "of this kind " : ""}happened. The days before:</p>
            </section>
          )}
          {shown.map((each) => (
            <section key={each.key} aria-labelledby={`day-${each.key}`}>
              <h2 class="heading" id={`day-${each.key}`}>
                {dayWords(each.key, new Date())} <Summary day={each.key} parts={each.summary} />
              </h2>
              <ul>
                {each.items.map((item, index) => (
                  <Row key={item.type + item.id} item={item} before={each.items[index - 1]} texts={texts} chosen={item === chosen} choose={() => setId(item.id)} undo={({ id }) => void undo(id)} />
                ))}
              </ul>
            </section>
          ))}
          {failed?.items && failure}
          {more && (
            <button type="button" class="button" onClick={() => lists.forEach((list) => list.more())}>
              Show earlier
            </button>
          )}
        </div>
      )}
    </ViewPage>
  );
}

export function canUndo(operation: OperationItem): boolean {
  return !operation.undone;
}

function source<Of>(pages: Pages<Of & { id: string; at: string }>, item: (of: Of & { id: string; at: string }) => Item): Source {
  return { items: (pages.items ?? []).map(item), more: pages.next !== null };
}

function isShown(item: Item, kind: string): boolean {
  if (item.type === "operation") return kind === "changes" || (kind === "" && !isTold(item.operation));
  return item.type === "event" ? kind === "" || kind === "events" : kind === "" || (kind === "questions" && (isQuestion(item.recall) || item.recall.kind === "warning"));
}

/** The moment at which a day, or one so many days after it, begins for the reader. */
function midnight(day: string, later: number): string {
  const then = new Date(`${day}T00:00:00`);
  then.setDate(then.getDate() + later);
  return then.toISOString();
}

/** Reports have no rows of their own here, so that they are linked. */
function Summary({ day, parts }: { day: string; parts: Part[] }) {
  return (
    <span class="timeline-summary muted">
      {parts.map(({ words, kind }, index) => (
        <span key={words}>
          {index > 0 && ", "}
          {kind ? <a href={address("/timeline", { kind, day })}>{words}</a> : words}
        </span>
      ))}
    </span>
  );
}

function Nothing({ kind, day }: { kind: string; day: string | null }) {
  if (day)
    return (
      <Empty title="Nothing happened until then">
        <button type="button" class="text-button" onClick={() => setQuery({ day: null })}>
          Show the newest
        </button>
      </Empty>
    );
  if (kind === "changes")
    return (
      <Empty title="Nothing was changed yet" command='mem add "what you know"'>
        <p>Every change appears here, and can be undone here.</p>
      </Empty>
    );
  return (
    <Empty title="Nothing happened yet" command="mem install">
      <p>What agents ask, what they are told and what they record appears here once one is connected.</p>
      <p>
        <a href={address("/")}>Go to the dashboard</a>
      </p>
    </Empty>
  );
}

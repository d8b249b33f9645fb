/** One memory with everything about it: the same beside the list and as a page. */

import { useEffect, useState } from "preact/hooks";

import { write } from "../core/api";
import { useKeys } from "../core/keys";
import { address } from "../core/router";
import { act, sayProblem } from "../core/toast";
import { useRead } from "../core/useRead";
import { useProjectName } from "../frame/store-info";
import type { Details, Memory, Result } from "../model/memory";
import { ago, count, fullTime } from "../model/time";
import { shortId } from "../model/words";
import { Category } from "./Category";
import { copy } from "./Copy";
import { EditText } from "./EditText";
import { Forget } from "./Forget";
import { Given } from "./Given";
import { Helped } from "./Helped";
import { Icon } from "./Icon";
import { Links } from "./Links";
import { MemoryText, Plain } from "./MemoryText";
import { Menu } from "./Menu";
import { Evidence } from "./Evidence";
import { Source } from "./Source";
import { Empty, Failed, GreyLines } from "./states";
import { Versions } from "./Versions";
import { isWithheld, withText } from "./withheld";
import "./detail.css";

export interface DetailProps {
  id: string;
  /** Beside a list: closes it. */
  close?: () => void;
  /** After this page changed the memory. */
  changed?: () => void;
  /** The question it was found by, which a report counts for. */
  query?: string;
}

export function pathOf(id: string): string {
  return `/api/memories/${encodeURIComponent(id)}`;
}

export function Detail({ id, close, changed, query }: DetailProps) {
  const reading = useRead<Details>(pathOf(id), { peek: true });
  if (reading.problem && !reading.data)
    return (
      <div class="detail">
        {close && <CloseButton close={close} />}
        {reading.problem.details.status === 404 ? (
          <Empty title="There is no such memory">
            <p>
              No memory has the id <code>{id}</code>. <a href={address("/memories")}>Show all memories</a>
            </p>
          </Empty>
        ) : (
          <Failed problem={reading.problem} retry={reading.reload} />
        )}
      </div>
    );
  if (!reading.data) return reading.slow ? <GreyLines /> : <div class="detail" />;
  return <Whole details={reading.data} close={close} changed={changed} reload={reading.reload} query={query} />;
}

function CloseButton({ close }: { close: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label="Close" title="Close (Esc)" onClick={close}>
      <Icon name="close" />
    </button>
  );
}

interface WholeProps {
  details: Details;
  close?: (() => void) | undefined;
  changed?: (() => void) | undefined;
  reload: () => void;
  query?: string | undefined;
}

function Whole({ details, close, changed, reload, query }: WholeProps) {
  const [shown, setShown] = useState<Memory | null>(null);
  const known = shown?.id === details.memory.id && shown.version === details.memory.version;
  const memory = known && isWithheld(details.memory) ? shown : details.memory;
  const [editing, setEditing] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  const [question, setQuestion] = useState(query ?? "");
  useEffect(() => setQuestion(query ?? ""), [query]);
  const done = () => {
    reload();
    changed?.();
  };
  const after = async (does: Promise<boolean>) => (await does) && done();
  const isArchived = memory.status === "archived";
  const toggleArchived = () =>
    void after(
      act(
        () => write("POST", `/api/memories/${isArchived ? "restore" : "archive"}`, { memory_ids: [memory.id] }),
        isArchived ? "Restored" : "Archived",
      ),
    );
  const report = (result: Result) =>
    void after(
      act(
        () => write("POST", "/api/outcomes", { memory_ids: [memory.id], result, ...(question.trim() ? { query: question.trim() } : {}) }),
        `Reported: ${result === "partial" ? "partly" : result}`,
      ),
    );
  const copyId = () => void copy(memory.id, `Copied ${memory.id}`);
  useKeys([
    { keys: "e", does: "Edit the text", run: () => setEditing(true), group: "Memory" },
    { keys: "x", does: isArchived ? "Restore" : "Archive", run: toggleArchived, group: "Memory" },
    { keys: "c", does: "Copy its id", run: copyId, group: "Memory" },
    { keys: "w", does: "It worked", run: () => report("worked"), group: "Memory" },
    { keys: "p", does: "It helped partly", run: () => report("partial"), group: "Memory" },
    { keys: "f", does: "It failed", run: () => report("failed"), group: "Memory" },
  ]);
  return (
    <article class="detail">
      <header class="detail-head">
        <Category name={memory.category} />
        <button type="button" class="mono muted" title={`${memory.id} – click to copy`} onClick={copyId}>
          {shortId(memory.id)}
        </button>
        <span class="space" />
        <button type="button" class="icon-button" aria-label="Edit" title="Edit (e)" onClick={() => setEditing(true)}>
          <Icon name="edit" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={isArchived ? "Restore" : "Archive"}
          title={`${isArchived ? "Restore" : "Archive"} (x)`}
          onClick={toggleArchived}
        >
          <Icon name={isArchived ? "restore" : "archive"} />
        </button>
        <Menu
          label="More about this memory"
          items={[
            { label: "Copy its id", keys: "c", run: copyId },
            { label: "Copy as mem command", run: () => void copy(`mem show ${shortId(memory.id)}`, `Copied: mem show ${shortId(memory.id)}`) },
            { label: "Open as JSON", href: pathOf(memory.id) },
            ...(close ? [{ label: "Open in a tab of its own", href: address(`/memories/${memory.id}`) }] : []),
            { label: "Forget…", run: () => setForgetting(true) },
          ]}
        />
        {close && <CloseButton close={close} />}
      </header>
      {editing ? (
        <EditText memory={memory} close={() => setEditing(false)} done={done} />
      ) : (
        <div class="detail-text">
          <MemoryText text={memory.content} line={isWithheld(memory)} />{" "}
          {isWithheld(memory) && (
            <button type="button" class="button" onClick={() => void withText(memory).then(setShown, sayProblem)}>
              Show the text
            </button>
          )}
        </div>
      )}
      <State details={details} />
      <Facts memory={memory} />
      <div class="detail-parts">
        <div>
          <Helped memory={memory} outcomes={details.outcomes} question={question} setQuestion={setQuestion} report={report} />
          <Evidence outcomes={details.outcomes} />
          <Source memory={memory} done={done} />
        </div>
        <div>
          <Versions memory={memory} done={done} />
          <Links details={details} done={done} />
          <Given memory={memory} />
        </div>
      </div>
      {forgetting && (
        <Forget
          memory={memory}
          close={() => setForgetting(false)}
          done={() => {
            setForgetting(false);
            changed?.();
            if (close) close();
            else reload();
          }}
        />
      )}
    </article>
  );
}

const ARCHIVED: Record<string, string> = {
  outcome: "it failed too often",
  confidence: "its confidence fell too low",
  expired: "it expired",
  faded: "not used for a long time",
  asked: "somebody archived it",
  merged: "merged into another memory",
  skipped: "dropped as a duplicate",
  undone: "the change that stored it was undone",
};

/** Say what is unusual about it: not active, doubted, replaced. */
function State({ details }: { details: Details }) {
  const { memory, superseded_by, failing } = details;
  const notes = [
    memory.status === "staged" && <>Waits for review. <a href={address(`/review`)}>Review</a></>,
    memory.status === "archived" && <>Archived{memory.reason ? `: ${ARCHIVED[memory.reason] ?? memory.reason}` : ""}. Agents are not given it.</>,
    memory.status === "active" && memory.reason && <>Doubted: {memory.reason}. <a href={address("/review")}>Review</a></>,
    failing && <>It failed last, and its record is bad.</>,
    superseded_by && <>Replaced by <a href={address(`/memories/${superseded_by}`)}>{shortId(superseded_by)}</a>.</>,
  ].filter(Boolean);
  if (!notes.length && !memory.reason_detail) return null;
  return (
    <div class="detail-state">
      {notes.map((note, index) => (
        <p key={index}>{note}</p>
      ))}
      {memory.reason_detail && <p class="secondary"><Plain text={memory.reason_detail} /></p>}
    </div>
  );
}

function Facts({ memory }: { memory: Memory }) {
  const project = useProjectName(memory.project);
  return (
    <div class="facts">
      <ul>
        <li title={memory.project ?? undefined}>{project ? <Plain text={project} /> : "everywhere"}</li>
        {memory.scope.map((pattern) => (
          <li key={pattern}>
            <code><Plain text={pattern} /></code>
          </li>
        ))}
        {memory.tags.slice(0, 40).map((tag) => (
          <li key={tag}>
            <a class="badge" href={address("/memories", { q: `tag:${/\s/u.test(tag) ? `"${tag}"` : tag}` })}>
              <Plain text={tag} />
            </a>
          </li>
        ))}
        {memory.tags.length > 40 && <li>and {count(memory.tags.length - 40)} more</li>}
        {memory.priority !== "normal" && <li>{memory.priority} priority</li>}
      </ul>
      <p>
        by <Plain text={memory.writer} /> ({memory.writer_kind}), confidence {memory.confidence.toFixed(2)},{" "}
        <span title={fullTime(memory.created_at)}>stored {ago(memory.created_at)}</span>,{" "}
        {memory.recall_count ? `given ${count(memory.recall_count)} ${memory.recall_count === 1 ? "time" : "times"}` : "not given yet"}
        {memory.last_recalled_at && `, last ${ago(memory.last_recalled_at)}`}
        {memory.expires_at && <>, expires {fullTime(memory.expires_at)}</>}
      </p>
    </div>
  );
}

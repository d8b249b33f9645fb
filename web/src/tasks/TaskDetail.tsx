/** One task: what its program says, the memories that belong to it, and whether they helped. */

import { useEffect, useState } from "preact/hooks";

import { write } from "../core/api";
import { address } from "../core/router";
import { act } from "../core/toast";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import { familyOf } from "../model/families";
import type { Memory, Result } from "../model/memory";
import { ago, count, fullTime } from "../model/time";
import { shortId } from "../model/words";
import { Shape } from "../parts/Category";
import { Icon } from "../parts/Icon";
import { MemoryText, Plain } from "../parts/MemoryText";
import { Failed, GreyLines } from "../parts/states";
import { Tick } from "../parts/Tally";
import { apiPathOf, changedAt, pathOf, programOf, statusWords, type LinkedMemory, type Task } from "./task";

const RESULTS: readonly [Result, string][] = [
  ["worked", "Worked"],
  ["partial", "Partly"],
  ["failed", "Failed"],
];
const TYPING_MS = 200;
const MOST_FOUND = 6;

export function TaskDetail({ name, close, changed }: { name: string; close: () => void; changed: () => void }) {
  const project = useProject();
  const reading = useRead<Task>(apiPathOf(name), project);
  const reload = () => {
    reading.reload();
    changed();
  };
  return (
    <aside class="task" aria-label="Task">
      {reading.data ? (
        <Whole task={reading.data} close={close} reload={reload} />
      ) : (
        <>
          <header>
            <Close close={close} />
          </header>
          {reading.problem ? <Failed problem={reading.problem} retry={reading.reload} /> : reading.slow && <GreyLines />}
        </>
      )}
    </aside>
  );
}

function Close({ close }: { close: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label="Close" title="Close (Esc)" onClick={close}>
      <Icon name="close" />
    </button>
  );
}

function Whole({ task, close, reload }: { task: Task; close: () => void; reload: () => void }) {
  const at = changedAt(task);
  const done = task.status === "completed";
  return (
    <>
      <header>
        <span class="badge">{programOf(task)}</span>
        <code class="muted">
          <Plain text={task.id} />
        </code>
        <Close close={close} />
      </header>
      <h2 dir="auto">
        <Plain text={task.title || "Without a title"} />
      </h2>
      <p class="task-facts small">
        <span>
          {statusWords(task)}
          {at && <time dateTime={at} title={fullTime(at)}> {done ? "" : "· changed "}{ago(at)}</time>}
        </span>
        {task.priority !== null && <span>priority {String(task.priority)}</span>}
        {task.list && (
          <span class="ellipsis">
            list <code><Plain text={task.list.slice(0, 24)} /></code>
          </span>
        )}
        {task.labels.slice(0, 12).map((label) => (
          <span key={label} class="badge">
            <Plain text={label} />
          </span>
        ))}
      </p>
      {task.waits_for.length > 0 && (
        <p class="small secondary">
          Waits for{" "}
          {task.waits_for.map((id, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <a href={address(pathOf(task.source === "claude" && task.list ? `claude:${task.list}/${id}` : `${task.source}:${id}`))}>
                <Plain text={id} />
              </a>
            </span>
          ))}
        </p>
      )}
      {task.description && (
        <div class="task-section">
          <MemoryText text={task.description} />
        </div>
      )}
      <section class="task-section">
        <h3>
          {done && task.memories.length ? "Did these help?" : "Memories"}
          <span class="muted">{count(task.memories.length)} linked</span>
        </h3>
        {task.memories.length === 0 && (
          <p class="muted small">None yet. An agent that gets a context for this task links what it was given; you can link more here.</p>
        )}
        <ul>
          {task.memories.map((memory) => (
            <Linked key={memory.id} task={task} memory={memory} reload={reload} />
          ))}
        </ul>
      </section>
      <LinkMore task={task} reload={reload} />
      <p class="small muted task-section" style={{ overflowWrap: "anywhere" }}>
        Read from <Plain text={task.origin} />. Tasks are changed where they live.
      </p>
    </>
  );
}

function Linked({ task, memory, reload }: { task: Task; memory: LinkedMemory; reload: () => void }) {
  const project = useProject();
  const unlink = async () => {
    const options = { params: { ...project, memory_ids: [memory.id] } };
    if (await act(() => write("DELETE", `${apiPathOf(task.ref)}/memories`, undefined, options), `Unlinked ${shortId(memory.id)}`)) reload();
  };
  const report = async (result: Result, word: string) => {
    const body = { memory_ids: [memory.id], result, task: task.ref };
    if (await act(() => write("POST", "/api/outcomes", body, { params: project }), `Reported: ${word.toLowerCase()}`)) reload();
  };
  return (
    <li class="task-memory">
      <a href={address(`/memories/${memory.id}`)}>
        <MemoryText text={memory.content} line />
      </a>
      <button type="button" class="icon-button" aria-label={`Unlink ${shortId(memory.id)}`} title="Unlink" onClick={() => void unlink()}>
        <Icon name="close" />
      </button>
      <span class="small muted">
        {memory.automatic ? "given as context" : "linked by hand"} {ago(memory.linked_at)}
        {memory.status !== "active" && `, now ${memory.status}`}
        {memory.reported && ", reported since"}
      </span>
      {task.status === "completed" && !memory.reported && (
        <div class="task-outcomes">
          {RESULTS.map(([result, word]) => (
            <button key={result} type="button" class="button" onClick={() => void report(result, word)}>
              <Tick result={result} /> {word}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}

interface Hits {
  hits: Memory[];
}

function LinkMore({ task, reload }: { task: Task; reload: () => void }) {
  const project = useProject();
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useRead<Hits>(
    "/api/search",
    { ...project, q: asked, limit: MOST_FOUND, peek: true },
    { idle: !asked, live: false },
  );
  const linked = new Set(task.memories.map((each) => each.id));
  const hits = asked ? (found.data?.hits ?? []).filter((each) => !linked.has(each.id)) : [];
  const link = async (memory: Memory) => {
    const does = () => write("POST", `${apiPathOf(task.ref)}/memories`, { memory_ids: [memory.id] }, { params: project });
    if (await act(does, `Linked ${shortId(memory.id)}`)) {
      setTyped("");
      reload();
    }
  };
  return (
    <section class="task-section">
      <label>
        <h3>Link a memory</h3>
        <input class="field" style={{ maxWidth: "none" }} type="search" placeholder="Search the memories" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      {asked && found.data && !hits.length && <p class="small muted">Nothing else matches.</p>}
      <ul class="task-found">
        {hits.map((memory) => (
          <li key={memory.id}>
            <button type="button" onClick={() => void link(memory)} title="Link this memory">
              <Shape family={familyOf(memory.category)} />
              <MemoryText text={memory.content} line />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Tasks of Beads and Claude Code, with the memories that belong to them. */

import { useState } from "preact/hooks";

import { apiAddress } from "../core/api";
import { useKeys } from "../core/keys";
import { address, go, setQuery } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { age, ago, count, fullTime } from "../model/time";
import { Plain } from "../parts/MemoryText";
import { Empty, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import { changedAt, matches, pathOf, programOf, refOf, statusWords, type Origin, type Task, type Tasks } from "../tasks/task";
import { TaskDetail } from "../tasks/TaskDetail";
import "../tasks/tasks.css";

const MOST = 200;
const DONE = ["completed", "cancelled"];
const SOURCES: readonly (readonly [string, string])[] = [
  ["", "All sources"],
  ["beads", "Beads"],
  ["claude", "Claude Code"],
];

export default function TasksView({ route }: ViewProps) {
  const project = useProject();
  const done = route.query.get("show") === "done";
  const source = route.query.get("source") ?? "";
  const name = refOf(route.parts);
  const [text, setText] = useState("");
  const params = { ...project, ...(source ? { source } : {}), limit: MOST };
  const now = useRead<Tasks>("/api/tasks", params);
  const finished = useRead<Tasks>("/api/tasks", { ...params, status: DONE });
  const reading = done ? finished : now;
  const items = (reading.data?.items ?? []).filter((task) => !text.trim() || matches(task, text.trim()));
  const kept = { show: done ? "done" : null, source: source || null };
  const open = (ref: string | null) => go(address(ref ? pathOf(ref) : "/tasks", kept), { keepScroll: true });
  const move = (step: number) => {
    const at = items.findIndex((each) => each.ref === name);
    const next = items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + step))];
    if (next) open(next.ref);
  };
  useKeys([
    { keys: "j", does: "Next task", run: () => move(1), group: "Tasks" },
    { keys: "k", does: "Previous task", run: () => move(-1), group: "Tasks" },
    { keys: "Escape", does: "Close the task", run: () => name && open(null), group: "Tasks" },
  ]);
  const beside = name ? null : reading.data;
  const reload = () => {
    now.reload();
    finished.reload();
  };
  return (
    <ViewPage
      title="Tasks"
      command={["mem tasks", done && "--status completed", source && `--source ${source}`].filter(Boolean).join(" ")}
      json={apiAddress("/api/tasks", done ? { ...params, status: DONE } : params)}
      padded={false}
      controls={
        <div class="tasks-controls">
          <div class="choices" role="group" aria-label="Which tasks">
            <button type="button" aria-pressed={!done} onClick={() => setQuery({ show: null })}>
              Now {now.data && <span class="muted">{count(now.data.total)}</span>}
            </button>
            <button type="button" aria-pressed={done} onClick={() => setQuery({ show: "done" })}>
              Done {finished.data && <span class="muted">{count(finished.data.total)}</span>}
            </button>
          </div>
          <select class="field source" aria-label="Source" value={source} onChange={(event) => setQuery({ source: event.currentTarget.value || null })}>
            {SOURCES.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
          <input class="field" type="search" aria-label="Filter the tasks" placeholder="Filter" data-filter value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </div>
      }
    >
      <div class={name ? "tasks open" : "tasks"}>
        {beside && <Ask tasks={beside.to_report} open={open} />}
        <div class="tasks-list">
          <Shown reading={reading}>
            {(found) => (
              <>
                {items.length ? (
                  <Table items={items} current={name} open={open} />
                ) : (
                  <Nothing found={found} text={text} done={done} clear={() => setText("")} />
                )}
                {found.total > found.items.length && (
                  <p class="tasks-note">
                    {count(found.items.length)} of {count(found.total)} are shown. Choose a source, or close tasks where they live.
                  </p>
                )}
              </>
            )}
          </Shown>
        </div>
        {name && <TaskDetail key={name} name={name} close={() => open(null)} changed={reload} />}
        {beside && <ReadFrom origins={beside.origins} />}
      </div>
    </ViewPage>
  );
}

function Ask({ tasks, open }: { tasks: readonly Task[]; open: (ref: string) => void }) {
  if (!tasks.length) return null;
  return (
    <section class="tasks-ask">
      <h2>Done: did their memories help?</h2>
      {tasks.slice(0, 5).map((task) => (
        <button key={task.ref} type="button" class="text-button" dir="auto" onClick={() => open(task.ref)}>
          <Plain text={task.title || task.id} />
        </button>
      ))}
      {tasks.length > 5 && <span class="muted">and {count(tasks.length - 5)} more under Done</span>}
    </section>
  );
}

function Table({ items, current, open }: { items: readonly Task[]; current: string | null; open: (ref: string) => void }) {
  const dated = items.some(changedAt);
  return (
    <table class="tasks-table">
      <thead>
        <tr>
          <th scope="col">Task</th>
          <th scope="col" class="beside-hidden">
            Source
          </th>
          <th scope="col">State</th>
          <th scope="col" class="right">
            Memories
          </th>
          {dated && (
            <th scope="col" class="right beside-hidden">
              Changed
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((task) => {
          const at = changedAt(task);
          return (
            <tr key={task.ref} aria-current={task.ref === current ? "true" : undefined} onClick={() => open(task.ref)}>
              <td>
                <a class="task-title" dir="auto" href={address(pathOf(task.ref))} onClick={(event) => { event.preventDefault(); event.stopPropagation(); open(task.ref); }}>
                  <Plain text={task.title || "Without a title"} />
                </a>
                <code class="task-id">
                  <Plain text={task.id} />
                </code>
              </td>
              <td class="beside-hidden">
                <span class="badge">{programOf(task)}</span>
              </td>
              <td class="nowrap">
                {statusWords(task)}
                {task.waits_for.length > 0 && <span class="muted small"> · waits for {count(task.waits_for.length)}</span>}
              </td>
              <td class={task.memories.length ? "right" : "right none"}>
                {task.memories.length ? count(task.memories.length) : "–"}
                <span class="linked-word"> linked</span>
              </td>
              {dated && (
                <td class={`right muted nowrap beside-hidden${at ? "" : " none"}`}>{at ? <time dateTime={at} title={fullTime(at)}>{age(at)}</time> : "–"}</td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Nothing({ found, text, done, clear }: { found: Tasks; text: string; done: boolean; clear: () => void }) {
  if (text && found.items.length)
    return (
      <Empty title="No task matches">
        <p>
          {count(found.items.length)} tasks are hidden by the filter.{" "}
          <button type="button" class="text-button" onClick={clear}>
            Show all
          </button>
        </p>
      </Empty>
    );
  if (found.origins.length) return <Empty title={done ? "Nothing is done yet" : "Nothing is left to do"}><p>The task files were read, and none of their tasks is {done ? "completed" : "open"}.</p></Empty>;
  return (
    <Empty title="No tasks here">
      <p>Tasks of Beads (a <code>.beads</code> folder in the project) and of Claude Code appear here, with the memories that belong to them.</p>
    </Empty>
  );
}

function ReadFrom({ origins }: { origins: readonly Origin[] }) {
  if (!origins.length) return null;
  return (
    <section class="tasks-note">
      <p>Read only: tasks are changed where they live. They were read just now from</p>
      <ul>
        {origins.slice(0, 12).map((origin) => (
          <li key={`${origin.source}${origin.where}`}>
            {origin.source === "beads" ? "Beads" : "Claude Code"}: <Plain text={origin.where} />, {count(origin.tasks)} {origin.tasks === 1 ? "task" : "tasks"}
            {origin.as_of && <span title={fullTime(origin.as_of)}>, written {ago(origin.as_of)}</span>}
            {origin.malformed > 0 && `, ${count(origin.malformed)} ${origin.malformed === 1 ? "entry is no task" : "entries are no tasks"}`}
            {origin.flaws.slice(0, 3).map((flaw) => (
              <span key={flaw}>
                , <Plain text={flaw} />
              </span>
            ))}
          </li>
        ))}
        {origins.length > 12 && <li>and {count(origins.length - 12)} more places</li>}
      </ul>
    </section>
  );
}

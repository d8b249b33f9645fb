/** What waits for a person: one thing at a time, with the keys of `mem review`. */

import { useEffect, useState } from "preact/hooks";

import { apiAddress, inProject, Problem, write } from "../core/api";
import { useKeys } from "../core/keys";
import { announceAnything } from "../core/live";
import { address, go } from "../core/router";
import { isLast, say, sayProblem, undo, undone } from "../core/toast";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { categoryWords, familyOf } from "../model/families";
import type { Memory } from "../model/memory";
import { age, count } from "../model/time";
import { shortId, withShortIds } from "../model/words";
import { Shape } from "../parts/Category";
import { MemoryText, Plain } from "../parts/MemoryText";
import { Empty, Failed, GreyLines } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import { isWithheld, withText } from "../parts/withheld";
import { EditDialog, ManyDialog, MergeDialog } from "../review/dialogs";
import { choicesOf, favoured, holdsForAll, KINDS, versionsOf, type Choice, type Kind, type Waiting } from "../review/queue";
import { Sides, standsUnder } from "../review/Sides";
import { useQueue, type Row } from "../review/useQueue";
import "../review/review.css";

type Asking = { choice: Choice } | "many" | null;

export default function Review({ route }: ViewProps) {
  const params = useProject();
  const { reading, rows, settle, reopen, seen } = useQueue();
  const [shown, setShown] = useState<Memory[]>([]);
  const [asking, setAsking] = useState<Asking>(null);
  const [aimed, setAimed] = useState<Choice | null>(null);
  const [busy, setBusy] = useState(false);
  const all = rows ?? [];
  const [, kind, name] = route.parts;
  const current =
    all.find((row) => row.name === name && row.item.kind === kind) ?? all.find((row) => !row.done) ?? null;
  const at = current ? all.indexOf(current) : -1;
  const clear = (side: Memory) => shown.find((each) => each.id === side.id && each.version === side.version) ?? side;
  const item = current && {
    ...current.item,
    memory: clear(current.item.memory),
    other: current.item.other && clear(current.item.other),
  };
  const open = all.filter((row) => !row.done).length;
  const toRow = (row: Row | null | undefined) => {
    setAimed(null);
    go(address(row ? addressOf(row) : "/review"), { replace: true, keepScroll: true });
  };
  useEffect(() => scrollTo(0, 0), [current?.name]); // a phone shows the item over the queue
  const next = (names: string[]) =>
    toRow([...all.slice(at + 1), ...all.slice(0, at)].find((row) => !row.done && !names.includes(row.name)));
  useEffect(() => setAsking(null), [current?.name]);

  const sent = async (names: string[], word: string, send: () => Promise<{ operation: string | null }>) => {
    if (busy) return;
    setBusy(true);
    setAsking(null);
    try {
      const { operation } = await send();
      settle(names, word, operation);
      say(names.length > 1 ? `${word}: ${count(names.length)}` : word, operation);
      next(names);
    } catch (failure) {
      if (failure instanceof Problem && failure.code === "changed_meanwhile") reading.reload();
      sayProblem(failure);
    } finally {
      setBusy(false);
      announceAnything();
    }
  };
  const decide = (row: Row, choice: Choice, more: object = {}) => {
    const { item } = row;
    const [first, second] = choice.turned && item.other ? [item.other, item.memory] : [item.memory, item.other];
    const body = { decision: choice.decision, other: second?.id, kind: item.kind, versions: versionsOf(item), ...more };
    return sent([row.name], choice.done, () =>
      write("POST", `/api/review/${first.id}/decide`, withoutEmpty(body), { params: inProject() }),
    );
  };
  const decideMany = (choice: Choice, items: Waiting[]) => {
    const names = all.filter((row) => items.includes(row.item)).map((row) => row.name);
    const versions = Object.fromEntries(items.map(({ memory }) => [memory.id, memory.version]));
    const body = { memory_ids: Object.keys(versions), kind: items[0]!.kind, decision: choice.decision, versions };
    return sent(names, choice.done, () => write("POST", "/api/review/decide", body, { params: inProject() }));
  };
  const show = async (memory: Memory) => {
    try {
      setShown([await withText(memory), ...shown]);
      announceAnything(); // the passphrase shows the others too
    } catch (failure) {
      sayProblem(failure);
    }
  };
  const choose = (row: Row, choice: Choice) => {
    if (choice.decision === "edit" || choice.decision === "merge") setAsking({ choice });
    else void decide(row, choice);
  };
  useEffect(
    () =>
      undone.watch(() => {
        const row = all.find((each) => each.done?.operation === undone.get());
        if (!row) return;
        reopen(row.done!.operation!);
        toRow(row);
      }),
    [rows],
  );
  const choices = current && !current.done ? choicesOf(current.item) : [];
  const step = (by: number) => all.length && toRow(all[(at + by + all.length) % all.length]);
  useKeys([
    ...choices.map((choice) => ({
      keys: choice.key,
      does: choice.label,
      run: () => current && choose(current, choice),
      group: "Review",
    })),
    { keys: "s", does: "Skip", run: () => next(current ? [current.name] : []), group: "Review" },
    { keys: "u", does: "Take back the last decision", run: () => void undo(), group: "Review" },
    { keys: "ArrowDown", does: "Next", run: () => step(1), group: "Review" },
    { keys: "ArrowUp", does: "Previous", run: () => step(-1), group: "Review" },
  ], !asking);

  const decided = all.length - open;
  return (
    <ViewPage
      title="Review"
      command="mem review"
      json={apiAddress("/api/review", params)}
      padded={false}
      controls={all.length > 0 && <span class="muted">{`${count(decided)} of ${count(all.length)} decided`}</span>}
    >
      {reading.problem && !rows && <Failed problem={reading.problem} retry={reading.reload} />}
      {!rows && reading.slow && <GreyLines />}
      {rows && !current && <Done decided={decided} />}
      {current && item && (
        <div class="review">
          <Kinds rows={all} current={current} more={reading.data?.next ? reading.data.total - all.length : 0} />
          <section class="review-item" aria-label="What is decided about">
            <Heading row={current} seen={() => seen(current.name)} />
            <Sides
              key={current.name}
              item={item}
              show={(memory) => void show(memory)}
              decide={(turned) => (
                <Buttons
                  row={current}
                  choices={choices.filter((each) => standsUnder(each, turned, current.item))}
                  busy={busy}
                  choose={(choice) => choose(current, choice)}
                  aim={setAimed}
                />
              )}
            />
            {current.done ? (
              <p class="will">
                {current.done.word}.{" "}
                {current.done.operation && (
                  <button type="button" class="text-button" onClick={() => void undo(current.done!.operation!)}>
                    Take back {isLast(current.done.operation) && <kbd class="by-key">u</kbd>}
                  </button>
                )}
              </p>
            ) : (
              <Will
                choice={aimed ?? favoured(current.item)}
                like={likeIt(all, current)}
                many={() => setAsking("many")}
                skip={() => next([current.name])}
              />
            )}
          </section>
        </div>
      )}
      {current && asking === "many" && (
        <ManyDialog
          items={[current.item, ...likeIt(all, current)]}
          choices={choices.filter((each) => holdsForAll(current.item, each))}
          close={() => setAsking(null)}
          decide={(choice, items) => void decideMany(choice, items)}
        />
      )}
      {current && item && asking && asking !== "many" && asking.choice.decision === "edit" && (
        <EditDialog
          item={item}
          close={() => setAsking(null)}
          save={(content) => void decide(current, asking.choice, { content })}
        />
      )}
      {current && item && asking && asking !== "many" && asking.choice.decision === "merge" && (
        <MergeDialog
          item={item}
          close={() => setAsking(null)}
          merge={(text) => void decide(current, asking.choice, { text })}
        />
      )}
    </ViewPage>
  );
}

function addressOf(row: Row): string {
  return `/review/${row.item.kind}/${row.name}`;
}

function withoutEmpty(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null));
}

/** The open items that wait for the same reason as one. */
function likeIt(rows: Row[], { item, name }: Row): Waiting[] {
  if (!choicesOf(item).some((each) => holdsForAll(item, each))) return [];
  const same = (other: Waiting) => other.kind === item.kind && (item.kind !== "held" || other.reason === item.reason);
  return rows.filter((row) => !row.done && row.name !== name && same(row.item)).map((row) => row.item);
}

function Heading({ row, seen }: { row: Row; seen: () => void }) {
  const { item } = row;
  const likeness = item.similarity === null ? "" : ` Similarity ${item.similarity.toFixed(2)}.`;
  const reason = item.reason.replace(/^[a-z]+(?=[ ,.]|: |$)/u, (word) => word.charAt(0).toUpperCase() + word.slice(1)); // not a path
  return (
    <header class="review-heading">
      <h2>{KINDS[item.kind].asks}</h2>
      <p class="secondary" dir="auto">
        <Plain text={`${withShortIds(reason)}.${likeness}`} />
      </p>
      {row.changed && (
        <p class="changed" role="status">
          It was changed meanwhile and is shown as it is now; nothing was decided.{" "}
          <button type="button" class="text-button" onClick={seen}>
            I have seen it
          </button>
        </p>
      )}
    </header>
  );
}

interface ButtonsProps {
  row: Row;
  choices: Choice[];
  busy: boolean;
  choose: (choice: Choice) => void;
  aim: (choice: Choice | null) => void;
}

function Buttons({ row, choices, busy, choose, aim }: ButtonsProps) {
  const best = favoured(row.item);
  const is = (one: Choice | null, other: Choice) => one?.decision === other.decision && Boolean(one.turned) === Boolean(other.turned);
  return (
    <>
      {choices.map((choice) => (
        <button
          key={choice.key}
          type="button"
          class={is(best, choice) ? "button primary" : "button"}
          disabled={busy}
          onClick={() => choose(choice)}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          onMouseEnter={() => aim(choice)}
          onMouseLeave={() => aim(null)}
          onFocus={() => aim(choice)}
          onBlur={() => aim(null)}
        >
          <kbd>{choice.key}</kbd> {choice.label}
        </button>
      ))}
    </>
  );
}

interface WillProps {
  choice: Choice | null;
  like: Waiting[];
  many: () => void;
  skip: () => void;
}

/** One line that says what will happen. */
function Will({ choice, like, many, skip }: WillProps) {
  return (
    <div class="will">
      <p>
        {choice ? (
          <>
            <b>{choice.label.replace("…", "")}:</b> {choice.does}{" "}
            <span class="nowrap by-key">
              Taken back with <kbd>u</kbd>
            </span>
          </>
        ) : (
          <>The evidence favours nothing here: choose<span class="by-key">, or press a key</span>.</>
        )}
      </p>
      {like.length > 0 && (
        <button type="button" class="text-button" onClick={many}>
          and the other {count(like.length)} like it…
        </button>
      )}
      <button type="button" class="button" onClick={skip}>
        <kbd>s</kbd> Skip
      </button>
    </div>
  );
}

/** The queue by kind; what is decided stays in its place. */
function Kinds({ rows, current, more }: { rows: Row[]; current: Row; more: number }) {
  const kinds = [...new Set(rows.map((row) => row.item.kind))];
  return (
    <nav class="review-kinds" aria-label="What waits">
      {kinds.map((kind: Kind) => {
        const own = rows.filter((row) => row.item.kind === kind);
        return (
          <section key={kind}>
            <h3>
              {KINDS[kind].title} <span>{count(own.filter((row) => !row.done).length)}</span>
            </h3>
            <ul>
              {own.map((row) => (
                <li key={row.name}>
                  <a href={address(addressOf(row))} aria-current={row === current ? "true" : undefined} class={row.done ? "decided" : undefined}>
                    <Shape family={familyOf(row.item.memory.category)} />
                    <span>
                      <span class="hidden-text">{categoryWords(row.item.memory.category)}: </span>
                      <span class="review-name">
                        <MemoryText text={row.item.memory.content} line />
                      </span>
                      {isWithheld(row.item.memory) && (
                        <span class="small muted">
                          {categoryWords(row.item.memory.category)} <code>{shortId(row.item.memory.id)}</code>, {age(row.item.memory.created_at)}
                        </span>
                      )}
                      {row.done && (
                        <span class="small muted">
                          {isWithheld(row.item.memory) && ", "}
                          {row.done.word.toLowerCase()}
                        </span>
                      )}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {more > 0 && <p class="small muted">{count(more)} more wait; they appear when these are decided.</p>}
    </nav>
  );
}

function Done({ decided }: { decided: number }) {
  return (
    <Empty title={decided ? "All decided" : "Nothing waits for you"}>
      <p>
        {decided
          ? `You decided about ${count(decided)}. The last one is taken back with u.`
          : "Doubtful memories, contradictions, changed sources and proposals appear here."}
      </p>
    </Empty>
  );
}

/** The memories: filter, table, and the detail beside it or as a page of its own. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { tell } from "../core/announcer";
import { apiAddress, write } from "../core/api";
import { useKeys } from "../core/keys";
import { address, go, setQuery, type Route } from "../core/router";
import { useValue } from "../core/state";
import { act } from "../core/toast";
import { useList } from "../core/useList";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { FAMILIES } from "../model/families";
import type { Memory, MemoryPage } from "../model/memory";
import { commandOf, countParams, countsOf, KEYS, paramsOf, parseQuery, withWord, writeQuery, writeWord, type Word } from "../model/query";
import { count } from "../model/time";
import { Bulk } from "../parts/Bulk";
import { Shape } from "../parts/Category";
import { columns, OPTIONAL, toggleColumn } from "../parts/columns";
import { Detail } from "../parts/Detail";
import { DetailPage } from "../parts/DetailPage";
import { Icon } from "../parts/Icon";
import { MemoryTable } from "../parts/MemoryTable";
import { Menu } from "../parts/Menu";
import { QueryField } from "../parts/QueryField";
import { Empty, Failed, GreyLines } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import "./memories.css";

const PAGE = 50;

type Facets = Record<string, Record<string, number>> & { total?: never };

export default function Memories({ route }: ViewProps) {
  const id = route.parts[1];
  return id ? <DetailPage key={id} id={id} section={route.hash} /> : <List route={route} />;
}

function List({ route }: { route: Route }) {
  const q = route.query.get("q") ?? "";
  const sort = route.query.get("sort") ?? "-created";
  const cursor = route.query.get("cursor");
  const open = route.query.get("open");
  const words = parseQuery(q);
  const project = useProject();
  const params = {
    ...project,
    ...paramsOf(words),
    sort: sort.replace("-", ""),
    ascending: sort.startsWith("-") ? undefined : true,
    limit: PAGE,
    cursor,
  };
  const list = useList<Memory, MemoryPage>("/api/memories", params);
  const items = list.data?.items ?? [];
  const waiting = [list.fresh && `${count(list.fresh)} new`, list.came && `${count(list.came)} changed: show`].filter(Boolean).join(", ");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [mark, setMark] = useState<string | null>(null);
  const at = [open, mark].find((id) => items.some((each) => each.id === id)) ?? null; // keys reach only what is shown
  const question = `${q} ${sort} ${route.query.get("p") ?? ""}`;
  const pages = usePages(question, cursor);
  const page = useRef(0);
  if (!list.earlier) page.current = pages.at;
  useEffect(() => {
    if (open) setMark(open);
  }, [open]);
  useLayoutEffect(() => rowOf(open ?? mark)?.scrollIntoView({ block: "nearest" }), [open, items.length > 0]); // the rows are higher or lower now
  const [wanted, setWanted] = useState<string | null>(null);
  const ready = list.data !== null;
  const facets = useRead<Facets>("/api/facets", { ...project, ...countParams(words, wanted ?? "") }, { idle: wanted === null });

  useEffect(() => {
    setChosen(new Set());
    document.getElementById("list")?.scrollTo(0, 0);
    scrollTo(0, 0); // on a phone, the list is as high as its rows
  }, [question, cursor]);
  useEffect(() => {
    if (waiting) tell(`Memories: ${waiting}`);
  }, [waiting]);

  const show = (memory: string | null, replace = open !== null) => {
    setQuery({ open: memory }, replace);
    if (!memory) focusRow(at);
  };
  const move = (step: number) => {
    const from = items.findIndex((each) => each.id === at);
    const next = items[Math.max(0, Math.min(items.length - 1, from + step))];
    if (!next) return;
    if (open) setQuery({ open: next.id });
    else setMark(next.id);
    focusRow(next.id);
  };
  const [asked, setAsked] = useState(false);
  const choosing = chosen.size > 0 || asked;
  const selectNothing = () => {
    setAsked(false);
    setChosen(new Set());
  };
  const lastChosen = useRef<string | null>(null);
  const toggle = (memory: string, upTo = false) => {
    const places = [lastChosen.current, memory].map((id) => items.findIndex((each) => each.id === id));
    lastChosen.current = memory;
    const range = upTo && !places.includes(-1) ? items.slice(Math.min(...places), Math.max(...places) + 1) : [];
    const next = new Set([...chosen, ...range.map((each) => each.id)]);
    if (!range.length && !next.delete(memory)) next.add(memory);
    setChosen(next);
  };
  const onRow = (does: (memory: string) => void) => () => at && does(at);
  const report = (result: string) => onRow((memory) => void act(() => write("POST", "/api/outcomes", { memory_ids: [memory], result }), `Reported: ${result === "partial" ? "partly" : result}`));
  const next = () => {
    if (!list.data?.next || list.earlier) return;
    pages.turn(list.data.next);
    setQuery({ cursor: list.data.next, open: null }, false);
  };
  const back = () => cursor && setQuery({ cursor: pages.before, open: null }, false);
  useKeys([
    { keys: "j", does: "Next memory", run: () => move(1), group: "Memories" },
    { keys: "k", does: "Previous memory", run: () => move(-1), group: "Memories" },
    { keys: "Enter", does: "Open", run: onRow((memory) => show(memory, false)), group: "Memories" },
    { keys: "Space", does: "Select", run: onRow((memory) => toggle(memory)), group: "Memories" },
    { keys: "Escape", does: "Close, or clear the selection", run: () => (open ? show(null) : selectNothing()), group: "Memories" },
    { keys: "[", does: "Previous page", run: () => void back(), group: "Memories" },
    { keys: "]", does: "Next page", run: next, group: "Memories" },
    ...(open
      ? []
      : [
          { keys: "w", does: "It worked", run: report("worked"), group: "Memories" },
          { keys: "p", does: "It helped partly", run: report("partial"), group: "Memories" },
          { keys: "f", does: "It failed", run: report("failed"), group: "Memories" },
        ]),
  ]);
  const command = commandOf(words, sort);
  const change = (text: string) => setQuery({ q: text, cursor: null });
  return (
    <ViewPage
      title="Memories"
      padded={false}
      command={command}
      menu={[{ label: "Select several", keys: "Space", run: () => setAsked(true) }]}
      json={apiAddress("/api/memories", params)}
      controls={<QueryField q={q} change={change} facets={facets.data ?? undefined} wantFacets={setWanted} />}
    >
      <div class="memories">
        <Families words={words} change={change} ready={ready} />
        {choosing && (
          <Bulk
            ids={[...chosen]}
            memories={items.filter((each) => chosen.has(each.id))}
            here={items.length}
            all={() => setChosen(new Set(items.map((each) => each.id)))}
            done={() => { selectNothing(); list.reload(); }}
          />
        )}
        <div class={open ? "split open" : "split"}>
          <div class={list.stale ? "list dim" : "list"} id="list">
            {waiting && !cursor && (
              <button type="button" class="fresh" onClick={list.reload}>
                {waiting}
              </button>
            )}
            {list.problem && (!list.data || list.problem.code !== "server_gone") ? (
              <Failed problem={list.problem} retry={list.reload} />
            ) : !list.data ? (
              list.slow && <GreyLines lines={12} />
            ) : items.length ? (
              <MemoryTable
                items={items}
                failing={list.data.failing}
                sort={sort}
                setSort={(by) => setQuery({ sort: by === "-created" ? null : by, cursor: null })}
                current={open ?? at}
                open={open !== null}
                choosing={choosing}
                chosen={chosen}
                toggle={toggle}
                show={(memory) => show(memory, open !== null)}
              />
            ) : (
              <Nothing words={words} change={change} />
            )}
          </div>
          {open && (
            <aside class="beside" aria-label="Memory">
              <Detail key={open} id={open} close={() => show(null)} changed={list.reload} />
            </aside>
          )}
        </div>
        <Pager total={list.data?.total ?? null} from={page.current * PAGE} shown={items.length} hasNext={Boolean(list.data?.next)} hasBack={cursor !== null} next={next} back={() => void back()} />
      </div>
    </ViewPage>
  );
}

function rowOf(id: string | null): HTMLElement | null {
  return id ? document.getElementById(`row-${id}`) : null;
}

function focusRow(id: string | null): void {
  requestAnimationFrame(() => {
    const row = rowOf(id);
    if (!row) return;
    row.scrollIntoView({ block: "nearest" });
    row.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
  });
}

/** Remember the cursors of the pages that were turned, as long as the question stays the same. */
function usePages(question: string, cursor: string | null) {
  const kept = useRef({ question, cursors: [cursor] });
  if (kept.current.question !== question || !kept.current.cursors.includes(cursor)) kept.current = { question, cursors: [cursor] };
  const { cursors } = kept.current;
  const at = cursors.indexOf(cursor);
  return {
    /** The number of pages before this one; below zero where the list was opened in its middle. */
    at: cursors[0] === null ? at : -1,
    before: cursors[at - 1] ?? null,
    turn: (next: string) => cursors.splice(at + 1, cursors.length, next),
  };
}

function Families({ words, change, ready }: { words: Word[]; change: (q: string) => void; ready: boolean }) {
  const facets = useRead<Facets>("/api/facets", { ...useProject(), ...countParams(words, "family") }, { idle: !ready });
  const counts = facets.data?.["family"];
  const chosen = words.find((each) => each.key === "family")?.value;
  const all = counts && Object.values(counts).reduce((sum, each) => sum + each, 0);
  const choose = (family: string) => change(writeQuery(withWord(words.filter((each) => each.key !== "category"), "family", family)));
  return (
    <div class="families" role="group" aria-label="Families">
      <button type="button" aria-pressed={!words.some((each) => each.key === "family" || each.key === "category")} onClick={() => choose("")}>
        All <span class="number">{all === undefined ? "" : count(all)}</span>
      </button>
      {FAMILIES.map((family) => (
        <button
          key={family.name}
          type="button"
          aria-pressed={chosen === family.name}
          title={family.categories.join(", ").replaceAll("_", " ")}
          onClick={() => choose(chosen === family.name ? "" : family.name)}
        >
          <Shape family={family.name} /> {family.title}{" "}
          <span class="number">{counts ? count(counts[family.name] ?? 0) : ""}</span>
        </button>
      ))}
      <div class="strip-menus">
        <WordMenu label="Source" keyed="source" words={words} change={change} />
        <WordMenu label="Reports" keyed="reports" words={words} change={change} />
        <ColumnMenu />
      </div>
    </div>
  );
}

/** Choose the value of one word of the filter. */
function WordMenu({ label, keyed, words, change }: { label: string; keyed: string; words: Word[]; change: (q: string) => void }) {
  const [wanted, setWanted] = useState(false);
  const facets = useRead<Facets>("/api/facets", { ...useProject(), ...countParams(words, keyed) }, { idle: !wanted });
  const counts = countsOf(keyed, facets.data ?? undefined);
  const chosen = words.find((each) => each.key === keyed)?.value;
  const choose = (value: string) => change(writeQuery(withWord(words, keyed, value)));
  const items = (KEYS[keyed]?.values ?? []).map((value) => ({
    label: value,
    checked: chosen === value,
    hint: counts && count(counts[value] ?? 0),
    run: () => choose(chosen === value ? "" : value),
  }));
  return (
    <Menu label={label} kind="plain-menu" opened={() => setWanted(true)} items={[{ label: "any", checked: !chosen, run: () => choose("") }, ...items]}>
      {label}
      {chosen && <b>{chosen}</b>} <Icon name="down" />
    </Menu>
  );
}

function ColumnMenu() {
  const shown = useValue(columns);
  const items = OPTIONAL.map(({ name, title }) => ({ label: title, checked: shown.has(name), run: () => toggleColumn(name) }));
  return (
    <Menu label="Columns" kind="plain-menu" items={items} stays>
      Columns <Icon name="down" />
    </Menu>
  );
}

function Nothing({ words, change }: { words: Word[]; change: (q: string) => void }) {
  if (!words.length)
    return (
      <Empty title="No memories yet" command={'mem add "The tests need Redis on port 6380" -c environment'}>
        <p>What you and your agents store appears here by itself. Store the first one at a terminal:</p>
      </Empty>
    );
  return (
    <Empty title="Nothing fits all of these words">
      <p>Leave one out:</p>
      <p class="drops">
        {words.map((word) => (
          <button key={writeWord(word)} type="button" class="chip" onClick={() => change(writeQuery(words.filter((each) => each !== word)))}>
            {writeWord(word)} <b>×</b>
          </button>
        ))}
      </p>
      <p>
        <a href={address("/memories")} onClick={(event) => { event.preventDefault(); go(address("/memories")); }}>
          Show all memories
        </a>
      </p>
    </Empty>
  );
}

function Pager(props: { total: number | null; from: number; shown: number; hasNext: boolean; hasBack: boolean; next: () => void; back: () => void }) {
  const { total, from, shown, hasNext, hasBack, next, back } = props;
  const range = from >= 0 && shown > 0 ? `${count(from + 1)}–${count(from + shown)}` : "";
  return (
    <footer class="pager">
      <span>
        <b>{range}</b> {total !== null && (range ? `of ${count(total)}` : `${count(total)} in all`)}
      </span>
      {(hasBack || hasNext) && (
        <span class="pages">
          <button type="button" class="text-button" disabled={!hasBack} onClick={back}>
            Previous
          </button>
          <button type="button" class="text-button" disabled={!hasNext} onClick={next}>
            Next
          </button>
        </span>
      )}
      {shown > 0 && (
        <span class="hints" aria-hidden="true">
          <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open <kbd>Space</kbd> select
        </span>
      )}
    </footer>
  );
}

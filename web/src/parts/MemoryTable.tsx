/** The table of memories. */

import { address } from "../core/router";
import { useValue } from "../core/state";
import { categoryWords } from "../model/families";
import type { Memory } from "../model/memory";
import { age, count, fullTime } from "../model/time";
import { Category } from "./Category";
import { Icon } from "./Icon";
import { MemoryText, Plain } from "./MemoryText";
import { Score, Tally } from "./Tally";
import { columns, OPTIONAL, type OptionalColumn } from "./columns";

interface Column {
  title: string;
  kind: string;
  /** The order of the list by this column. */
  sort?: string;
  /** Sorts upwards first. */
  ascending?: boolean;
  /** Says what is counted. */
  about?: string;
}

const COLUMNS: readonly Column[] = [
  { title: "Category", kind: "category-cell", sort: "category", ascending: true },
  { title: "Memory", kind: "text-cell" },
  { title: "Reports", kind: "tally-cell" },
  { title: "Score", kind: "right", sort: "score" },
  { title: "Uses", kind: "right uses-cell", sort: "used", about: "how often it was given to an agent, reported on, or opened by one" },
  { title: "Age", kind: "right age-cell", sort: "created" },
];

export interface MemoryTableProps {
  items: Memory[];
  failing: string[];
  sort: string;
  setSort: (sort: string) => void;
  current: string | null;
  open: boolean;
  /** Are the boxes shown, to select several? */
  choosing: boolean;
  chosen: ReadonlySet<string>;
  /** Select or not; `upTo` takes all rows since the last one that was selected. */
  toggle: (id: string, upTo?: boolean) => void;
  show: (id: string) => void;
}

export function MemoryTable(props: MemoryTableProps) {
  const { items, sort, setSort, choosing } = props;
  const more = useOptional(props.open);
  return (
    <table class={choosing ? "memory-table choosing" : "memory-table"}>
      <thead>
        <tr>
          <th class="choose-cell">
            <span class="hidden-text">Select</span>
          </th>
          {COLUMNS.map((column) => (
            <Heading key={column.title} column={column} sort={sort} setSort={setSort} />
          ))}
          {more.map((column) => (
            <Heading key={column.name} column={{ kind: "more-cell", ...column }} sort={sort} setSort={setSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((memory) => (
          <Row key={memory.id} memory={memory} more={more} {...props} />
        ))}
      </tbody>
    </table>
  );
}

/** Optional columns have no place beside an open memory. */
function useOptional(open: boolean): readonly OptionalColumn[] {
  const chosen = useValue(columns);
  return open ? [] : OPTIONAL.filter((each) => chosen.has(each.name));
}

function Heading({ column, sort, setSort }: { column: Column; sort: string; setSort: (sort: string) => void }) {
  const { title, kind, sort: by, ascending, about } = column;
  if (!by) return <th class={kind}>{title}</th>;
  const on = sort.replace("-", "") === by;
  const up = on && !sort.startsWith("-");
  const other = on ? (up ? `-${by}` : by) : ascending ? by : `-${by}`;
  return (
    <th class={kind} aria-sort={on ? (up ? "ascending" : "descending") : undefined}>
      <button type="button" title={about} onClick={() => setSort(other)}>
        {title}
        {on && <Icon name={up ? "up" : "down"} />}
      </button>
    </th>
  );
}

function Row({ memory, more, failing, current, open, chosen, toggle, show }: MemoryTableProps & { memory: Memory; more: readonly OptionalColumn[] }) {
  const isCurrent = current === memory.id;
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    if ((event.target as Element).closest("input, label")) return;
    if (getSelection()?.toString()) return;
    event.preventDefault();
    show(memory.id);
  };
  return (
    <tr
      id={`row-${memory.id}`}
      class={memory.status === "active" ? undefined : "inactive"}
      aria-current={isCurrent ? "true" : undefined}
      data-open={open && isCurrent ? "" : undefined}
      onClick={follow}
    >
      <td class="choose-cell">
        <label>
          <input type="checkbox" checked={chosen.has(memory.id)} onClick={(event) => toggle(memory.id, event.shiftKey)} aria-label="Select this memory" />
        </label>
      </td>
      <td class="category-cell" title={categoryWords(memory.category)}>
        <Category name={memory.category} />
      </td>
      <td class="text-cell">
        <a href={address(`/memories/${memory.id}`)} class="clamped">
          <MemoryText text={memory.content} line />
        </a>
        {(memory.status !== "active" || failing.includes(memory.id)) && (
          <span class="badge">{memory.status === "active" ? "failing" : memory.status}</span>
        )}
      </td>
      <td class="tally-cell">
        <Tally counts={memory} />
      </td>
      <td class="right">
        <Score counts={memory} score={memory.outcome_score} />
      </td>
      <td class="right muted uses-cell" title={`given: ${count(memory.recall_count)}, used: ${count(memory.use_count)}`}>
        {count(memory.recall_count + memory.use_count)}
      </td>
      <td class="right muted age-cell" title={fullTime(memory.created_at)}>
        {age(memory.created_at)}
      </td>
      {more.map((column) => (
        <td key={column.name} class="more-cell muted">
          <Plain text={column.text(memory)} />
        </td>
      ))}
    </tr>
  );
}

"""Read and write runs, and read the timeline of events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_layer.model.episodes import Episode, EpisodeKind, Timeline
from memory_layer.model.query import place, values_at
from memory_layer.store import rows
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.filters import reach

if TYPE_CHECKING:
    from memory_layer.model.runs import Ending, Run
    from memory_layer.ports.log import EventFilter, RunFilter
    from memory_layer.store.sqlite.connection import Connections


READ_RUN = (
    "select u.*, r.id as recall_id, r.at, r.writer, r.session, q.text, p.key as project_key,"
    " (select count(*) from recall_item i where i.recall = r.row) as n,"
    " (select json_group_array(id) from (select m.id from run_used x join memory m on m.row = x.memory"
    "  where x.run = u.row order by m.id)) as used"
    " from run u join recall r on r.row = u.recall join query q on q.row = r.query"
    " left join project p on p.row = r.project "
)


#: The condition of the index `memory_session_end`, verbatim, or SQLite does not use it.
_ENDS = "json_extract(m.metadata, '$.kind') = 'session_end'"
#: Look up a few events of a long session one by one.
_ALL = "memory m left join episode e on e.memory = m.id"
_OF_A_SESSION = "episode e cross join memory m on m.id = e.memory"


class RunRows:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def put_run(self, run: Run) -> None:
        """Store a run, whose recall is already stored, or its result."""
        end = run.ending
        self._connection.run(
            "insert into run (id, recall, write_scope, included, excluded, result, finished_at, finished_by)"
            " values (?, (select row from recall where id = ?), ?, ?, ?, ?, ?, ?) on conflict (id) do update set"
            " result = excluded.result, finished_at = excluded.finished_at, finished_by = excluded.finished_by",
            [
                run.id,
                run.recall,
                *(to_json(list(each)) for each in (run.write_scope, run.included, run.excluded)),
                *((end.result.stored.value, to_micros(end.at), end.by) if end else (None, None, None)),
            ],
        )
        self._connection.run("delete from run_used where run = (select row from run where id = ?)", [run.id])
        self._connection.run_many(
            "insert into run_used (run, memory)"
            " select u.row, m.row from run u, memory m where u.id = ? and m.id = ?",
            ((run.id, memory_id) for memory_id in sorted(end.used if end else ())),
        )

    def runs(self, wanted: RunFilter, limit: int | None) -> list[Run]:
        """Return runs, newest first, without their context."""
        conditions: dict[str, object] = {
            "p.id = ?": wanted.project,
            "u.id in (select value from json_each(?))": None
            if wanted.ids is None
            else to_json([*wanted.ids]),
        }
        chosen = {sql: value for sql, value in conditions.items() if value is not None}
        parts = [*chosen, *(["u.result is not null"] if wanted.ended else [])]
        found = self._connection.rows(
            f"{READ_RUN}where {' and '.join(parts or ['true'])} order by u.row desc limit ?",
            [*chosen.values(), -1 if limit is None else limit],
        )
        return [_run(row) for row in found]


def _run(row: Any) -> Run:
    from memory_layer.model.runs import Run

    return Run(
        id=row["id"],
        task=row["text"],
        write_scope=tuple(json.loads(row["write_scope"])),
        at=moment(row["at"]),
        writer=row["writer"],
        session=row["session"],
        project=row["project_key"],
        recall=row["recall_id"],
        memories=row["n"],
        included=tuple(json.loads(row["included"])),
        excluded=tuple(json.loads(row["excluded"])),
        ending=_ending(row),
    )


def _ending(row: Any) -> Ending | None:
    from memory_layer.model.runs import Ending, RunResult

    if row["result"] is None:
        return None
    used = tuple(json.loads(row["used"]))
    return Ending(RunResult(row["result"]), moment(row["finished_at"]), row["finished_by"], used)


def timeline(connection: Connections, span: EventFilter, limit: int, after: str | None) -> Timeline:
    """Return the last events before the cursor `after`, in chronological order."""
    found = connection.rows(*statement(span, limit, after))
    first = found[limit - 1] if len(found) > limit else None
    items = (
        Episode(rows.memory_from(row), row["told_session"], row["told_number"])
        for row in reversed(found[:limit])
    )
    return Timeline(tuple(items), place([first["created_at"], first["row"]]) if first else None)


def statement(span: EventFilter, limit: int, after: str | None) -> tuple[str, list[Any]]:
    """Compile a span to a statement that reads one event more than the limit, newest first."""
    condition, parameters = _spanned(span)
    if after is not None:
        condition += " and (m.created_at, m.row) < (?, ?)"
        parameters += values_at(after, int, int)
    return (
        "select m.*, p.key as project_key, e.session as told_session, e.number as told_number"
        f" from {_ALL if span.session is None else _OF_A_SESSION} left join project p on p.row = m.project"
        f" where {condition} order by m.created_at desc, m.row desc limit ?",
        [*parameters, limit + 1],
    )


def _spanned(span: EventFilter) -> tuple[str, list[Any]]:
    """Compile the condition for the events of a span; those that await review are hidden."""
    has_index = span.only_own and span.kinds == (EpisodeKind.SESSION_END,)
    # The unary plus keeps SQLite from reading and sorting a whole project.
    whose, parameters = reach(span.filters, "m.project" if has_index else "+m.project", span.only_own)
    condition = f"m.tier = 'episodic' and m.status <> 'staged' and {whose}"
    bounds = {"m.created_at >= ?": span.filters.after, "m.created_at < ?": span.filters.before}
    for sql, bound in bounds.items():
        if bound is not None:
            condition += f" and {sql}"
            parameters = [*parameters, rows.to_micros(bound)]
    if span.session is not None:
        condition += " and e.session = ?"
        parameters = [*parameters, span.session]
    if has_index:
        condition += f" and {_ENDS}"
    elif span.kinds:
        condition += " and json_extract(m.metadata, '$.kind') in (select value from json_each(?))"
        parameters = [*parameters, json.dumps([kind.value for kind in span.kinds])]
    if span.outcomes:
        condition += " and json_extract(m.metadata, '$.outcome') in (select value from json_each(?))"
        parameters = [*parameters, json.dumps(list(span.outcomes))]
    return condition, [*parameters]

"""Runs: what they were given, and how they ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_layer.store.rows import moment, to_json, to_micros

if TYPE_CHECKING:
    from memory_layer.model.runs import Ending, Run
    from memory_layer.ports.log import Runs
    from memory_layer.store.sqlite.connection import Connections

READ_RUN = (
    "select u.*, r.id as recall_id, r.at, r.writer, r.session, q.text, p.key as project_key,"
    " (select count(*) from recall_item i where i.recall = r.row) as n,"
    " (select json_group_array(id) from (select m.id from run_used x join memory m on m.row = x.memory"
    "  where x.run = u.row order by m.id)) as used"
    " from run u join recall r on r.row = u.recall join query q on q.row = r.query"
    " left join project p on p.row = r.project "
)


class RunRows:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def put_run(self, run: Run) -> None:
        """Store a run whose recall is there already, or how it ended."""
        end = run.ending
        self._connection.run(
            "insert into run (id, recall, write_scope, included, excluded, result, finished_at, finished_by)"
            " values (?, (select row from recall where id = ?), ?, ?, ?, ?, ?, ?) on conflict (id) do update set"
            " result = excluded.result, finished_at = excluded.finished_at, finished_by = excluded.finished_by",
            [
                run.id,
                run.recall,
                *(to_json(list(each)) for each in (run.write_scope, run.included, run.excluded)),
                *((end.result.value, to_micros(end.at), end.by) if end else (None, None, None)),
            ],
        )
        self._connection.run("delete from run_used where run = (select row from run where id = ?)", [run.id])
        self._connection.run_many(
            "insert into run_used (run, memory)"
            " select u.row, m.row from run u, memory m where u.id = ? and m.id = ?",
            ((run.id, memory_id) for memory_id in sorted(end.used if end else ())),
        )

    def runs(self, wanted: Runs, limit: int | None) -> list[Run]:
        """Return runs, newest first, without what they were given."""
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

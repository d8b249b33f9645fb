"""Runs: what they were given, and how they ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memory_layer.errors import NotFound
from memory_layer.model.vocabulary import Outcome
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.audit import note
from memory_layer.store.sqlite.recalls import Recalls

if TYPE_CHECKING:
    from memory_layer.model.runs import Ending, Run
    from memory_layer.ports import Edit
    from memory_layer.store.sqlite.connection import Connections

READ_RUN = (
    "select u.*, r.id as recall_id, r.at, r.writer, r.session, q.text, p.key as project_key,"
    " (select count(*) from recall_item i where i.recall = r.row) as n,"
    " (select json_group_array(id) from (select m.id from run_used x join memory m on m.row = x.memory"
    "  where x.run = u.row order by m.id)) as used"
    " from run u join recall r on r.row = u.recall join query q on q.row = r.query"
    " left join project p on p.row = r.project "
)

#: How a run ended, as the chain notes it; None while it is under way.
Told = Mapping[str, Any] | None


class Runs:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def record_run(self, run: Run) -> None:
        """Keep a run that begins; its recall is there already."""
        self._connection.run(
            "insert into run (id, recall, write_scope, included, excluded)"
            " values (?, (select row from recall where id = ?), ?, ?, ?)",
            [
                run.id,
                run.recall,
                *(to_json(list(each)) for each in (run.write_scope, run.included, run.excluded)),
            ],
        )

    def run(self, run_id: str) -> Run:
        """One run with what it was given."""
        row = self._connection.row(f"{READ_RUN}where u.id = ?", [run_id])
        if row is None:
            raise NotFound(f"there is no run {run_id!r}")
        return _run(row)._replace(hits=Recalls(self._connection).recall(row["recall_id"]).hits)

    def runs(self, project: str | None, limit: int) -> list[Run]:
        """The last runs, of one project by its id or of all, newest first, without what they were given."""
        condition = "" if project is None else "where p.id = ? "
        parameters: list[object] = [] if project is None else [project]
        found = self._connection.rows(
            f"{READ_RUN}{condition}order by u.row desc limit ?", [*parameters, limit]
        )
        return [_run(row) for row in found]

    def ended_runs(self, project: str | None) -> list[str]:
        """The ids of the runs that are over, of one project by its id or of all, oldest first."""
        found = self._connection.rows(
            "select u.id from run u join recall r on r.row = u.recall left join project p on p.row = r.project"
            " where u.result is not null and (?1 is null or p.id = ?1) order by u.row",
            [project],
        )
        return [row["id"] for row in found]

    def reported(self, recall_id: str) -> dict[str, Outcome]:
        """What was last reported, and counted, of the memories of a recall by those who named it."""
        found = self._connection.rows(
            "select m.id, o.result from outcome o join memory m on m.row = o.memory"
            " where o.recall = (select row from recall where id = ?) and o.counted order by o.row",
            [recall_id],
        )
        return {row["id"]: Outcome(row["result"]) for row in found}

    def end_run(self, run_id: str, ending: Ending, edit: Edit) -> None:
        """Keep how a run ended, noted so that it can be taken back."""
        told = {
            "result": ending.result.value,
            "at": to_micros(ending.at),
            "by": ending.by,
            "used": sorted(ending.used),
        }
        self.end(run_id, told, edit)

    def end(self, run_id: str, told: Told, edit: Edit) -> None:
        before = self.ending_of(run_id)
        after = told or {"result": None, "at": None, "by": None, "used": []}
        self._connection.run(
            "update run set result = ?, finished_at = ?, finished_by = ? where id = ?",
            [after["result"], after["at"], after["by"], run_id],
        )
        self._connection.run("delete from run_used where run = (select row from run where id = ?)", [run_id])
        for memory_id in after["used"]:
            self._connection.run(
                "insert into run_used (run, memory)"
                " select u.row, m.row from run u, memory m where u.id = ? and m.id = ?",
                [run_id, memory_id],
            )
        note(self._connection, edit, {"run": run_id, "before": before, "after": told})

    def ending_of(self, run_id: str) -> Told:
        row = self._connection.row(f"{READ_RUN}where u.id = ?", [run_id])
        if row is None or row["result"] is None:
            return None
        return {
            "result": row["result"],
            "at": row["finished_at"],
            "by": row["finished_by"],
            "used": json.loads(row["used"]),
        }


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

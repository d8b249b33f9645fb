"""The log beside the record: recalls, outcomes, runs, contexts, checks of citations, and events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.vocabulary import Outcome
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.audit import note

if TYPE_CHECKING:
    from memory_layer.model.context import Kept
    from memory_layer.model.episodes import Timeline
    from memory_layer.model.memory import Memory
    from memory_layer.model.recalls import Recall
    from memory_layer.model.runs import Ending, Run
    from memory_layer.model.sources import Checked, SourceState, Standing
    from memory_layer.model.upkeep import Failure
    from memory_layer.ports import Edit
    from memory_layer.ports.log import Span
    from memory_layer.store.rows import Row
    from memory_layer.store.sqlite.connection import Connections
    from memory_layer.store.sqlite.recalls import Recalls
    from memory_layer.store.sqlite.runs import Runs
    from memory_layer.store.sqlite.source_checks import SourceChecks

_EVENTS = (
    "select o.*, m.id as memory_id, q.text as query_text, r.id as recall_id from outcome o"
    " join memory m on m.row = o.memory"
    " left join query q on q.row = o.query left join recall r on r.row = o.recall"
)


class Log:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def record_recall(self, recall: Recall, query: int) -> None:
        """Keep the exact list that was given, and count each memory as recalled."""
        number = self._connection.run(
            "insert into recall (id, at, query, kind, mode, ranker, writer, session, project)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, (select project from project_alias where alias = ?))",
            [
                recall.id,
                to_micros(recall.at),
                query,
                recall.kind,
                recall.mode.value,
                recall.ranker,
                recall.writer,
                recall.session,
                recall.project,
            ],
        )
        for rank, hit in enumerate(recall.hits):
            self._connection.run(
                "insert into recall_item (recall, rank, memory, score, signals)"
                " select ?, ?, row, ?, ? from memory where id = ?",
                [number, rank, hit.score, to_json(hit.signals), hit.memory.id],
            )
            self._connection.run(
                "update memory set recall_count = recall_count + 1, last_recalled_at = ? where id = ?",
                [to_micros(recall.at), hit.memory.id],
            )

    def last_recall(
        self, memory_id: str, session: str, writer: str, project: str | None, since: datetime
    ) -> tuple[str, str] | None:
        """The recall and question that last returned a memory: in the session, else to the writer since then."""
        row = self._connection.row(
            "select r.id, q.text from recall_item i join recall r on r.row = i.recall"
            " join query q on q.row = r.query"
            " where i.memory = (select row from memory where id = ?1) and (r.session = ?2"
            "  or (r.writer = ?3 and r.at >= ?5 and r.project is (select row from project where id = ?4)))"
            " order by r.session = ?2 desc, r.row desc limit 1",
            [memory_id, session, writer, project, to_micros(since)],
        )
        return (row["id"], row["text"]) if row else None

    def record_outcome(self, event: OutcomeEvent, edit: Edit) -> bool:
        """Keep one report; False if this event is known already."""
        if self._connection.row("select 1 from outcome where id = ?", [event.id]):
            return False
        self._connection.run(
            "insert into outcome (id, memory, result, counted, query, recall, evidence, session, writer, at)"
            " values (?, (select row from memory where id = ?), ?, ?, (select row from query where text = ?),"
            " (select row from recall where id = ?), ?, ?, ?, ?)",
            [
                event.id,
                event.memory,
                event.result.value,
                0,
                event.query,
                event.recall,
                event.evidence,
                event.session,
                event.writer,
                to_micros(event.at),
            ],
        )
        if event.counted:
            self.weigh(event.id, 1, edit)
        return True

    def weigh(self, event_id: str, counted: int, edit: Edit) -> None:
        """Let a report count or not; taken back, it stays in the log and moves nothing."""
        self._connection.run("update outcome set counted = ? where id = ?", [counted, event_id])
        note(self._connection, edit, {"outcome": event_id, "before": 1 - counted, "after": counted})

    def outcomes(self, memory_id: str) -> list[OutcomeEvent]:
        """A memory's reports, oldest first."""
        found = self._connection.rows(
            f"{_EVENTS} where o.memory = (select row from memory where id = ?) order by o.row", [memory_id]
        )
        return [_event(row) for row in found]

    def outcome(self, event_id: str) -> OutcomeEvent | None:
        """The report of that id, if there is one."""
        row = self._connection.row(f"{_EVENTS} where o.id = ?", [event_id])
        return _event(row) if row else None

    def failures_since(self, session: str, since: datetime) -> int:
        """How many counted failures without evidence a session reported since then."""
        row = self._connection.row(
            "select count(*) as n from outcome where session = ? and at > ? and result = 'failed'"
            " and counted and evidence is null",
            [session, to_micros(since)],
        )
        return int(row["n"]) if row else 0

    def failed_for(self, memory_id: str) -> dict[int | None, str]:
        """The questions for which a memory failed and that counted, by number; None stands for no question."""
        found = self._connection.rows(
            "select distinct q.row, q.text from outcome o left join query q on q.row = o.query"
            " where o.memory = (select row from memory where id = ?) and o.counted and o.result = 'failed'",
            [memory_id],
        )
        return {row["row"]: row["text"] or "" for row in found}

    # looking back

    def recalls(self, session: str | None, limit: int) -> list[Recall]:
        return self._recalls.recalls(session, limit)

    def recall(self, recall_id: str) -> Recall:
        return self._recalls.recall(recall_id)

    @cached_property
    def _recalls(self) -> Recalls:
        from memory_layer.store.sqlite.recalls import Recalls  # a search should not wait for it

        return Recalls(self._connection)

    # runs

    def record_run(self, run: Run) -> None:
        self._runs.record_run(run)

    def run(self, run_id: str) -> Run:
        return self._runs.run(run_id)

    def runs(self, project: str | None, limit: int) -> list[Run]:
        return self._runs.runs(project, limit)

    def ended_runs(self, project: str | None) -> list[str]:
        return self._runs.ended_runs(project)

    def reported(self, recall_id: str) -> dict[str, Outcome]:
        return self._runs.reported(recall_id)

    def end_run(self, run_id: str, ending: Ending, edit: Edit) -> None:
        self._runs.end_run(run_id, ending, edit)

    @cached_property
    def _runs(self) -> Runs:
        from memory_layer.store.sqlite.runs import Runs

        return Runs(self._connection)

    # contexts

    def record_context(self, recall_id: str, kept: Kept) -> None:
        from memory_layer.store.sqlite.contexts import record_context

        record_context(self._connection, recall_id, kept)

    def context(self, recall_id: str) -> Kept | None:
        from memory_layer.store.sqlite.contexts import context

        return context(self._connection, recall_id)

    # checks of citations

    def remembered(self, ids: Sequence[str], since: datetime) -> dict[str, tuple[Checked, ...]]:
        return self._checks.remembered(ids, since)

    def remember(self, standings: Mapping[str, Standing], at: datetime) -> None:
        self._checks.remember(standings, at)

    def settle_checks(self, memory_id: str) -> None:
        self._checks.settle_checks(memory_id)

    def drifted(self, ids: Sequence[str]) -> dict[str, SourceState]:
        return self._checks.drifted(ids)

    @cached_property
    def _checks(self) -> SourceChecks:
        from memory_layer.store.sqlite.source_checks import SourceChecks

        return SourceChecks(self._connection)

    # events

    def timeline(self, span: Span, limit: int, after: str | None) -> Timeline:
        from memory_layer.store.sqlite.timeline import timeline

        return timeline(self._connection, span, limit, after)

    def last_handoff(self, project: str | None) -> Memory | None:
        from memory_layer.store.sqlite.timeline import last_handoff

        return last_handoff(self._connection, project)

    def failures(self) -> Iterator[Failure]:
        from memory_layer.store.sqlite.failures import failures

        return failures(self._connection)


def _event(row: Row) -> OutcomeEvent:
    return OutcomeEvent(
        id=row["id"],
        memory=row["memory_id"],
        result=Outcome(row["result"]),
        counted=bool(row["counted"]),
        at=moment(row["at"]),
        query=row["query_text"],
        recall=row["recall_id"],
        evidence=row["evidence"],
        session=row["session"],
        writer=row["writer"],
    )

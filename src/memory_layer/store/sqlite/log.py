"""Log recalls, outcomes and contexts; runs, citation checks and events are loaded on first use."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.model.context import KeptLine, SavedContext
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import SESSION_RECALL, Given, Mode, Recall, Reports
from memory_layer.model.record import cached_property
from memory_layer.model.vocabulary import Outcome
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.memories import SqliteMemories

if TYPE_CHECKING:
    from memory_layer.model.episodes import Timeline
    from memory_layer.model.query import Filters
    from memory_layer.model.runs import Run
    from memory_layer.model.sources import Standing
    from memory_layer.ports.log import CitationCheck, EventFilter, OutcomeFilter, RecallFilter, RunFilter
    from memory_layer.store.rows import Row
    from memory_layer.store.sqlite.connection import Connections
    from memory_layer.store.sqlite.runs import RunRows
    from memory_layer.store.sqlite.source_checks import SourceChecks


_EVENTS = (
    "select o.*, m.id as memory_id, q.text as query_text, r.id as recall_id from outcome o"
    " join memory m on m.row = o.memory"
    " left join query q on q.row = o.query left join recall r on r.row = o.recall"
)


#: A helper's session has its own name behind the session's, after a slash.
_WITH_HELPERS = "? in (r.session, substr(r.session, 1, instr(r.session, '/') - 1))"
READ_RECALL = (
    "select r.*, q.text, p.key as project_key,"
    " (select count(*) from recall_item i where i.recall = r.row) as n,"
    " (select sum(o.result = 'worked') from outcome o where o.recall = r.row and o.counted) as worked,"
    " (select sum(o.result = 'partial') from outcome o where o.recall = r.row and o.counted) as partial,"
    " (select sum(o.result = 'failed') from outcome o where o.recall = r.row and o.counted) as failed"
    " from recall r join query q on q.row = r.query left join project p on p.row = r.project "
)


MOST_COUNTED = 10_000  #: reports, so that a long log costs no more


class SqliteLog:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def add_recall(self, recall: Recall) -> None:
        """Store the exact list that was returned; its query is already stored."""
        number = self._connection.run(
            "insert into recall (id, at, query, kind, mode, ranker, writer, session, project)"
            " values (?1, ?2, (select row from query where text = ?3), ?4, ?5, ?6, ?7, ?8,"
            " (select row from project where id = ?9 or row = (select project from project_alias where alias = ?9)))",
            [
                recall.id,
                to_micros(recall.at),
                recall.query,
                recall.kind,
                recall.mode.value,
                recall.ranker,
                recall.writer,
                recall.session,
                recall.project,
            ],
        )
        self._connection.run_many(
            "insert into recall_item (recall, rank, memory, score, signals)"
            " select ?, ?, row, ?, ? from memory where id = ?",
            (
                (number, rank, hit.score, to_json(hit.signals), hit.memory.id)
                for rank, hit in enumerate(recall.hits)
            ),
        )

    def put_outcome(self, event: OutcomeEvent) -> None:
        """Store a report; for a known one, update only whether it counts."""
        self._connection.run(
            "insert into outcome (id, memory, result, counted, query, recall, evidence, session, writer, at)"
            " values (?, (select row from memory where id = ?), ?, ?, (select row from query where text = ?),"
            " (select row from recall where id = ?), ?, ?, ?, ?)"
            " on conflict (id) do update set counted = excluded.counted",
            [
                event.id,
                event.memory,
                event.result.value,
                int(event.counted),
                event.query,
                event.recall,
                event.evidence,
                event.session,
                event.writer,
                to_micros(event.at),
            ],
        )

    def outcomes(self, wanted: OutcomeFilter) -> list[OutcomeEvent]:
        """Return reports, oldest first."""
        conditions: dict[str, object] = {
            "o.memory in (select row from memory where id in (select value from json_each(?)))": None
            if wanted.memories is None
            else to_json([*wanted.memories]),
            "o.query = (select row from query where text = ?)": wanted.query,
            "o.recall = (select row from recall where id = ?)": wanted.recall,
            "o.session = ?": wanted.session,
            "o.at > ?": to_micros(wanted.after),
            "o.result = ?": wanted.result.value if wanted.result else None,
            "o.id in (select value from json_each(?))": None
            if wanted.ids is None
            else to_json([*wanted.ids]),
        }
        chosen = {sql: value for sql, value in conditions.items() if value is not None}
        parts = [*chosen, *(["o.counted"] if wanted.counted else [])]
        found = self._connection.rows(
            f"{_EVENTS} where {' and '.join(parts or ['true'])} order by o.row", list(chosen.values())
        )
        return [_event(row) for row in found]

    def outcome_counts(self, filters: Filters, since: datetime) -> dict[Outcome, int]:
        """Count the results reported since then for matching memories, of the newest MOST_COUNTED reports."""
        condition, parameters = where(filters, since)
        found = self._connection.rows(
            "select o.result, count(*) as n from (select * from outcome order by row desc limit ?) o"
            " join memory m on m.row = o.memory"
            f" where o.counted and o.at > ? and {condition} group by o.result",
            [MOST_COUNTED, to_micros(since), *parameters],
        )
        return dict.fromkeys(Outcome, 0) | {Outcome(row["result"]): row["n"] for row in found}

    # looking back

    def recalls(self, wanted: RecallFilter, limit: int | None = None) -> list[Recall]:
        return self._recalls.recalls(wanted, limit)

    @cached_property
    def _recalls(self) -> RecallRows:

        return RecallRows(self._connection)

    # runs

    def put_run(self, run: Run) -> None:
        self._runs.put_run(run)

    def runs(self, wanted: RunFilter, limit: int | None = None) -> list[Run]:
        return self._runs.runs(wanted, limit)

    @cached_property
    def _runs(self) -> RunRows:
        from memory_layer.store.sqlite.runs import RunRows

        return RunRows(self._connection)

    # contexts

    def put_context(self, recall_id: str, saved: SavedContext) -> None:

        put_context(self._connection, recall_id, saved)

    def context(self, recall_id: str) -> SavedContext | None:

        return context(self._connection, recall_id)

    # checks of citations

    def put_checks(self, standings: Mapping[str, Standing], at: datetime) -> None:
        self._checks.put_checks(standings, at)

    def checks(self, ids: Sequence[str], since: datetime | None = None) -> dict[str, CitationCheck]:
        return self._checks.checks(ids, since)

    @cached_property
    def _checks(self) -> SourceChecks:
        from memory_layer.store.sqlite.source_checks import SourceChecks

        return SourceChecks(self._connection)

    # events

    def timeline(self, span: EventFilter, limit: int, after: str | None) -> Timeline:
        from memory_layer.store.sqlite.runs import timeline

        return timeline(self._connection, span, limit, after)


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


class RecallRows:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def recalls(self, wanted: RecallFilter, limit: int | None) -> list[Recall]:
        """Return recalls, newest first; with their items only if wanted."""
        condition, parameters = _condition(wanted)
        found = self._connection.rows(
            f"{READ_RECALL}where {condition} order by r.row desc limit ?",
            [*parameters, -1 if limit is None else limit],
        )
        if not wanted.hits:
            return [_recall(row) for row in found]
        return [_recall(row)._replace(hits=self._given(row["row"])) for row in found]

    def _given(self, recall: int) -> tuple[Given, ...]:
        found = self._connection.rows(
            "select m.id, i.score, i.signals from recall_item i join memory m on m.row = i.memory"
            " where i.recall = ? order by i.rank",
            [recall],
        )
        memories = {
            memory.id: memory
            for memory in SqliteMemories(self._connection).get([each["id"] for each in found])
        }
        return tuple(
            Given(memories[each["id"]], each["score"], json.loads(each["signals"])) for each in found
        )


def _condition(wanted: RecallFilter) -> tuple[str, list[object]]:
    conditions: dict[str, object] = {
        _WITH_HELPERS if wanted.helpers else "r.session = ?": wanted.session,
        "r.writer = ?": wanted.writer,
        "r.at >= ?": to_micros(wanted.since),
        "r.at < ?": to_micros(wanted.until),
        "r.row < (select row from recall where id = ?)": wanted.before,
        "r.row in (select recall from recall_item where memory = (select row from memory where id = ?))": (
            wanted.memory
        ),
        "r.id in (select value from json_each(?))": None if wanted.ids is None else to_json([*wanted.ids]),
    }
    chosen = {sql: value for sql, value in conditions.items() if value is not None}
    parts, parameters = [*chosen], [*chosen.values()]
    if wanted.projects is not None:
        none = " or r.project is null" if None in wanted.projects else ""
        parts.append(
            "(r.project in (select row from project where id in (select value from json_each(?)))"
            + none
            + ")"
        )
        parameters.append(to_json([each for each in wanted.projects if each is not None]))
    if wanted.ids is None:
        parts.append("r.kind <> ?")
        parameters.append(SESSION_RECALL)
    return " and ".join(parts or ["true"]), parameters


def _recall(row: Any) -> Recall:
    return Recall(
        id=row["id"],
        at=moment(row["at"]),
        query=row["text"],
        kind=row["kind"],
        mode=Mode(row["mode"]),
        ranker=row["ranker"],
        writer=row["writer"],
        session=row["session"],
        project=row["project_key"],
        memories=row["n"],
        reports=Reports(row["worked"] or 0, row["partial"] or 0, row["failed"] or 0),
    )


def put_context(connection: Connections, recall_id: str, saved: SavedContext) -> None:
    """Store the parts of a context; its recall is already stored."""
    connection.run(
        "insert into context (recall, form, asked, lines, tokens, digest)"
        " values ((select row from recall where id = ?), ?, ?, ?, ?, ?)",
        [recall_id, *columns_of(saved)],
    )


def context(connection: Connections, recall_id: str) -> SavedContext | None:
    """Return the parts of the context of a recall; None if it produced no text."""
    row = connection.row(
        "select c.* from context c join recall r on r.row = c.recall where r.id = ?", [recall_id]
    )
    return None if row is None else context_from(row)


def context_from(row: Any) -> SavedContext:
    lines = tuple(KeptLine(*line) for line in json.loads(row["lines"]))
    return SavedContext(row["form"], json.loads(row["asked"]), lines, row["tokens"], row["digest"])


def columns_of(saved: SavedContext) -> list[object]:
    lines = to_json([list(line if line.start is not None else line[:-1]) for line in saved.lines])
    return [saved.form, to_json(saved.asked), lines, saved.tokens, saved.digest]

"""The logs beside the record: queries, recalls, outcomes, and the totals."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Mode, Stats
from memory_layer.model.vocabulary import Category, Outcome, Tier
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.vectors import Vectors

if TYPE_CHECKING:
    from memory_layer.model.query import Filters
    from memory_layer.model.recalls import Recall
    from memory_layer.ports import Edit, Vector
    from memory_layer.store.rows import Row

#: The bounds of a good and a bad record in the totals.
HIGH, LOW = 0.5, -0.5
_EVENTS = (
    "select o.*, m.id as memory_id, q.text as query_text, r.id as recall_id from outcome o"
    " join memory m on m.row = o.memory"
    " left join query q on q.row = o.query left join recall r on r.row = o.recall"
)


class Logs(Vectors):
    def record_query(self, text: str, at: datetime, fingerprint: str | None, vector: Vector | None) -> int:
        """Keep a question once, with its vector if there is one; returns its number."""
        self._run(
            "insert into query (text, created_at) values (?, ?) on conflict (text) do nothing",
            [text, to_micros(at)],
        )
        if fingerprint is not None and vector is not None:
            self._run(
                "update query set embedding = ?, numbers = ? where text = ?",
                [self._embedding(fingerprint), vector.astype("<f2").tobytes(), text],
            )
        row = self._row("select row from query where text = ?", [text])
        assert row is not None
        return int(row["row"])

    def record_recall(self, recall: Recall, query: int) -> None:
        """Keep the exact list that was given, and count each memory as recalled."""
        number = self._run(
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
            self._run(
                "insert into recall_item (recall, rank, memory, score, signals)"
                " select ?, ?, row, ?, ? from memory where id = ?",
                [number, rank, hit.score, to_json(hit.signals), hit.memory.id],
            )
            self._run(
                "update memory set recall_count = recall_count + 1, last_recalled_at = ? where id = ?",
                [to_micros(recall.at), hit.memory.id],
            )

    def last_recall(
        self, memory_id: str, session: str, writer: str, project: str | None, since: datetime
    ) -> tuple[str, str] | None:
        """The recall and question that last returned a memory: in the session, else to the writer since then."""
        row = self._row(
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
        if self._row("select 1 from outcome where id = ?", [event.id]):
            return False
        self._run(
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
            self._weigh(event.id, 1, edit)
        return True

    def _weigh(self, event_id: str, counted: int, edit: Edit) -> None:
        """Let a report count or not; taken back, it stays in the log and moves nothing."""
        self._run("update outcome set counted = ? where id = ?", [counted, event_id])
        self._note(edit, {"outcome": event_id, "before": 1 - counted, "after": counted})

    def outcomes(self, memory_id: str) -> list[OutcomeEvent]:
        """A memory's reports, oldest first."""
        found = self._rows(
            f"{_EVENTS} where o.memory = (select row from memory where id = ?) order by o.row", [memory_id]
        )
        return [_event(row) for row in found]

    def outcome(self, event_id: str) -> OutcomeEvent | None:
        """The report of that id, if there is one."""
        row = self._row(f"{_EVENTS} where o.id = ?", [event_id])
        return _event(row) if row else None

    def failures_since(self, session: str, since: datetime) -> int:
        """How many counted failures without evidence a session reported since then."""
        row = self._row(
            "select count(*) as n from outcome where session = ? and at > ? and result = 'failed'"
            " and counted and evidence is null",
            [session, to_micros(since)],
        )
        return int(row["n"]) if row else 0

    def failed_for(self, memory_id: str) -> dict[int | None, str]:
        """The questions for which a memory failed and that counted, by number; None stands for no question."""
        found = self._rows(
            "select distinct q.row, q.text from outcome o left join query q on q.row = o.query"
            " where o.memory = (select row from memory where id = ?) and o.counted and o.result = 'failed'",
            [memory_id],
        )
        return {row["row"]: row["text"] or "" for row in found}

    def stats(self, filters: Filters, now: datetime) -> Stats:
        """Totals over everything the filters let through, whatever its status."""
        condition, parameters = where(filters, now)
        groups = self._rows(
            "select m.status, m.category, m.tier, count(*) as n, sum(m.outcome_score) as score,"
            f" sum(m.tokens) as tokens, sum(m.outcome_score > {HIGH}) as high, sum(m.outcome_score < {LOW}) as low,"
            " sum(m.status = 'archived' and m.reason is 'outcome') as given_up"
            f" from memory m where {condition} group by m.status, m.category, m.tier",
            parameters,
        )
        active = [group for group in groups if group["status"] == "active"]
        count = {
            status: sum(group["n"] for group in groups if group["status"] == status)
            for status in ("active", "archived", "staged")
        }
        by_category: dict[Category, int] = {}
        by_tier = dict.fromkeys(Tier, 0)
        for group in groups:
            category = Category(group["category"])
            by_category[category] = by_category.get(category, 0) + group["n"]
            by_tier[Tier(group["tier"])] += group["n"]
        high, low = sum(group["high"] for group in active), sum(group["low"] for group in active)
        return Stats(
            total=sum(count.values()),
            active=count["active"],
            archived=count["archived"],
            archived_by_outcome=sum(group["given_up"] for group in groups),
            staged=count["staged"],
            by_category=dict(sorted(by_category.items(), key=lambda item: (-item[1], item[0].value))),
            high=high,
            neutral=count["active"] - high - low,
            low=low,
            average_outcome=sum(group["score"] for group in active) / max(1, count["active"]),
            tokens_stored=sum(group["tokens"] for group in groups),
            size_bytes=self._size(),
            search_mode=Mode.KEYWORD,
            by_tier=by_tier,
        )

    def _size(self) -> int:
        """The bytes of the file and of the log SQLite keeps beside it."""
        total = 0
        for name in (self.path, f"{self.path}-wal"):
            try:
                total += os.path.getsize(name)
            except FileNotFoundError:
                continue
        return total


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

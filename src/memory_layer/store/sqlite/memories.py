"""Memories: staged, saved, found by id, text or page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memory_layer.errors import NotFound
from memory_layer.model.memory import COUNTED
from memory_layer.model.place import place, values_at
from memory_layer.model.query import Page
from memory_layer.store import rows
from memory_layer.store.sqlite.audit import Entry, append, note
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.memory_rows import changed

if TYPE_CHECKING:
    from memory_layer.model.context import Present
    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters, Total
    from memory_layer.ports import Edit
    from memory_layer.ports.memories import New, Order, Terms
    from memory_layer.store.sqlite.connection import Connections
    from memory_layer.store.sqlite.creating import Creating
    from memory_layer.store.sqlite.forgetting import Forgetting
    from memory_layer.store.sqlite.presence import Presence

#: A lease that ends later than this was given by a clock that ran ahead.
LONGEST_LEASE = timedelta(days=1)

READ_MEMORY = "select m.*, p.key as project_key from memory m left join project p on p.row = m.project "

#: What a list may be sorted by, newest or highest first.
SORTS = {
    "created": "m.created_at",
    "updated": "m.updated_at",
    "score": "m.outcome_score",
    "used": "m.use_count + m.recall_count",
}


class Memories:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def get(self, ids: Sequence[str]) -> list[Memory]:
        """Return those that exist, in the order asked for."""
        read = self._connection.rows(
            f"select {rows.RECORD} from memory m left join project p on p.row = m.project"
            " where m.id in (select value from json_each(?))",
            [json.dumps(list(ids))],
        )
        found = {record[0]: rows.memory_of(record) for record in read}
        return [found[memory_id] for memory_id in ids if memory_id in found]

    def page(self, filters: Filters, now: datetime, sort: str, limit: int, after: str | None) -> Page:
        """Return a stretch of the list, highest first or as it was stored, continued from the cursor `after`."""
        if sort == "stored":
            return self._stored(filters, now, limit, after)
        column = SORTS[sort]
        condition, parameters = where(filters, now)
        begun = [] if after is None else values_at(after, (int, float), int)
        total = self._connection.row(f"select count(*) as n from memory m where {condition}", parameters)
        assert total is not None
        if not total["n"]:
            return Page(items=(), next=None, total=0)
        begin = ""
        if after is not None:
            begin = f" and ({column}, m.row) < (?, ?)"
            parameters = [*parameters, *begun]
        found = self._connection.rows(
            f"select m.*, {column} as sort_key, p.key as project_key"
            f" from memory m left join project p on p.row = m.project"
            f" where {condition}{begin} order by {column} desc, m.row desc limit ?",
            [*parameters, limit + 1],
        )
        last = found[limit - 1] if len(found) > limit else None
        return Page(
            items=tuple(rows.memory_from(row) for row in found[:limit]),
            next=place([last["sort_key"], last["row"]]) if last else None,
            total=total["n"],
        )

    def _stored(self, filters: Filters, now: datetime, limit: int, after: str | None) -> Page:
        condition, parameters = where(filters, now)
        begun = [0] if after is None else values_at(after, int)
        read = self._connection.rows(
            f"select {rows.RECORD}, m.row from memory m left join project p on p.row = m.project"
            f" where m.row > ? and {condition} order by m.row limit ?",
            [*begun, *parameters, limit + 1],
        )
        found = list(map(tuple, read))
        return Page(
            items=tuple(rows.memory_of(each[:-1]) for each in found[:limit]),
            next=place([found[limit - 1][-1]]) if len(found) > limit else None,
            total=0,
        )

    def by_hash(self, hashes: Sequence[str]) -> list[Memory]:
        """Return every memory that is filed under one of these hashes, oldest first."""
        marks = ", ".join("?" for _ in hashes)
        texts = [bytes.fromhex(each) for each in hashes]
        # Two questions, because each of the two partial indexes answers only its own.
        found = [
            row
            for status in ("= 'archived'", "<> 'archived'")
            for row in self._connection.rows(
                f"{READ_MEMORY}where m.content_hash in ({marks}) and m.status {status}", texts
            )
        ]
        return [rows.memory_from(row) for row in sorted(found, key=lambda row: int(row["row"]))]

    def stage(self, memory: Memory, terms: Terms, tokens: int, lease_until: datetime) -> None:
        """Make a new memory durable without showing it yet; its history begins with `save`."""
        values = rows.columns(memory) | {
            "version": 0,
            "tokens": tokens,
            "lease_until": rows.to_micros(lease_until),
        }
        names = ", ".join(values)
        marks = ", ".join("?" for _ in values)
        row = self._connection.run(
            f"insert into memory ({names}, project)"
            f" values ({marks}, (select project from project_alias where alias = ?))",
            [*values.values(), memory.project],
        )
        self._connection.run(
            "insert into memory_terms (row, body, labels) values (?, ?, ?)", [row, terms.body, terms.labels]
        )
        changed(self._connection, row)

    def save(
        self, memory: Memory, edit: Edit, terms: Terms | None = None, tokens: int | None = None
    ) -> Memory:
        """Write a memory's new state with its line in the audit chain; returns it as it is now.

        The counters are left to `count`: whoever changes a record may have read it a moment ago.
        """
        current = self._connection.row("select * from memory where id = ?", [memory.id])
        if current is None:
            raise NotFound(f"there is no memory {memory.id!r}")
        self._connection.vet(edit.writer, lambda: self.get([memory.id])[0], memory)
        values = rows.columns(memory)
        columns = {name: values[name] for name in (*rows.VERSIONED, "updated_at")}
        columns["tokens"] = current["tokens"] if tokens is None else tokens
        assignments = ", ".join(f"{name} = ?" for name in columns)
        self._connection.run(
            f"update memory set {assignments}, version = version + 1, lease_until = null where row = ?",
            [*columns.values(), current["row"]],
        )
        if terms is not None:
            self._connection.run(
                "update memory_terms set body = ?, labels = ? where row = ?",
                [terms.body, terms.labels, current["row"]],
            )
        is_new = current["version"] == 0
        before = None if is_new else rows.digest(current)
        payload = None if is_new else rows.to_json(rows.replaced(current, values))
        append(self._connection, edit, [Entry(memory.id, rows.digest(values), before, payload)])
        changed(self._connection, current["row"])
        return self.get([memory.id])[0]

    def hold(self, memory_id: str, lease_until: datetime) -> None:
        """Lease a staged row to its writer."""
        self._connection.run(
            "update memory set lease_until = ? where id = ?", [rows.to_micros(lease_until), memory_id]
        )

    def count(self, memory: Memory, edit: Edit | None = None) -> None:
        """Move the counters of a memory without making a version; with an edit it can be taken back."""
        values = rows.columns(memory)
        self.recount(memory.id, {name: values[name] for name in COUNTED}, edit)

    def recount(self, memory_id: str, after: Mapping[str, Any], edit: Edit | None) -> None:
        if edit is not None:
            current = self._connection.row("select * from memory where id = ?", [memory_id])
            before = {name: current[name] for name in after if current and current[name] != after[name]}
            moved = {name: after[name] for name in before}
            note(self._connection, edit, {"memory": memory_id, "before": before, "after": moved})
            changed(self._connection, current["row"]) if current else None
        if after:
            assignments = ", ".join(f"{name} = ?" for name in after)
            self._connection.run(
                f"update memory set {assignments} where id = ?", [*after.values(), memory_id]
            )

    def unfinished(self, now: datetime) -> list[Memory]:
        """Return rows whose writer died: still staged as `writing` after their lease ran out."""
        found = self._connection.rows(
            READ_MEMORY + "where m.status = 'staged' and m.reason = 'writing'"
            " and (m.lease_until < ? or m.lease_until > ?)",
            [rows.to_micros(now), rows.to_micros(now + LONGEST_LEASE)],
        )
        return [rows.memory_from(row) for row in found]

    def totals(self, filters: Filters, now: datetime) -> list[Total]:
        from memory_layer.store.sqlite.totals import totals  # a search should not wait for it

        return totals(self._connection, filters, now)

    # writing many

    def create(self, new: Sequence[New], edit: Edit) -> None:
        self._creating.create(new, edit)

    @cached_property
    def _creating(self) -> Creating:
        from memory_layer.store.sqlite.creating import Creating

        return Creating(self._connection)

    # forgetting

    def recalls_of(self, memory_id: str) -> int:
        return self.forgetting.recalls_of(memory_id)

    def copies_of(self, memory_id: str) -> list[str]:
        return self.forgetting.copies_of(memory_id)

    def tellers_of(self, memory_id: str) -> list[str]:
        return self.forgetting.tellers_of(memory_id)

    def forget(self, memory: Memory, edit: Edit) -> Memory:
        return self.forgetting.forget(memory, edit)

    def sweep(self) -> bool:
        return self.forgetting.sweep()

    @cached_property
    def forgetting(self) -> Forgetting:
        from memory_layer.store.sqlite.forgetting import Forgetting

        return Forgetting(self._connection)

    # contexts and runs

    def scopes(self, filters: Filters) -> list[tuple[str, ...]]:
        return self._presence.scopes(filters)

    def present(self, filters: Filters, now: datetime, most: int | None, order: Order) -> list[Present]:
        return self._presence.present(filters, now, most, order)

    @cached_property
    def _presence(self) -> Presence:
        from memory_layer.store.sqlite.presence import Presence

        return Presence(self._connection)

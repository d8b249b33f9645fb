"""Read and write memories: by id, hash or page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.model.lists import NO_WORDING
from memory_layer.model.query import Page, place, values_at
from memory_layer.model.record import cached_property
from memory_layer.store import rows
from memory_layer.store.rows import to_json
from memory_layer.store.sqlite.filters import where

if TYPE_CHECKING:
    from datetime import date

    from memory_layer.model.context import Present
    from memory_layer.model.lists import Facets, Wording
    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters, Scores, Total
    from memory_layer.ports.store import IndexedTerms, New, Order
    from memory_layer.store.sqlite.connection import Connections
    from memory_layer.store.sqlite.counting import Counting
    from memory_layer.store.sqlite.create import Creating
    from memory_layer.store.sqlite.files.forget import Forgetting
    from memory_layer.store.sqlite.light_rows import Presence


READ_MEMORY = "select m.*, p.key as project_key from memory m left join project p on p.row = m.project "
#: The hashed columns, without those local to this file.
READ_COLUMNS = f"select {rows.STORED} from memory m left join project p on p.row = m.project"


def last_row(connection: Connections) -> int:
    found = connection.row("select seq from sqlite_sequence where name = 'memory'")
    return int(found["seq"]) if found else 0


def changed(connection: Connections, row: int) -> None:
    """Record a change of a memory for the index, and of those it supersedes, which may become visible again."""
    connection.run(
        "insert into change (memory) select ?1"
        " union all select target from link where source = ?1 and kind = 'supersedes'",
        [row],
    )


def note_change(connection: Connections, memory_id: str) -> None:
    """Record a change of a memory by its id."""
    connection.run(
        "insert into change (memory) select row from memory where id = ?1"
        " union all select l.target from memory m join link l on l.source = m.row"
        " where m.id = ?1 and l.kind = 'supersedes'",
        [memory_id],
    )


def row_of(connection: Connections, memory_id: str) -> int:
    row = connection.row("select row from memory where id = ?", [memory_id])
    assert row is not None
    return int(row["row"])


def ids_by_row(connection: Connections, rows: Sequence[int]) -> dict[int, str]:
    found = connection.rows(
        "select row, id from memory where row in (select value from json_each(?))", [to_json(list(rows))]
    )
    return {row["row"]: row["id"] for row in found}


def rows_by_id(connection: Connections, ids: Sequence[str]) -> dict[str, int]:
    found = connection.rows(
        "select id, row from memory where id in (select value from json_each(?))",
        [to_json(list(ids))],
    )
    return {row["id"]: row["row"] for row in found}


class SqliteMemories:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def get(self, ids: Sequence[str]) -> list[Memory]:
        """Return those that exist, in the order given."""
        read = self._connection.rows(
            f"select {rows.RECORD} from memory m left join project p on p.row = m.project"
            " where m.id in (select value from json_each(?))",
            [json.dumps(list(ids))],
        )
        found = {record[0]: rows.memory_of(record) for record in read}
        return [found[memory_id] for memory_id in ids if memory_id in found]

    def page(
        self,
        filters: Filters,
        now: datetime,
        sort: str,
        limit: int,
        after: str | None,
        *,
        ascending: bool = False,
        wording: Wording = NO_WORDING,
    ) -> Page:
        """Return a page of the list, highest or newest first unless it ascends, continued from the cursor `after`."""
        if sort == "stored":
            return self._stored(filters, now, limit, after)
        from memory_layer.store.sqlite.lists import Lists, Wanted  # keeps searches fast to start

        return Lists(self._connection).page(
            Wanted(filters, now, sort, limit, after, ascending, wording),
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
        """Return every memory with one of these content hashes, oldest first."""
        marks = ", ".join("?" for _ in hashes)
        texts = [bytes.fromhex(each) for each in hashes]
        # Two queries, because each of the two partial indexes serves only one.
        found = [
            row
            for status in ("= 'archived'", "<> 'archived'")
            for row in self._connection.rows(
                f"{READ_MEMORY}where m.content_hash in ({marks}) and m.status {status}", texts
            )
        ]
        return [rows.memory_from(row) for row in sorted(found, key=lambda row: int(row["row"]))]

    def columns(self, ids: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the raw columns of these memories, or of all in the order of their ids."""
        if ids is None:
            return map(dict, self._connection.each(f"{READ_COLUMNS} order by m.id"))
        found = (
            row for each in ids for row in self._connection.rows(f"{READ_COLUMNS} where m.id = ?", [each])
        )
        return map(dict, found)

    def insert(
        self, new: Sequence[New], columns: Sequence[Mapping[str, Any]], lease_until: datetime | None = None
    ) -> None:
        self._creating.insert(new, columns, lease_until)

    def update(
        self,
        memory_id: str,
        columns: Mapping[str, Any],
        terms: IndexedTerms | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        """Update columns of a memory, and its terms if given; `quiet` does not notify the index."""
        if columns:
            assignments = ", ".join(f"{name} = ?" for name in columns)
            self._connection.run(
                f"update memory set {assignments} where id = ?", [*columns.values(), memory_id]
            )
        if terms is not None:
            self._connection.run(
                "insert into memory_terms (row, body, labels) select row, ?, ? from memory where id = ?"
                " on conflict (row) do update set body = excluded.body, labels = excluded.labels",
                [terms.body, terms.labels, memory_id],
            )
        if not quiet:
            note_change(self._connection, memory_id)

    def count_recalled(self, ids: Sequence[str], at: datetime) -> None:
        """Increment the recall count of memories."""
        self._connection.run_many(
            "update memory set recall_count = recall_count + 1, last_recalled_at = ? where id = ?",
            ((rows.to_micros(at), memory_id) for memory_id in ids),
        )

    def unfinished(self, before: datetime, after: datetime) -> list[Memory]:
        """Return memories still staged as `writing` whose lease ends before or after a moment."""
        found = self._connection.rows(
            READ_MEMORY + "where m.status = 'staged' and m.reason = 'writing'"
            " and (m.lease_until < ? or m.lease_until > ?)",
            [rows.to_micros(before), rows.to_micros(after)],
        )
        return [rows.memory_from(row) for row in found]

    # counting

    def count(self, filters: Filters, now: datetime) -> int:
        return self._counting.count(filters, now) or 0

    def totals(self, filters: Filters, now: datetime) -> list[Total]:
        return self._counting.totals(filters, now)

    def scores(self, filters: Filters, now: datetime) -> Scores:
        return self._counting.scores(filters, now)

    def facets(self, filters: Filters, now: datetime, wording: Wording = NO_WORDING) -> Facets:
        return self._counting.facets(filters, now, wording)

    def days(self, filters: Filters, since: date) -> dict[tuple[date, str], int]:
        return self._counting.days(filters, since)

    @cached_property
    def _counting(self) -> Counting:
        from memory_layer.store.sqlite.counting import Counting

        return Counting(self._connection)

    # writing many

    @cached_property
    def _creating(self) -> Creating:
        from memory_layer.store.sqlite.create import Creating

        return Creating(self._connection)

    # forgetting

    def copies_of(self, memory_id: str) -> list[str]:
        return self.forgetting.copies_of(memory_id)

    def tellers_of(self, memory_id: str) -> list[str]:
        return self.forgetting.tellers_of(memory_id)

    def erase(self, memory_id: str) -> None:
        self.forgetting.erase(memory_id)

    def sweep(self) -> bool:
        return self.forgetting.sweep()

    @cached_property
    def forgetting(self) -> Forgetting:
        from memory_layer.store.sqlite.files.forget import Forgetting

        return Forgetting(self._connection)

    # contexts and runs

    def scopes(self, filters: Filters) -> list[tuple[str, ...]]:
        return self._presence.scopes(filters)

    def present(self, filters: Filters, now: datetime, most: int | None, order: Order) -> list[Present]:
        return self._presence.present(filters, now, most, order)

    @cached_property
    def _presence(self) -> Presence:
        from memory_layer.store.sqlite.light_rows import Presence

        return Presence(self._connection)

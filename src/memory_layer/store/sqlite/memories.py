"""Memories: staged, saved, found by id, text or page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memory_layer.errors import AmbiguousId, InvalidInput, NotFound
from memory_layer.model.memory import COUNTED
from memory_layer.model.place import place, values_at
from memory_layer.model.query import Page
from memory_layer.store import rows
from memory_layer.store.sqlite.audit import Audit, check_mark
from memory_layer.store.sqlite.filters import where

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters
    from memory_layer.ports import Edit, Terms

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


class Memories(Audit):
    def resolve(self, prefix: str) -> str:
        """The one id that begins so, with or without `mem_`."""
        return self._resolved(prefix, "memory", "mem_", "memories")

    def _resolved(self, prefix: str, table: str, mark: str, several: str) -> str:
        """The one id of a table that begins so, with or without its mark."""
        check_mark(prefix, mark)
        bare = prefix.strip().lower().removeprefix(mark)
        if len(bare) < 4 or not bare.isalnum() or not bare.isascii():
            raise InvalidInput(f"{prefix!r} is not an id; give at least 4 of its letters and digits")
        start = f"{mark}{bare}"
        found = self._rows(
            f"select id from {table} where id >= ? and id < ? order by id limit 11", [start, start + "~"]
        )
        if not found:
            raise NotFound(f"there is no {table} {prefix!r}")
        if len(found) > 1:
            ids = [row["id"] for row in found]
            raise AmbiguousId(f"{prefix!r} fits several {several}: {', '.join(ids)}", ids)
        return str(found[0]["id"])

    def get(self, memory_id: str) -> Memory:
        row = self._row(READ_MEMORY + "where m.id = ?", [memory_id])
        if row is None:
            raise NotFound(f"there is no memory {memory_id!r}")
        return rows.memory_from(row)

    def get_many(self, ids: Sequence[str]) -> list[Memory]:
        """Those that exist, in the order asked for."""
        read = self._rows(
            f"select {rows.RECORD} from memory m left join project p on p.row = m.project"
            " where m.id in (select value from json_each(?))",
            [json.dumps(list(ids))],
        )
        found = {record[0]: rows.memory_of(record) for record in read}
        return [found[memory_id] for memory_id in ids if memory_id in found]

    def page(self, filters: Filters, now: datetime, sort: str, limit: int, after: str | None) -> Page:
        """A stretch of the list, highest first, continued from the cursor `after`."""
        column = SORTS[sort]
        condition, parameters = where(filters, now)
        begun = [] if after is None else values_at(after, (int, float), int)
        total = self._row(f"select count(*) as n from memory m where {condition}", parameters)
        assert total is not None
        if not total["n"]:
            return Page(items=(), next=None, total=0)
        begin = ""
        if after is not None:
            begin = f" and ({column}, m.row) < (?, ?)"
            parameters = [*parameters, *begun]
        found = self._rows(
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

    def same_text(self, content_hash: str) -> Memory | None:
        """The memory that says this already: a live one, else the newest archived one that nobody took back."""
        # Two questions, because each of the two partial indexes answers only its own.
        text = [bytes.fromhex(content_hash)]
        row = self._row(
            READ_MEMORY + "where m.content_hash = ? and m.status <> 'archived'", text
        ) or self._row(
            READ_MEMORY + "where m.content_hash = ? and m.status = 'archived' and m.reason is not 'undone'"
            " order by m.row desc limit 1",
            text,
        )
        return rows.memory_from(row) if row else None

    def stage(self, memory: Memory, terms: Terms, tokens: int, lease_until: datetime) -> None:
        """Make a new memory durable without showing it yet; its history begins with `save`."""
        values = rows.columns(memory) | {
            "version": 0,
            "tokens": tokens,
            "lease_until": rows.to_micros(lease_until),
        }
        names = ", ".join(values)
        marks = ", ".join("?" for _ in values)
        row = self._run(
            f"insert into memory ({names}, project)"
            f" values ({marks}, (select project from project_alias where alias = ?))",
            [*values.values(), memory.project],
        )
        self._run(
            "insert into memory_terms (row, body, labels) values (?, ?, ?)", [row, terms.body, terms.labels]
        )
        self._changed(row)

    def save(
        self, memory: Memory, edit: Edit, terms: Terms | None = None, tokens: int | None = None
    ) -> Memory:
        """Write a memory's new state with its line in the audit chain; returns it as it is now.

        The counters are left to `count`: whoever changes a record may have read it a moment ago.
        """
        current = self._row("select * from memory where id = ?", [memory.id])
        if current is None:
            raise NotFound(f"there is no memory {memory.id!r}")
        self._vet(edit.writer, lambda: self.get(memory.id), memory)
        values = rows.columns(memory)
        changed = {name: values[name] for name in (*rows.VERSIONED, "updated_at")}
        changed["tokens"] = current["tokens"] if tokens is None else tokens
        assignments = ", ".join(f"{name} = ?" for name in changed)
        self._run(
            f"update memory set {assignments}, version = version + 1, lease_until = null where row = ?",
            [*changed.values(), current["row"]],
        )
        if terms is not None:
            self._run(
                "update memory_terms set body = ?, labels = ? where row = ?",
                [terms.body, terms.labels, current["row"]],
            )
        is_new = current["version"] == 0
        self._append(
            edit,
            memory.id,
            None if is_new else rows.digest(current),
            rows.digest(values),
            None if is_new else rows.replaced(current, values),
        )
        self._changed(current["row"])
        return self.get(memory.id)

    def hold(self, memory_id: str, lease_until: datetime) -> None:
        """Lease a staged row to its writer."""
        self._run("update memory set lease_until = ? where id = ?", [rows.to_micros(lease_until), memory_id])

    def count(self, memory: Memory, edit: Edit | None = None) -> None:
        """Move the counters of a memory without making a version; with an edit it can be taken back."""
        values = rows.columns(memory)
        self._recount(memory.id, {name: values[name] for name in COUNTED}, edit)

    def _recount(self, memory_id: str, after: Mapping[str, Any], edit: Edit | None) -> None:
        if edit is not None:
            current = self._row("select * from memory where id = ?", [memory_id])
            before = {name: current[name] for name in after if current and current[name] != after[name]}
            moved = {name: after[name] for name in before}
            self._note(edit, {"memory": memory_id, "before": before, "after": moved})
            self._changed(current["row"]) if current else None
        if after:
            assignments = ", ".join(f"{name} = ?" for name in after)
            self._run(f"update memory set {assignments} where id = ?", [*after.values(), memory_id])

    def leftovers(self, now: datetime) -> list[Memory]:
        """Rows whose writer died: still staged as `writing` after their lease ran out."""
        found = self._rows(
            READ_MEMORY + "where m.status = 'staged' and m.reason = 'writing'"
            " and (m.lease_until < ? or m.lease_until > ?)",
            [rows.to_micros(now), rows.to_micros(now + LONGEST_LEASE)],
        )
        return [rows.memory_from(row) for row in found]

    def _last_row(self) -> int:
        found = self._row("select seq from sqlite_sequence where name = 'memory'")
        return int(found["seq"]) if found else 0

    def _changed(self, row: int) -> None:
        """Note that a memory is not what it was; what it replaced may come back with it."""
        self._run(
            "insert into change (memory) select ?1"
            " union all select target from link where source = ?1 and kind = 'supersedes'",
            [row],
        )

    def sequence(self) -> int:
        """The number of the newest change."""
        row = self._row("select max(sequence) as n from change")
        return (row["n"] if row else None) or 0

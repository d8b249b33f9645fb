"""The audit chain: every entry's hash covers the one before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memory_layer.errors import AmbiguousId, InvalidInput, NotFound
from memory_layer.store.rows import to_json, to_micros
from memory_layer.store.sqlite.audit import (
    HEAD,
    INSERT_ENTRY,
    INSERT_PAYLOAD,
    Entry,
    change_from,
    digest_of,
    head_from,
)
from memory_layer.store.sqlite.ids import check_mark

if TYPE_CHECKING:
    from memory_layer.model.history import Flaw, Kept, Note
    from memory_layer.model.memory import Change, Memory
    from memory_layer.ports import Edit
    from memory_layer.store.sqlite import SqliteStore
    from memory_layer.store.sqlite.episodes import Episodes
    from memory_layer.store.sqlite.notes import Notes


class Chain:
    def __init__(self, store: SqliteStore) -> None:
        self._store, self._connection = store, store.connection

    def append(
        self,
        edit: Edit,
        memory_id: str | None,
        before: bytes | None,
        after: bytes | None,
        payload: Mapping[str, object] | None,
    ) -> None:
        """Add one entry and move the head, inside the caller's transaction."""
        self.append_all(
            edit, [Entry(memory_id, after, before, None if payload is None else to_json(payload))]
        )

    def append_all(self, edit: Edit, entries: Iterable[Entry]) -> None:
        """Add the entries of one operation and move the head once."""
        from hashlib import sha256  # only writes need it, and a search should not wait for it

        count, head = self.head()
        made: list[tuple[Any, ...]] = []
        kept: list[tuple[int, str]] = []
        at, operation, action, writer, door = of_edit = _of(edit)
        done, doer = to_json(of_edit[:3])[1:-1], to_json(of_edit[3:])[1:-1]
        for each in entries:
            count += 1
            # What `chained` covers, put together from what is the same in every entry of an operation.
            spelled = f"[{count},{done},{to_json(each.memory)},{doer},{_hex(each.before)},{_hex(each.after)}]"
            head = sha256(head + spelled.encode()).digest()
            made.append(
                (count, at, operation, action, each.memory, writer, door, each.before, each.after, head)
            )
            if each.payload is not None:
                kept.append((count, each.payload))
        if made:
            self._connection.run_many(INSERT_ENTRY, made)
            if kept:
                self._connection.run_many(INSERT_PAYLOAD, kept)
            self.move_head(count, head)

    def move_head(self, count: int, head: bytes) -> None:
        self._connection.run(
            "insert into meta (key, value) values ('audit_head', ?)"
            " on conflict (key) do update set value = excluded.value",
            [f"{count}:{head.hex()}"],
        )

    def note(self, edit: Edit, told: Mapping[str, object]) -> None:
        """Add an entry for a change that makes no version; its digest is that of what it tells."""
        if edit.writer.is_person:
            told = {**told, "writer_kind": edit.writer.kind.value}
        self.append(edit, None, None, digest_of(to_json(told)), told)

    def head(self) -> tuple[int, bytes]:
        row = self._connection.row(HEAD)
        return head_from(row["value"] if row else None)

    def audit_head(self) -> tuple[int, str]:
        """How many entries the chain has, and its last hash."""
        count, head = self.head()
        return count, head.hex()

    def changes(self, memory_id: str | None = None) -> Iterator[Change]:
        """The chain's entries in order; those of one memory if named."""
        rows = self._connection.rows(
            "select * from audit where ?1 is null or memory = ?1 order by number", [memory_id]
        )
        return map(change_from, rows)

    def latest_changes(self) -> Iterator[Change]:
        """The chain's entries, newest first, read as they are asked for."""
        return map(change_from, self._connection.each("select * from audit order by number desc"))

    def operation(self, prefix: str) -> list[Change]:
        """The entries of the one operation whose id begins so, in order."""
        check_mark(prefix, "op_")
        bare = prefix.strip().lower().removeprefix("op_")
        if len(bare) < 4 or not bare.isalnum() or not bare.isascii():
            raise InvalidInput(f"{prefix!r} is not an operation; give at least 4 of its letters and digits")
        start = f"op_{bare}"
        found = self._connection.rows(
            "select * from audit where operation >= ? and operation < ? order by number", [start, start + "~"]
        )
        ids = sorted({row["operation"] for row in found})
        if len(ids) > 1:
            raise AmbiguousId(f"{prefix!r} fits several operations: {', '.join(ids)}", ids)
        if not ids:
            raise NotFound(f"there is no operation {prefix!r}")
        return [change_from(row) for row in found]

    def entries_of(self, operations: Sequence[str]) -> Iterator[Change]:
        """The entries of several operations in order, in one pass over the chain."""
        found = self._connection.each(
            "select * from audit where operation in (select value from json_each(?)) order by number",
            [to_json(list(operations))],
        )
        return map(change_from, found)

    def ever(self, action: str, ids: Sequence[str]) -> set[str]:
        """Those of these memories that an action was ever taken on, even if it was undone."""
        found = self._connection.rows(
            "select distinct memory from audit where memory in (select value from json_each(?)) and action = ?",
            [json.dumps(list(ids)), action],
        )
        return {row["memory"] for row in found}

    def notes(self, *operations: str) -> list[Note]:
        return self._notes.notes(*operations)

    def notes_at(self, numbers: Sequence[int]) -> list[Note]:
        return self._notes.notes_at(numbers)

    def take_back(self, note: Note, edit: Edit) -> None:
        self._notes.take_back(note, edit)

    @cached_property
    def _notes(self) -> Notes:
        from memory_layer.store.sqlite.notes import Notes  # few commands look back

        return Notes(self._store)

    def versions(self, memory_id: str) -> list[Kept]:
        from memory_layer.store.sqlite.past import versions

        return versions(self._connection, memory_id)

    def flaws(self) -> Iterator[Flaw]:
        from memory_layer.store.sqlite.past import flaws

        return flaws(self._connection)

    def next_episode(self, session: str) -> int:
        return self._episodes.next_episode(session)

    def chain_episodes(self, memories: Sequence[Memory]) -> None:
        self._episodes.chain_episodes(memories)

    def episode_sessions(self) -> int:
        return self._episodes.episode_sessions()

    @cached_property
    def _episodes(self) -> Episodes:
        from memory_layer.store.sqlite.episodes import Episodes  # few commands tell of events

        return Episodes(self._store)


def _of(edit: Edit) -> tuple[int | None, str, str, str, str]:
    """What every entry of an operation says: when and what was done, and by whom."""
    return to_micros(edit.at), edit.operation, edit.action, edit.writer.name, edit.writer.door


def _hex(digest: bytes | None) -> str:
    return "null" if digest is None else f'"{digest.hex()}"'

"""The audit chain: every entry's hash covers the one before."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from memory_layer.store.rows import to_json
from memory_layer.store.sqlite.audit import change_from, head

if TYPE_CHECKING:
    from memory_layer.model.history import Flaw, Kept, Note
    from memory_layer.model.memory import Change, Memory
    from memory_layer.ports import Edit
    from memory_layer.store.sqlite.connection import Connections
    from memory_layer.store.sqlite.episodes import Episodes
    from memory_layer.store.sqlite.notes import Notes


class Chain:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def audit_head(self) -> tuple[int, str]:
        """How many entries the chain has, and its last hash."""
        count, last = head(self._connection)
        return count, last.hex()

    def changes(self, memory_id: str | None = None) -> Iterator[Change]:
        """The chain's entries in order; those of one memory if named."""
        rows = self._connection.rows(
            "select * from audit where ?1 is null or memory = ?1 order by number", [memory_id]
        )
        return map(change_from, rows)

    def latest_changes(self) -> Iterator[Change]:
        """The chain's entries, newest first, read as they are asked for."""
        return map(change_from, self._connection.each("select * from audit order by number desc"))

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

        return Notes(self._connection)

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

        return Episodes(self._connection)

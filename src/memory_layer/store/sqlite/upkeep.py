"""A store looked through to keep it tidy, in stretches of rows, and when that was last done."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.upkeep import Told
from memory_layer.store import rows
from memory_layer.store.sqlite.filters import superseded
from memory_layer.store.sqlite.memories import READ_MEMORY

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.store.sqlite.connection import Connections

#: The key in a memory's metadata that names what it is a suggestion about.
RECURRENCE = "recurrence"


class Upkeep:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def untouched(self, since: datetime, now: datetime, after: int, limit: int) -> list[tuple[int, Memory]]:
        """Active memories that have expired, or that nobody has touched since then."""
        return self._stretch(
            "(m.expires_at <= ? or max(m.created_at, m.updated_at, coalesce(m.last_used_at, 0),"
            " coalesce(m.last_recalled_at, 0), coalesce(m.reinforced_at, 0)) < ?)",
            [rows.to_micros(now), rows.to_micros(since)],
            after,
            limit,
        )

    def confirmed(self, times: int, after: int, limit: int) -> list[tuple[int, Memory]]:
        """Active memories that were confirmed so often."""
        return self._stretch("m.reinforcement_count > ?", [times], after, limit)

    def _stretch(
        self, condition: str, parameters: Sequence[object], after: int, limit: int
    ) -> list[tuple[int, Memory]]:
        found = self._connection.rows(
            f"{READ_MEMORY}where m.row > ? and m.status = 'active' and {condition} order by m.row limit ?",
            [after, *parameters, limit],
        )
        return [(row["row"], rows.memory_from(row)) for row in found]

    def told(self, now: datetime, after: int, limit: int) -> list[Told]:
        """What the active memories say that have not expired and are facts."""
        found = self._connection.rows(
            "select m.row, m.id, p.id as project_id, m.content, m.content_hash"
            " from memory m left join project p on p.row = m.project"
            " where m.row > ? and m.status = 'active' and m.tier = 'semantic'"
            " and (m.expires_at is null or m.expires_at > ?) order by m.row limit ?",
            [after, rows.to_micros(now), limit],
        )
        return [
            Told(row["row"], row["id"], row["project_id"], row["content"], row["content_hash"].hex())
            for row in found
        ]

    def memories_at(self, places: Sequence[int]) -> list[Memory]:
        """The memories of these rows, in their order."""
        found = self._connection.rows(
            f"{READ_MEMORY}where m.row in (select value from json_each(?)) order by m.row",
            [json.dumps(list(places))],
        )
        return [rows.memory_from(row) for row in found]

    def superseded_among(self, ids: Sequence[str]) -> set[str]:
        """Those of these memories that an active one has replaced."""
        found = self._connection.rows(
            f"select m.id from memory m where m.id in (select value from json_each(?)) and {superseded('m')}",
            [json.dumps(list(ids))],
        )
        return {row["id"] for row in found}

    def recurrences(self) -> dict[str, bool]:
        """What was ever suggested, and whether it still waits; reads the whole store.

        What somebody stored so that it looks like a suggestion takes no room from those of the program.
        """
        found = self._connection.rows(
            f"select json_extract(m.metadata, '$.{RECURRENCE}') as key, m.status = 'staged' and exists"
            " (select 1 from audit a where a.memory = m.id and a.action = 'suggest') as waits from memory m"
            " where m.source = 'learning' and m.metadata <> '{}' order by m.row"
        )
        return {row["key"]: bool(row["waits"]) for row in found if isinstance(row["key"], str)}

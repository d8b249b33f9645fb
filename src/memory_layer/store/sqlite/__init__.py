"""The SQLite store: one file, and the parts that know its tables."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memory_layer.model.record import cached_property
from memory_layer.store.rows import moment
from memory_layer.store.sqlite.connection import Connections

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from memory_layer.ports import IdKind
    from memory_layer.store.sqlite.access import SqliteAccess
    from memory_layer.store.sqlite.chain import SqliteChain
    from memory_layer.store.sqlite.feed import SqliteFeed
    from memory_layer.store.sqlite.insights import SqliteInsights
    from memory_layer.store.sqlite.links import SqliteLinks
    from memory_layer.store.sqlite.log import SqliteLog
    from memory_layer.store.sqlite.map import SqliteMap
    from memory_layer.store.sqlite.memories import SqliteMemories
    from memory_layer.store.sqlite.passkeys import SqlitePasskeys
    from memory_layer.store.sqlite.projects import SqliteProjects
    from memory_layer.store.sqlite.search import SqliteSearch
    from memory_layer.store.sqlite.task_links import SqliteTaskLinks
    from memory_layer.store.sqlite.transfer import SqliteTransfer
    from memory_layer.store.sqlite.vectors import SqliteVectors


class SqliteStore:
    """Memory at rest in one SQLite file. Each part is loaded on first use."""

    def __init__(
        self,
        path: Path,
        *,
        busy_seconds: float,
        covers: Callable[[Sequence[str], str], bool],
        connections: type[Connections] = Connections,
    ) -> None:
        self.connection = connections(path, busy_seconds=busy_seconds, covers=covers)

    def close(self) -> None:
        """Close every thread's connection."""
        self.connection.close()

    def reading(self) -> AbstractContextManager[None]:
        """Run everything inside on one snapshot."""
        return self.connection.reading()

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]:
        """Write all or nothing, durable when it returns."""
        return self.connection.writing(patient=patient)

    def find_ids(self, kind: IdKind, start: str, limit: int) -> list[str]:
        """Return the first ids of a kind that start with a prefix, in order."""
        column, table = ("operation", "audit") if kind == "operation" else ("id", kind)
        found = self.connection.rows(
            f"select distinct {column} from {table} where {column} >= ? and {column} < ? order by {column} limit ?",
            [start, f"{start}~", limit],
        )
        return [row[0] for row in found]

    def sequence(self) -> int:
        """Return the number of the newest change."""
        row = self.connection.row("select max(sequence) as n from change")
        return (row["n"] if row else None) or 0

    def since(self) -> datetime | None:
        """Return when something was first stored; None if nothing was."""
        row = self.connection.row("select at from audit order by number limit 1")
        return moment(row["at"]) if row else None

    def wrote(self) -> bool:
        """Return whether anything was written through this store since it was opened."""
        return self.connection.wrote

    def size(self) -> int:
        """Return the bytes of the file and of its write-ahead log."""
        total = 0
        for name in (self.connection.path, f"{self.connection.path}-wal"):
            with suppress(FileNotFoundError):
                total += os.path.getsize(name)
        return total

    def note(self, key: str) -> str | None:
        """Return a value that the store keeps about itself."""
        row = self.connection.row("select value from meta where key = ?", [key])
        return str(row["value"]) if row else None

    def set_note(self, key: str, value: str) -> None:
        """Set such a value."""
        self.connection.run(
            "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
            [key, value],
        )

    @cached_property
    def projects(self) -> SqliteProjects:
        from memory_layer.store.sqlite.projects import SqliteProjects

        return SqliteProjects(self.connection)

    @cached_property
    def memories(self) -> SqliteMemories:
        from memory_layer.store.sqlite.memories import SqliteMemories

        return SqliteMemories(self.connection)

    @cached_property
    def links(self) -> SqliteLinks:
        from memory_layer.store.sqlite.links import SqliteLinks

        return SqliteLinks(self.connection)

    @cached_property
    def task_links(self) -> SqliteTaskLinks:
        from memory_layer.store.sqlite.task_links import SqliteTaskLinks

        return SqliteTaskLinks(self.connection)

    @cached_property
    def vectors(self) -> SqliteVectors:
        from memory_layer.store.sqlite.vectors import SqliteVectors

        return SqliteVectors(self.connection)

    @cached_property
    def search(self) -> SqliteSearch:
        from memory_layer.store.sqlite.search import SqliteSearch

        return SqliteSearch(self.connection)

    @cached_property
    def map(self) -> SqliteMap:
        from memory_layer.store.sqlite.map import SqliteMap

        return SqliteMap(self.connection)

    @cached_property
    def log(self) -> SqliteLog:
        from memory_layer.store.sqlite.log import SqliteLog

        return SqliteLog(self.connection)

    @cached_property
    def feed(self) -> SqliteFeed:
        from memory_layer.store.sqlite.feed import SqliteFeed

        return SqliteFeed(self.connection)

    @cached_property
    def insights(self) -> SqliteInsights:
        from memory_layer.store.sqlite.insights import SqliteInsights

        return SqliteInsights(self.connection)

    @cached_property
    def chain(self) -> SqliteChain:
        from memory_layer.store.sqlite.chain import SqliteChain

        return SqliteChain(self.connection)

    @cached_property
    def passkeys(self) -> SqlitePasskeys:
        from memory_layer.store.sqlite.passkeys import SqlitePasskeys

        return SqlitePasskeys(self.connection)

    @cached_property
    def transfer(self) -> SqliteTransfer:
        from memory_layer.store.sqlite.transfer import SqliteTransfer

        return SqliteTransfer(self.connection)

    @cached_property
    def access(self) -> SqliteAccess:
        from memory_layer.store.sqlite.access import SqliteAccess

        return SqliteAccess(self.connection)

"""The SQLite store: one file, and the parts that know its tables."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memory_layer.model.lazy import cached_property
from memory_layer.store.sqlite.connection import Connections

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from memory_layer.ports import IdKind
    from memory_layer.store.sqlite.chain import Chain
    from memory_layer.store.sqlite.links import Links
    from memory_layer.store.sqlite.log import Log
    from memory_layer.store.sqlite.memories import Memories
    from memory_layer.store.sqlite.projects import Projects
    from memory_layer.store.sqlite.search import Search
    from memory_layer.store.sqlite.transfer import Transfer
    from memory_layer.store.sqlite.vectors import Vectors


class SqliteStore:
    """Memory at rest in one SQLite file. A part is loaded when it is first needed."""

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
        """Let everything read inside see the same moment."""
        return self.connection.reading()

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]:
        """Write all or nothing, durable when it returns."""
        return self.connection.writing(patient=patient)

    def find_ids(self, kind: IdKind, start: str, limit: int) -> list[str]:
        """Return the first ids of a kind that begin so, in their order."""
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

    def size(self) -> int:
        """Return the bytes of the file and of the log SQLite keeps beside it."""
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
        """Keep such a value."""
        self.connection.run(
            "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
            [key, value],
        )

    @cached_property
    def projects(self) -> Projects:
        from memory_layer.store.sqlite.projects import Projects

        return Projects(self.connection)

    @cached_property
    def memories(self) -> Memories:
        from memory_layer.store.sqlite.memories import Memories

        return Memories(self.connection)

    @cached_property
    def links(self) -> Links:
        from memory_layer.store.sqlite.links import Links

        return Links(self.connection)

    @cached_property
    def vectors(self) -> Vectors:
        from memory_layer.store.sqlite.vectors import Vectors

        return Vectors(self.connection)

    @cached_property
    def search(self) -> Search:
        from memory_layer.store.sqlite.search import Search

        return Search(self.connection)

    @cached_property
    def log(self) -> Log:
        from memory_layer.store.sqlite.log import Log

        return Log(self.connection)

    @cached_property
    def chain(self) -> Chain:
        from memory_layer.store.sqlite.chain import Chain

        return Chain(self.connection)

    @cached_property
    def transfer(self) -> Transfer:
        from memory_layer.store.sqlite.transfer import Transfer

        return Transfer(self.connection)

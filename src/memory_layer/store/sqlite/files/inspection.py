"""Open a store without changing it, to check it, and repair it inside a transaction."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import StoreDamaged
from memory_layer.ports.files import Record
from memory_layer.ports.store import IndexedTerms
from memory_layer.store import rows
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.connection import Connections, holds, is_frozen
from memory_layer.store.sqlite.files import record_checks
from memory_layer.store.sqlite.files.copies import connect, connect_frozen

if TYPE_CHECKING:
    from memory_layer.model.upkeep import Check

BATCH = 500  #: records held in memory at once


_RECORDS = (
    f"select {rows.RECORD}, m.row, p.id, t.body, t.labels from memory m"
    " left join project p on p.row = m.project left join memory_terms t on t.row = m.row"
    " where m.row > ? order by m.row limit ?"
)


class ExaminedConnections(Connections):
    """Connections to a file that opening neither creates, migrates nor recovers."""

    def _connect(self) -> sqlite3.Connection:
        db = connect(self.path, write=os.access(self.path, os.W_OK), busy_seconds=self.busy_seconds)
        if is_frozen(self.path) and not _can_be_read(db):
            db.close()
            db = connect_frozen(self.path)
        db.create_function("scope_covers", 2, self._scope_covers, deterministic=True)
        db.create_function("holds", 2, holds, deterministic=True)
        db.execute("pragma foreign_keys = on")
        db.execute("pragma synchronous = full")
        db.execute("pragma temp_store = memory")
        return db


class ExaminedStore(SqliteStore):
    """A store opened unchanged, with checks of its health."""

    def __init__(
        self,
        path: Path,
        *,
        busy_seconds: float,
        covers: Callable[[Sequence[str], str], bool],
        vector_sizes: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(path, busy_seconds=busy_seconds, covers=covers, connections=ExaminedConnections)
        self._vector_sizes = vector_sizes or {}

    def look(self, name: str) -> Check:
        """Run one check below the records: pages, schema, references, full text, vectors or index."""
        return record_checks.look(self.connection, name, self._vector_sizes)

    def mend(self, name: str) -> None:
        """Repair the findings of a check that are not in records; the records were rewritten before."""
        record_checks.mend(self.connection, name, self._vector_sizes)

    def records(self) -> Iterator[Record]:
        """Yield every memory, including invalid ones."""
        last = -1
        while batch := self.connection.rows(_RECORDS, [last, BATCH]):
            for *record, row, project, body, labels in batch:
                last = row
                try:
                    memory = rows.memory_of(record)
                except StoreDamaged:
                    memory = None
                yield Record(record[0], memory, project, None if body is None else IndexedTerms(body, labels))


def _can_be_read(db: sqlite3.Connection) -> bool:
    try:
        db.execute("select 1 from sqlite_master").fetchone()
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:  # damaged; the checks report it
        return True
    return True

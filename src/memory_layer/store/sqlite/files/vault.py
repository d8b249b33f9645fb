"""A SQLite store as files, for backups and the doctor."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import MemoryLayerError, StoreBusy, StoreDamaged
from memory_layer.model.upkeep import BACKUPS
from memory_layer.ports.files import BackupFile, Record
from memory_layer.ports.store import IndexedTerms
from memory_layer.store import rows
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.connection import Connections, drifted_score, holds, is_frozen, translated
from memory_layer.store.sqlite.files import copies, file_checks, private, record_checks, replace, salvage
from memory_layer.store.sqlite.files.copies import connect, connect_frozen

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.upkeep import Check
    from memory_layer.ports.files import Contents, Salvage

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
        db.create_function("drifted", 3, drifted_score, deterministic=True)
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


class SqliteVault:
    """The backups of one store, and the store itself as files."""

    def __init__(
        self,
        database: Path,
        *,
        busy_seconds: float,
        covers: Callable[[Sequence[str], str], bool],
        own_folder: bool = False,
    ) -> None:
        self.database = database
        self.busy_seconds = busy_seconds
        self._covers = covers
        self.own_folder = own_folder

    def save(self, target: Path, progress: Callable[[int, int], None] | None = None) -> Contents:
        """Copy a snapshot of the store into a new file while others write."""
        self._make_folder(target.parent)
        return copies.save(self.database, target, self.busy_seconds, progress)

    def _make_folder(self, folder: Path) -> None:
        if folder == self.database.parent / BACKUPS and not os.path.lexists(folder):
            with private.spoken(folder):
                folder.mkdir(mode=0o700)

    def contents(self, file: Path, *, deep: bool = True) -> Contents:
        """Summarise a store's file; `deep` also lists its flaws. Refuse a file that is not a store."""
        private.check_readable(file)
        if file.stat().st_size == 0:  # SQLite would remove its log as a leftover
            raise StoreDamaged(f"{file} is empty")
        look = copies.contents if deep else copies.summary
        return look(file, self.busy_seconds, in_use=file == self.database)

    def listed(self, folder: Path) -> list[BackupFile]:
        """Return the files in a folder that may be backups, oldest first."""
        found = sorted(folder.glob("*.db"), key=lambda file: (file.stat().st_mtime_ns, file.name))
        return [
            BackupFile(file, file.stat().st_size, self._summary(file)) for file in found if file.is_file()
        ]

    def _summary(self, file: Path) -> Contents | None:
        try:
            return copies.summary(file, self.busy_seconds)
        except MemoryLayerError:
            return None

    def prepared(self, file: Path) -> AbstractContextManager[Contents]:
        """Prepare a checked copy of a backup to replace the store."""
        return replace.prepared(file, Path(os.path.realpath(self.database)), self.busy_seconds)

    def replace(self, prepared: Contents, keep: Path) -> Path | None:
        """Replace the store by the prepared copy; return the path of the old one, or None if there was none."""
        self._make_folder(keep.parent)
        return replace.replace(prepared.file, self.database, keep, self.busy_seconds)

    def rescue(self, target: Path, keep: Path) -> tuple[Salvage, Path | None]:
        """Salvage a damaged store into a new one, which replaces it if every loss is named.

        Also returns the path of the damaged store, or None if it is still in place.
        """
        self._make_folder(target.parent)
        with self._unchanged_check() as check:
            found = salvage.salvage(self.database, target, self.busy_seconds)
            if found.unnamed or not found.saved:
                return found, None
            with self.prepared(target) as prepared:
                old_file = replace.replace(prepared.file, self.database, keep, self.busy_seconds, check)
        target.unlink()
        return found, old_file

    @contextmanager
    def _unchanged_check(self) -> Iterator[Callable[[], None]]:
        """Return a check that refuses if the store was written to since."""
        if not replace.can_be_opened(self.database, self.busy_seconds):
            yield lambda: None
            return
        with closing(copies.connect(self.database)) as db:
            seen = db.execute("pragma data_version").fetchone()[0]

            def check() -> None:
                if db.execute("pragma data_version").fetchone()[0] != seen:
                    raise StoreBusy(
                        "the store was written to in the meantime; nothing was replaced, try again"
                    )

            yield check

    @contextmanager
    def examined(self, vector_sizes: Mapping[str, int] | None = None) -> Iterator[ExaminedStore]:
        """Open the store unchanged; the log of a dead process is read but not written into the file."""
        log = Path(f"{self.database}-wal")
        with ExitStack() as last_first:
            if log.exists() and log.stat().st_size:
                with translated(self.database):
                    reader = copies.connect(self.database)
                    last_first.callback(reader.close)  # closed last, because it cannot write
                    reader.execute("select 1 from sqlite_master").fetchone()
            store = ExaminedStore(
                self.database,
                busy_seconds=self.busy_seconds,
                covers=self._covers,
                vector_sizes=vector_sizes,
            )
            last_first.callback(store.close)
            yield store

    def look(self, name: str, now: datetime) -> Check:
        """Run one check of the files: the file itself, backups, permissions, leftovers or disk space."""
        return file_checks.look(self, name, now)

    def mend(self, name: str, now: datetime) -> None:
        """Make files private again, or remove the leftovers of killed commands."""
        file_checks.mend(self, name, now)

"""Opening the file, and transactions that queue instead of failing."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memory_layer.errors import MemoryLayerError, StoreBusy, StoreDamaged, StoreUnavailable
from memory_layer.store import migrate

#: How long a writer sleeps before it asks for the lock again. SQLite's own busy handler backs off to
#: 100 ms, which lets a busy neighbour starve the others; short random naps keep the queue moving.
NAP_SECONDS = (0.0005, 0.004)

READ, WRITE = "begin", "begin immediate"


class Connections:
    """One connection per thread to one file, opened when the thread first needs it."""

    def __init__(
        self, path: Path, *, busy_seconds: float, covers: Callable[[Sequence[str], str], bool]
    ) -> None:
        self.path = path
        self._busy_seconds = busy_seconds
        self._covers = covers
        self._mine = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        self._closed = False
        with translated(path):
            self._db  # noqa: B018 - opens and migrates now, so that a bad file is reported at once

    @property
    def _db(self) -> sqlite3.Connection:
        db = getattr(self._mine, "db", None)
        if db is None:
            if self._closed:
                raise StoreUnavailable("the store has been closed")
            db = self._mine.db = self._connect()
            self._mine.depth = 0
        return db

    def _connect(self) -> sqlite3.Connection:
        _create_private(self.path)
        try:
            db = self._opened(str(self.path))
        except sqlite3.OperationalError:
            if not _is_frozen(self.path):
                raise
            db = self._opened(f"{self.path.absolute().as_uri()}?immutable=1")
        with self._guard:
            self._open.append(db)
        return db

    def _opened(self, address: str) -> sqlite3.Connection:
        db = sqlite3.connect(
            address,
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            uri=address.startswith("file:"),
        )
        try:
            db.row_factory = sqlite3.Row
            db.create_function("scope_covers", 2, self._scope_covers, deterministic=True)
            db.create_function("holds", 2, holds, deterministic=True)
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _scope_covers(self, scope: str, path: str) -> bool:
        """A memory without a scope applies everywhere."""
        patterns = json.loads(scope)
        return not patterns or self._covers(patterns, path)

    def _prepare(self, db: sqlite3.Connection) -> None:
        current = migrate.is_current(db)
        if db.execute("pragma journal_mode").fetchone()[0] != "wal":
            self._insist(db, "pragma journal_mode = wal")  # here SQLite itself does not wait
        db.execute("pragma synchronous = full")
        db.execute("pragma foreign_keys = on")
        db.execute("pragma temp_store = memory")
        if not current:
            self._take_write_lock(db)
            try:
                migrate.apply(db)
                db.execute("commit")
            except BaseException:
                if db.in_transaction:
                    db.execute("rollback")
                raise

    def close(self) -> None:
        """Close every thread's connection."""
        with self._guard:
            self._closed = True
            for db in self._open:
                db.close()
            self._open.clear()
        self._mine = threading.local()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside sees the same moment."""
        with self._transaction(READ):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All or nothing, durable when it returns. Takes the write lock first, so agents queue."""
        with self._transaction(WRITE):
            yield

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        db = self._db
        if self._mine.depth:
            if begin == WRITE and not self._mine.writes:
                raise RuntimeError("a write cannot start inside a read")
            yield
            return
        with translated(self.path):
            self._take_write_lock(db) if begin == WRITE else db.execute(begin)
        self._mine.depth, self._mine.writes = 1, begin == WRITE
        try:
            yield
            with translated(self.path):
                db.execute("commit")
        except BaseException:
            if db.in_transaction:
                db.execute("rollback")
            raise
        finally:
            self._mine.depth = 0

    def _take_write_lock(self, db: sqlite3.Connection) -> None:
        self._insist(db, WRITE)

    def _insist(self, db: sqlite3.Connection, statement: str) -> None:
        """Run a statement that needs the file for itself, again and again while others have it."""
        deadline = time.monotonic() + self._busy_seconds
        db.execute("pragma busy_timeout = 0")
        try:
            while True:
                try:
                    db.execute(statement)
                    return
                except sqlite3.OperationalError as error:
                    if not _is_busy(error) or time.monotonic() > deadline:
                        raise
                    time.sleep(random.uniform(*NAP_SECONDS))
        finally:
            db.execute(f"pragma busy_timeout = {int(self._busy_seconds * 1000)}")

    def _rows(self, sql: str, parameters: Sequence[object] = ()) -> list[sqlite3.Row]:
        with translated(self.path):
            return self._db.execute(sql, parameters).fetchall()

    def _each(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[sqlite3.Row]:
        """The same one by one, for tables that need not fit into memory."""
        with translated(self.path):
            yield from self._db.execute(sql, parameters)

    def _row(self, sql: str, parameters: Sequence[object] = ()) -> sqlite3.Row | None:
        with translated(self.path):
            row: sqlite3.Row | None = self._db.execute(sql, parameters).fetchone()
            return row

    def _run(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Change something inside a write; returns the new row number."""
        if not self._db.in_transaction:
            raise RuntimeError("a change needs a transaction")
        with translated(self.path):
            return self._db.execute(sql, parameters).lastrowid or 0


def holds(content: str, phrase: str) -> bool:
    """Whether a text contains a phrase, whatever the case and the white space."""
    return " ".join(phrase.casefold().split()) in " ".join(content.casefold().split())


def _create_private(path: Path) -> None:
    """Make folder and file readable by their owner only; SQLite gives its side files the same mode."""
    if path.exists():
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _is_frozen(path: Path) -> bool:
    """Whether nobody can write here, so that SQLite lacks the side files through which readers meet."""
    return not os.access(path.parent, os.W_OK) and not os.path.exists(f"{path}-wal")


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error) or "busy" in str(error)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn the driver's and the system's errors into sentences."""
    try:
        yield
    except MemoryLayerError:
        raise
    except sqlite3.IntegrityError:
        raise
    except sqlite3.OperationalError as error:
        if _is_busy(error):
            raise StoreBusy(
                f"another process kept {path} locked for too long; nothing was changed, try again"
            ) from error
        raise StoreUnavailable(f"the store {path} could not be used: {error}") from error
    except sqlite3.DatabaseError as error:
        raise StoreDamaged(f"the store {path} is not a readable database: {error}") from error
    except OSError as error:
        raise StoreUnavailable(f"the store {path} could not be opened: {error.strerror or error}") from error

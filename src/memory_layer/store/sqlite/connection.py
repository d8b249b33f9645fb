"""Connections to the store's file: one per thread, with transactions that queue instead of failing."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from memory_layer.errors import (
    InvalidInput,
    MemoryLayerError,
    StoreBusy,
    StoreDamaged,
    StoreTooNew,
    StoreUnavailable,
)
from memory_layer.model.outcome import faded
from memory_layer.store import migrate
from memory_layer.store.sqlite.files import private
from memory_layer.store.sqlite.forks import end_at_forks

if TYPE_CHECKING:
    from memory_layer.store.index.sync import Beside
    from memory_layer.store.index.view import View


#: Seconds a writer sleeps before it retries the lock. SQLite's own busy handler backs off to
#: 100 ms, which lets a busy neighbour starve the others; short random naps keep the queue moving.
NAP_SECONDS = (0.0005, 0.004)
CACHE_KIB = 16 * 1024  #: page cache of a connection
#: Checkpoint the log only at 16 MB, because successive commits change many of the same pages.
JOURNAL_PAGES = 4096

ROWS = 100  #: read at once of tables that may not fit into memory

DAY = 86_400_000_000  #: microseconds
READ, WRITE = "begin", "begin immediate"


#: Connections in use at a fork. SQLite forbids using or even closing them in the child.
_INHERITED: list[_Known] = []
T = TypeVar("T")


class _Open:
    """The state needed to close a connection, even while its thread is ending."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.busy = threading.RLock()  # held while the thread works, so that nobody closes the connection
        self.process = os.getpid()
        self.streams: list[str] = []  # statements whose rows are being read
        self.rests = False  # closed for a fork; its thread opens another one


class _Known:
    """The open connections of a process, which are closed one at a time.

    Of two that close at the same moment each takes the other for the last, and neither cleans up.
    """

    def __init__(self) -> None:
        self.all: set[_Open] = set()
        self.closing = threading.RLock()


class Own:
    """One thread's connection: its file, and the transaction in progress."""

    def __init__(self, db: sqlite3.Connection, path: Path, known: _Known) -> None:
        self.db = db
        self.file = _identity(path)
        self.format = migrate.format_of(db)
        self.opened = _Open(db)
        self.busy = self.opened.busy
        self.in_transaction = False
        self.writes = False
        self.view: View | None = None  # the index as of the current transaction, once requested
        known.all.add(self.opened)
        # Close the connection when its thread ends; at exit the system does it.
        weakref.finalize(self, _close, self.opened, known).atexit = False


def _close(opened: _Open, known: _Known) -> None:
    """Close a connection; it stays registered until then, because the end of the process waits for it."""
    if opened.process != os.getpid():  # opened before a fork: the parent closes it
        return
    with opened.busy, known.closing:
        opened.db.close()
    known.all.discard(opened)


class _Use:
    """A connection in use; a class, because one is made per statement and generators are slower."""

    __slots__ = ("_own", "_store")

    def __init__(self, store: Connections, own: Own) -> None:
        self._store, self._own = store, own

    def __enter__(self) -> sqlite3.Connection:
        self._own.busy.acquire()
        while self._own.opened.rests:  # there was a fork in between
            self._own.busy.release()
            self._own = self._store.own()
            self._own.busy.acquire()
        if self._store._closed:
            self._own.busy.release()
            raise StoreUnavailable("the store has been closed")
        return self._own.db

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._own.busy.release()
        if error is not None:
            _raise_translated(error, self._store.path)


class Connections:
    """One connection per thread to one file, opened on first use."""

    only_read = False  #: never write to the file or its side files
    reopens = True  #: closing and reopening a connection loses nothing

    def __init__(
        self,
        path: Path,
        *,
        busy_seconds: float,
        covers: Callable[[Sequence[str], str], bool],
    ) -> None:
        self.path = path
        self.busy_seconds = busy_seconds
        self.covers = covers
        self._mine = threading.local()
        self._all: weakref.WeakSet[Own] = weakref.WeakSet()
        self._open = _Known()
        self._guard = threading.RLock()
        self._closed = False
        self.wrote = False  #: whether any transaction wrote
        self._index: Beside | None = None
        end_at_forks(self)
        self.own()  # open and migrate now, so that a bad file is reported at once

    def rest(self, deadline: float) -> list[threading.RLock]:
        """Close every idle connection before a fork; return the locks that keep new ones from opening."""
        held = []

        def hold(lock: threading.RLock) -> None:
            if lock.acquire(timeout=max(0.0, deadline - time.monotonic())):
                held.append(lock)

        hold(self._guard)  # first, because until then connections are opened
        for opened in self._open.all.copy():
            hold(opened.busy)
        for opened in self._open.all.copy() if self.reopens else ():
            if opened.busy in held and not opened.streams and not opened.db.in_transaction:
                opened.rests = True
                opened.db.close()
                self._open.all.discard(opened)
        return held

    def begin_anew(self) -> None:
        """Make every thread of a child process open its own connection and index."""
        _INHERITED.append(self._open)
        self._mine, self._guard = threading.local(), threading.RLock()
        self._all, self._open, self._index = weakref.WeakSet(), _Known(), None

    def own(self) -> Own:
        """Return this thread's connection, opened on first use."""
        own: Own | None = getattr(self._mine, "own", None)
        if own is None or own.opened.rests:
            with translated(self.path), self._guard:
                if self._closed:
                    raise StoreUnavailable("the store has been closed")
                own = self._mine.own = Own(self._connect(), self.path, self._open)
                self._all.add(own)
        return own

    def using(self) -> _Use:
        """Return this thread's connection; nobody closes it while it is in use."""
        return _Use(self, self.own())

    def _connect(self) -> sqlite3.Connection:
        _create_private(self.path)
        try:
            return self._opened(str(self.path))
        except sqlite3.OperationalError:
            if not is_frozen(self.path):
                raise
            return self._opened(f"{self.path.absolute().as_uri()}?immutable=1")

    def _opened(self, address: str) -> sqlite3.Connection:
        db = sqlite3.connect(
            address,
            timeout=self.busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            uri=address.startswith("file:"),
        )
        try:
            db.row_factory = sqlite3.Row
            db.create_function("scope_covers", 2, self._scope_covers, deterministic=True)
            db.create_function("holds", 2, holds, deterministic=True)
            db.create_function("drifted", 3, drifted_score, deterministic=True)
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _scope_covers(self, scope: str, path: str) -> bool:
        patterns = json.loads(scope)
        return not patterns or self.covers(patterns, path)

    def _prepare(self, db: sqlite3.Connection) -> None:
        current = migrate.is_current(db)
        if db.execute("pragma journal_mode").fetchone()[0] != "wal":
            self.insist(db, "pragma journal_mode = wal")  # SQLite's busy timeout does not apply here
        db.execute("pragma synchronous = full")
        db.execute("pragma foreign_keys = on")
        db.execute("pragma temp_store = memory")
        db.execute(f"pragma cache_size = -{CACHE_KIB}")
        db.execute(f"pragma wal_autocheckpoint = {JOURNAL_PAGES}")
        if not current:
            self.insist(db, WRITE)
            try:
                migrate.apply(db)
                db.execute("commit")
            except BaseException:
                if db.in_transaction:
                    db.execute("rollback")
                raise

    def close(self) -> None:
        """Close every thread's connection; busy threads finish first."""
        with self._guard:
            self._closed = True
        for opened in self._open.all.copy():
            _close(opened, self._open)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Run everything inside on one snapshot."""
        with self._transaction(READ):
            yield

    @contextmanager
    def writing(self, *, patient: bool = True) -> Iterator[None]:
        """Write all or nothing, durable on return; takes the write lock first, so that patient writers queue."""
        with self._transaction(WRITE, None if patient else 0.0):
            yield

    @contextmanager
    def _transaction(self, begin: str, wait_seconds: float | None = None) -> Iterator[None]:
        own = self.own()
        if own.in_transaction:
            if begin == WRITE and not own.writes:
                raise RuntimeError("cannot start a write inside a read")
            yield
            return
        with self.using():
            own = self.own()  # may have changed if there was a fork
            self._begin(own, begin, wait_seconds)
            try:
                yield
                with translated(self.path):
                    own.db.execute("commit")
                self.wrote = self.wrote or begin == WRITE
            except BaseException:
                if not self._closed and own.db.in_transaction:
                    own.db.execute("rollback")
                raise
            finally:
                own.in_transaction, own.view = False, None

    def _begin(self, own: Own, begin: str, wait_seconds: float | None) -> None:
        with translated(self.path):
            if self._closed:
                raise StoreUnavailable("the store has been closed")
            if begin == WRITE and own.file != _identity(self.path):
                raise StoreUnavailable(
                    f"{self.path} was removed or replaced while it was open; open it again"
                )
            self.insist(own.db, WRITE, wait_seconds) if begin == WRITE else own.db.execute(begin)
            if begin == WRITE and own.format != migrate.format_of(own.db):
                own.db.execute("rollback")
                raise StoreTooNew(
                    f"a newer version of Memory Layer upgraded {self.path} while it was open; restart this program"
                    " with that version"
                )
        own.in_transaction, own.writes = True, begin == WRITE

    def insist(self, db: sqlite3.Connection, statement: str, wait_seconds: float | None = None) -> None:
        """Run a statement that needs the file to itself, retrying while others use it."""
        deadline = time.monotonic() + (self.busy_seconds if wait_seconds is None else wait_seconds)
        db.execute("pragma busy_timeout = 0")
        try:
            while True:
                try:
                    db.execute(statement)
                    return
                except sqlite3.OperationalError as error:
                    if not _is_busy(error) or time.monotonic() > deadline:
                        raise
                    import random  # not needed if the file is free

                    time.sleep(random.uniform(*NAP_SECONDS))
        finally:
            db.execute(f"pragma busy_timeout = {int(self.busy_seconds * 1000)}")

    def beside(self) -> Beside:
        """Return the index beside the file, opened on first use in this process."""
        if self._index is None:
            from memory_layer.store.index.sync import Beside

            self._index = Beside(self.index_folder(), frozen=self.only_read)
        return self._index

    def index_folder(self) -> Path | None:
        return private.index_of(self.path)

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[sqlite3.Row]:
        with self.using() as db:
            return db.execute(sql, parameters).fetchall()

    def each(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[sqlite3.Row]:
        """Yield rows one by one, for tables that may not fit into memory."""
        with self.using() as db:
            own = self.own()
            rows = db.execute(sql, parameters)
            streams = own.opened.streams
            streams.append(sql)
        try:
            # No lock is held between pages: whoever drops the iterator half-way may be another thread.
            while page := self._page(own, rows):
                yield from page
        finally:
            streams.pop()

    def _page(self, own: Own, rows: sqlite3.Cursor) -> list[sqlite3.Row]:
        with _Use(self, own):
            return rows.fetchmany(ROWS)

    def row(self, sql: str, parameters: Sequence[object] = ()) -> sqlite3.Row | None:
        with self.using() as db:
            row: sqlite3.Row | None = db.execute(sql, parameters).fetchone()
            return row

    def run(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Execute a statement inside a write; return the new row number."""
        with self.using() as db:
            if not db.in_transaction:
                raise RuntimeError("changes need a write transaction")
            return db.execute(sql, parameters).lastrowid or 0

    def run_many(self, sql: str, parameters: Iterable[Sequence[object]]) -> None:
        """Execute a statement for many rows inside a write."""
        with self.using() as db:
            if not db.in_transaction:
                raise RuntimeError("changes need a write transaction")
            db.executemany(sql, parameters)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of the file at a path; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def drifted_score(score: float, last_used_at: int | None, now: int) -> float:
    """Return the score that counts at a moment."""
    return score if last_used_at is None else faded(score, (now - last_used_at) / DAY)


def holds(content: str, phrases: str) -> bool:
    """Check whether a text contains each phrase of a JSON list, ignoring case and white space."""
    folded = _folded(content)
    return all(phrase in folded for phrase in _folded_phrases(phrases))


@lru_cache(maxsize=1)
def _folded_phrases(phrases: str) -> list[str]:
    return [_folded(phrase) for phrase in json.loads(phrases)]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _create_private(path: Path) -> None:
    """Create folder and file readable by their owner only; SQLite gives its side files the same mode."""
    if path.exists():
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def is_frozen(path: Path) -> bool:
    """Check whether the folder is read-only, so that SQLite cannot create its side files."""
    return not os.access(path.parent, os.W_OK) and not os.path.exists(f"{path}-wal")


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error) or "busy" in str(error)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Translate errors of the driver and the system into our own."""
    try:
        yield
    except Exception as error:
        _raise_translated(error, path)
        raise


def _raise_translated(error: BaseException, path: Path) -> None:
    """Translate an error of the driver or the system; let any other pass.

    The new error is not bound to a name: one that its own traceback leads to would keep every reader alive.
    """
    if isinstance(error, (MemoryLayerError, sqlite3.IntegrityError)):
        return
    if isinstance(error, (UnicodeEncodeError, OverflowError)):
        raise InvalidInput("a text or number cannot be stored") from error
    if isinstance(error, sqlite3.OperationalError):
        if _is_busy(error):
            raise StoreBusy(
                f"another process kept {path} locked for too long; nothing was changed, try again"
            ) from error
        raise StoreUnavailable(f"the store {path} could not be used: {error}") from error
    if isinstance(error, sqlite3.DatabaseError):
        raise StoreDamaged(
            f"the store {path} is damaged and cannot be read ({error}); run `mem doctor` to see the"
            " damage, or `mem backup --list` to see the backups"
        ) from error
    if isinstance(error, OSError):
        raise StoreUnavailable(f"the store {path} could not be opened: {error.strerror or error}") from error


def by_index(
    connection: Connections, view: View | None, indexed: Callable[[View], T], plain: Callable[[], T]
) -> T:
    """Answer from the index; from the file if there is no index or it contradicts itself."""
    if view is None:
        return plain()
    from memory_layer.store.index.columns_file import UNUSABLE, Damaged
    from memory_layer.store.sqlite.index_source import Reader

    try:
        return indexed(view)
    except (Damaged, *UNUSABLE) as error:
        connection.own().view = None
        connection.beside().doubt(Reader(connection), error)
        return plain()

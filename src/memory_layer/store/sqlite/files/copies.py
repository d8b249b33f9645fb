"""Copy a store while others write to it, and summarise and check a store's file."""

from __future__ import annotations

import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from memory_layer.errors import InvalidInput, MemoryLayerError, StoreBusy, StoreDamaged, StoreUnavailable
from memory_layer.model.history import Flaw
from memory_layer.ports.files import Contents
from memory_layer.ports.store import ALL_ENTRIES, Entries
from memory_layer.store import migrate
from memory_layer.store.flaws import Records, first_in_chain
from memory_layer.store.rows import moment
from memory_layer.store.sqlite.chain import read_entries, read_episodes, read_head, read_session_heads
from memory_layer.store.sqlite.files import private

#: Pages copied between two checks of the deadline.
PAGES_A_STEP = 2048
NAP_SECONDS = 0.01
LONGEST_COMPLAINT = 120  #: characters quoted from SQLite's complaint
#: Invalidates everything built beside the file before.
NEW_LIFE = (
    "insert into meta (key, value) values ('lineage', lower(hex(randomblob(16))))"
    " on conflict (key) do update set value = excluded.value"
)

Progress = Callable[[int, int], None]  #: pages done and total


#: Beginnings of the messages about a damaged file.
PAGES = "pages of the file are damaged"
HISTORY = "the audit chain is broken at entry"
UNFIT = "memories do not match the audit chain"


def connect(file: Path, *, write: bool = False, busy_seconds: float = 5.0) -> sqlite3.Connection:
    """Open an existing file; reading does not change its contents."""
    address = f"{file.absolute().as_uri()}?mode={'rw' if write else 'ro'}"
    db = sqlite3.connect(
        address, uri=True, isolation_level=None, timeout=busy_seconds, check_same_thread=False
    )
    db.row_factory = sqlite3.Row
    return db


def connect_frozen(file: Path) -> sqlite3.Connection:
    """Open a read-only file without creating SQLite's side files."""
    address = f"{file.absolute().as_uri()}?immutable=1"
    db = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    return db


@contextmanager
def opened(file: Path, busy_seconds: float, *, in_use: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a store's file for reading, even in a read-only folder.

    A file in use is opened the way every command does it, so that the last one to close it cleans up its side files.
    """
    db = connect(file, write=in_use and os.access(file, os.W_OK), busy_seconds=busy_seconds)
    try:
        db.execute("select 1 from sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        db.close()
        if "locked" in str(error):
            raise
        db = connect_frozen(file)
    with closing(db):
        yield db


def save(
    source: Path, target: Path, busy_seconds: float, progress: Progress | None = None, *, deep: bool = True
) -> Contents:
    """Copy a snapshot of a store into a new file, check it, and only then give it its name."""
    private.check_free(target)
    with private.unfinished(target) as part:
        with explained(source, target), opened(source, busy_seconds, in_use=True) as db:
            db.execute("begin")
            check_is_store(db, source)
            head = audit_head(db)
            copy(db, part, progress)
            db.execute("rollback")
        found = (contents if deep else summary)(part, busy_seconds)
        if (found.changes, found.audit_hash) != head:
            raise StoreUnavailable(f"the copy of {source} differs from it; nothing was saved")
        private.publish(part, target)
    return found._replace(file=target)


def copy(db: sqlite3.Connection, target: Path, progress: Progress | None = None) -> None:
    """Copy a snapshot step by step into a single file.

    The caller's read transaction holds the snapshot, so a writer does not restart the copy.
    """

    def step(_status: int, remaining: int, total: int) -> None:
        if progress is not None:
            progress(total - remaining, total)

    with closing(sqlite3.connect(target, isolation_level=None)) as out:
        out.execute("pragma synchronous = full")
        db.backup(out, pages=PAGES_A_STEP, progress=step, sleep=NAP_SECONDS)
        out.execute("pragma journal_mode = delete")


def check_is_store(db: sqlite3.Connection, file: Path) -> int:
    """Return the format of a store; refuse a file that is not a store or has an unknown format."""
    try:
        migrate.is_current(db)
    except StoreDamaged:
        raise InvalidInput(f"{file} is a database, but not a Memory Layer store") from None
    version = int(db.execute("pragma user_version").fetchone()[0])
    if version == 0:
        raise InvalidInput(f"{file} is an empty database, not a Memory Layer store")
    return version


def contents(file: Path, busy_seconds: float, *, in_use: bool = False) -> Contents:
    """Summarise a store's file and check it for damage."""
    with explained(file, file), opened(file, busy_seconds, in_use=in_use) as db:
        check_is_store(db, file)
        db.execute("begin")  # one snapshot, whoever writes meanwhile
        return _contents(db, file, tuple(flaws(db)))


def summary(file: Path, busy_seconds: float, *, in_use: bool = False) -> Contents:
    """Summarise a store's file without checking it."""
    with explained(file, file), opened(file, busy_seconds, in_use=in_use) as db:
        check_is_store(db, file)
        return _contents(db, file, ())


def _contents(db: sqlite3.Connection, file: Path, wrong: tuple[str, ...]) -> Contents:
    row = db.execute(
        "select count(*) filter (where reason is not 'forgotten') as n, min(created_at) as first,"
        " max(updated_at) as last from memory where version > 0"
    ).fetchone()
    count, audit_hash = audit_head(db)
    return Contents(
        file=file,
        size=file.stat().st_size,
        memories=row["n"],
        changes=count,
        audit_hash=audit_hash,
        first_at=_moment(row["first"]),
        last_at=_moment(row["last"]),
        flaws=wrong,
    )


def _moment(value: int | None) -> datetime | None:
    return None if value is None else moment(value)


def audit_head(db: sqlite3.Connection) -> tuple[int, str]:
    """Return the number of audit entries and the last hash; 0 and none if the head cannot be read."""
    try:
        count, head = read_head(db.execute)
    except ValueError:
        return 0, ""
    return count, head.hex()


def flaws(db: sqlite3.Connection) -> Iterator[str]:
    """Describe what is wrong with a store's pages, references and history."""
    pages = [row[0] for row in db.execute("pragma integrity_check(5)")]
    if pages != ["ok"]:
        yield f"{PAGES}, at {_place(pages[0])}"
        return
    dangling = sum(1 for _ in db.execute("pragma foreign_key_check"))
    if dangling:
        yield "1 dangling reference" if dangling == 1 else f"{dangling} dangling references"
    try:
        yield from _in_history(db)
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):
            raise
        yield f"{UNFIT}: a table or column of the store is missing"


def _in_history(db: sqlite3.Connection) -> Iterator[str]:
    try:
        head = read_head(db.execute)
    except ValueError:
        head = None
    broken = first_in_chain(read_entries(db.execute, ALL_ENTRIES), head)
    if broken is not None:
        yield f"{HISTORY} {broken.entry}"
    doubtful = list(_unfit(db))
    if doubtful:
        first = min(doubtful, key=lambda flaw: flaw.entry or math.inf)
        more = f", and {len(doubtful) - 1} more" if len(doubtful) > 1 else ""
        yield f"{UNFIT}: {first.says}{more}"


def _unfit(db: sqlite3.Connection) -> Iterator[Flaw]:
    """Yield every memory and event that does not match the chains; older files have no session chains."""
    records = Records(db.execute("select * from memory order by id"))
    by_memory = read_entries(db.execute, Entries(about_memories=True, order="memory", payloads=True))
    yield from records.unfit(
        by_memory, read_entries(db.execute, Entries(about_memories=False, payloads=True))
    )
    if db.execute("select 1 from sqlite_master where name = 'episode'").fetchone():
        yield from records.in_sessions(read_episodes(db.execute), read_session_heads(db.execute))


def _place(complaint: str) -> str:
    """Return SQLite's complaint on one line, without its heading."""
    lines = [line for line in complaint.splitlines() if not line.startswith("***")]
    return " ".join(lines[0].split())[:LONGEST_COMPLAINT] if lines else "an unknown place"


def deadline(busy_seconds: float, file: Path) -> Callable[[int], None]:
    """Return a callback for each step that gives up once the store was locked for too long."""
    end = time.monotonic() + busy_seconds

    def check(status: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > end:
            raise StoreBusy(
                f"another process kept {file} locked for too long; nothing was changed, try again"
            )

    return check


@contextmanager
def explained(source: Path, target: Path) -> Iterator[None]:
    """Translate driver errors into messages that name the right file."""
    try:
        yield
    except MemoryLayerError:
        raise
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise StoreBusy(f"another process kept {source} locked for too long; try again") from error
        full = "full" in str(error) or "disk I/O" in str(error)
        file = target if full else source
        raise StoreUnavailable(f"{file} could not be {'written' if full else 'used'}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise StoreDamaged(f"{source} is not a readable store: {error}") from error
    except OSError as error:
        raise StoreUnavailable(f"{target} could not be used: {error.strerror or error}") from error

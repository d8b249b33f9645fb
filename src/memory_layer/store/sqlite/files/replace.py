"""Replace one store by another, atomically."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput, StoreBusy, StoreDamaged, StoreTooNew, StoreUnavailable
from memory_layer.store import migrate
from memory_layer.store.sqlite.files import copies, private

if TYPE_CHECKING:
    from memory_layer.ports.files import Contents

#: The byte range that SQLite's readers keep locked while they have a file open.
FIRST_SHARED_BYTE, SHARED_BYTES = 0x40000002, 510


@contextmanager
def prepared(file: Path, database: Path, busy_seconds: float) -> Iterator[Contents]:
    """Yield a checked, migrated copy of a backup beside the store, removed at the end."""
    private.check_readable(file)
    with contextlib.suppress(OSError):  # if it cannot be created, the write below reports it
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with private.unfinished(database) as part:
        with copies.explained(file, part), copies.opened(file, busy_seconds) as db:
            db.execute("begin")
            copies.check_is_store(db, file)
            copies.copy(db, part)
            db.execute("rollback")
        with copies.explained(file, part), closing(copies.connect(part, write=True)) as db:
            _migrate(db)
            db.execute(copies.NEW_LIFE)
        found = copies.contents(part, busy_seconds)
        if any(flaw.startswith(copies.PAGES) for flaw in found.flaws):
            raise StoreDamaged(f"{file} is damaged and was not restored: {found.flaws[0]}")
        private.sync(part)
        yield found


def _migrate(db: sqlite3.Connection) -> None:
    if not migrate.is_current(db):
        db.execute("begin immediate")
        migrate.apply(db)
        db.execute("commit")


def replace(
    part: Path,
    database: Path,
    keep: Path,
    busy_seconds: float,
    check: Callable[[], None] = lambda: None,
) -> Path | None:
    """Replace the store by `part`; return the path of the old one. `check` may refuse at the last moment."""
    live = Path(os.path.realpath(database))
    if live.is_dir():
        raise InvalidInput(f"{live} is a folder, not a store")
    if can_be_opened(live, busy_seconds):
        return _overwrite(part, live, keep, busy_seconds, check)
    return _exchange(part, live, keep)


def can_be_opened(live: Path, busy_seconds: float) -> bool:
    """Check whether SQLite can open the file; refuse a database of another program."""
    if not live.exists() or live.stat().st_size == 0:
        return False
    try:
        with copies.opened(live, busy_seconds) as db:
            migrate.is_current(db)
    except (StoreDamaged, StoreTooNew):
        raise
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or not os.access(live, os.R_OK):
            with copies.explained(live, live):
                raise
        return False
    except sqlite3.DatabaseError:
        return False
    return True


def _overwrite(part: Path, live: Path, keep: Path, busy_seconds: float, check: Callable[[], None]) -> Path:
    """Overwrite every page in one transaction: open readers see the old store, then the new one.

    The old store is copied while the write lock is held, so the copy has every committed change.
    """
    check_deadline = copies.deadline(busy_seconds, live)
    copies_made: list[Path] = []

    def step(status: int, _remaining: int, _total: int) -> None:
        check_deadline(status)
        if not copies_made and status == sqlite3.SQLITE_OK:
            check()
            copies_made.append(_keep_copy(live, keep, busy_seconds))

    with (
        copies.explained(live, live),
        closing(copies.connect(part)) as new,
        closing(copies.connect(live, write=True, busy_seconds=0)) as old,
    ):
        old.execute("pragma synchronous = full")
        pages = new.execute("pragma page_count").fetchone()[0]
        # At least two steps: the first takes the lock, the last commits.
        new.backup(old, pages=min(copies.PAGES_A_STEP, max(1, pages // 2)), progress=step, sleep=0.005)
    assert copies_made
    return copies_made[0]


def _keep_copy(live: Path, keep: Path, busy_seconds: float) -> Path:
    """Copy the store; copy its raw files if it cannot be read."""
    try:
        return copies.save(
            live, keep, busy_seconds, deep=False
        ).file  # others are waiting: skip the deep check
    except (StoreDamaged, sqlite3.DatabaseError):
        return private.copied_aside(live, _free_name(live, keep))[0]


def _free_name(live: Path, keep: Path) -> Path:
    """Return a free name for the raw files."""
    name = f"{live.name}.damaged-{keep.stem.rpartition('-')[2]}"
    number, aside = 1, live.with_name(name)
    while any(os.path.lexists(f"{aside}{suffix}") for suffix in ("", *private.BESIDE)):
        number += 1
        aside = live.with_name(f"{name}.{number}")
    return aside


@contextmanager
def _exclusive(live: Path) -> Iterator[None]:
    """Make sure that no process has the store open before its file is exchanged.

    SQLite removes a log by name: a process that closed the old file later would delete the new file's log.
    """
    if os.name != "posix" or not live.is_file():  # other systems refuse to replace an open file
        yield
        return
    import fcntl

    with live.open("r+b") as held:
        try:
            fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB, SHARED_BYTES, FIRST_SHARED_BYTE)
        except OSError:
            raise StoreBusy(
                f"{live} is unreadable, but another process has it open; nothing was replaced, end that process first"
            ) from None
        yield


def _exchange(part: Path, live: Path, keep: Path) -> Path | None:
    """Keep the files of an unreadable store under another name, then move the new one in."""
    try:
        with _exclusive(live):
            return _move_in(part, live, _free_name(live, keep))
    except OSError as error:
        raise StoreUnavailable(f"{live} could not be replaced: {error.strerror or error}") from error


def _move_in(part: Path, live: Path, aside: Path) -> Path | None:
    old_files = private.set_aside(live, aside)
    for suffix in private.BESIDE:  # a log of the old file would be applied to the new one
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{live}{suffix}")
    os.replace(part, live)
    private.sync(live.parent)
    return old_files[0] if old_files else None

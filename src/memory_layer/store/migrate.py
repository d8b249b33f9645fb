"""Migrate a database to the newest format, one numbered file at a time."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from memory_layer.errors import StoreDamaged, StoreTooNew

FOLDER = Path(__file__).parent / "sql" / "sqlite"
APPLICATION_ID = 0x4D656D4C  #: "MemL", so that a database of another program is never touched


def migrations() -> list[tuple[int, Path]]:
    """Return the numbered migration files in order."""
    names = [name for name in os.listdir(FOLDER) if name[:4].isdigit() and name.endswith(".sql")]
    return [(int(name[:4]), FOLDER / name) for name in sorted(names)]


def newest() -> int:
    return migrations()[-1][0]


def format_of(db: sqlite3.Connection) -> int:
    """Return the number of the last migration applied to a database."""
    return _pragma(db, "user_version")


def is_current(db: sqlite3.Connection) -> bool:
    """Check that no migration is pending; refuse a file this program must not touch."""
    version = format_of(db)
    # In this order: whoever sees any part of a store being created then also sees its application id.
    used = version != 0 or _has_tables(db)
    mark = _pragma(db, "application_id")
    if mark != APPLICATION_ID and (used or mark != 0):
        raise StoreDamaged("this file is a database, but not a Memory Layer store; it was left untouched")
    _refuse_unknown(version)
    return version == newest()


def _refuse_unknown(version: int) -> None:
    if version > newest():
        raise StoreTooNew(
            "this store was written by a newer version of Memory Layer "
            f"(format {version}; this version supports up to {newest()}); upgrade Memory Layer to open it"
        )
    if version < 0:
        raise StoreDamaged(
            f"this store declares format {version}, which does not exist; it was left untouched"
        )


def apply(db: sqlite3.Connection, up_to: int | None = None) -> None:
    """Apply the pending migrations; the caller holds the write lock, so two processes never migrate at once."""
    done = format_of(db)
    _refuse_unknown(done)  # a newer version may have migrated it while this one waited for the lock
    for number, path in migrations():
        if number <= done or (up_to is not None and number > up_to):
            continue
        for statement in statements(path.read_text(encoding="utf-8")):
            db.execute(statement)
        db.execute(f"pragma user_version = {number}")
    db.execute(f"pragma application_id = {APPLICATION_ID}")


def statements(script: str) -> Iterator[str]:
    """Split a script without running it, since `executescript` would commit half-way."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"pragma {name}").fetchone()[0])


def _has_tables(db: sqlite3.Connection) -> bool:
    return db.execute("select 1 from sqlite_master limit 1").fetchone() is not None

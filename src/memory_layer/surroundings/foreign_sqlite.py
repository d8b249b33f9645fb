"""Read another program's SQLite file without writing a byte to it or beside it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from memory_layer.errors import InvalidInput, NotFound

LARGEST_VALUE = 10 * 1024 * 1024  #: bytes of one field
TRIES = 3

Row = dict[str, Any]


class Foreign:
    """An open foreign database: its tables, and their rows as plain values."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def columns(self, table: str) -> list[str]:
        """List the columns of a real table; empty for a view, a virtual table or a missing one."""
        found = self._db.execute(
            "select sql from sqlite_master where type = 'table' and name = ?", [table]
        ).fetchone()
        if found is None or not str(found["sql"]).lstrip().lower().startswith("create table"):
            return []
        rows = self._db.execute("select name from pragma_table_info(?)", [table]).fetchall()
        return [row["name"] for row in rows]

    def rows(self, table: str, without: Sequence[str] = ()) -> Iterator[Row]:
        """Yield the rows of a table in rowid order, without the named columns."""
        names = [name for name in self.columns(table) if name not in without]
        if not names:
            return
        columns = ", ".join(_quoted(name) for name in names)
        for row in self._db.execute(f"select {columns} from {_quoted(table)} order by rowid"):
            yield dict(zip(names, row, strict=True))


@contextmanager
def opened(path: Path) -> Iterator[Foreign]:
    """Open a consistent snapshot of the file; refuse one that keeps changing."""
    try:
        before = _state(path)
        with _address(path, before) as address, closing(_connected(address)) as db:
            yield Foreign(db)
        if _state(path) != before:
            raise InvalidInput(f"{path} changed while it was read; try again when no program uses it")
    except sqlite3.Error as error:
        raise InvalidInput(f"{path} cannot be read as a SQLite file: {error}") from error
    except FileNotFoundError:
        raise NotFound(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}") from error


@contextmanager
def _address(path: Path, state: Sequence[object]) -> Iterator[str]:
    """Yield the address to read: the file itself, or a private copy if it has a write-ahead log.

    To read a log in place SQLite would have to write a side file into the folder of the other program.
    """
    log = Path(f"{path}-wal")
    if os.path.exists(f"{path}-journal") and os.path.getsize(f"{path}-journal"):
        raise InvalidInput(f"{path} has an unfinished transaction; try again when no program uses it")
    if not log.exists() or not log.stat().st_size:
        yield f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        return
    with tempfile.TemporaryDirectory(prefix="mem-import-") as folder:
        copy = Path(folder, "copy.db")
        for _ in range(TRIES):
            shutil.copyfile(path, copy)
            shutil.copyfile(log, f"{copy}-wal")
            if _state(path) == state:
                yield copy.as_uri()
                return
            state = _state(path)
    raise InvalidInput(f"{path} is being written; try again when no program uses it")


def _connected(address: str) -> sqlite3.Connection:
    db = sqlite3.connect(address, uri=True, isolation_level=None)
    db.row_factory = sqlite3.Row
    # Invalid UTF-8 is preserved, so that only the bad value is refused and not the whole file.
    db.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    db.execute("pragma query_only = on")
    return db


def _state(path: Path) -> tuple[object, ...]:
    """Return size and time of the file and its log, which show whether somebody wrote; refuse a pipe."""
    found: list[tuple[int, int, int] | None] = []
    for name in (path, Path(f"{path}-wal")):
        try:
            status = os.stat(name)
        except FileNotFoundError:
            if name == path:
                raise
            found.append(None)
        else:
            if not stat.S_ISREG(status.st_mode):
                raise InvalidInput(f"{name} is not a regular file")
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

"""Check and repair the files of a store from outside: file, backups, permissions, leftovers, disk space."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

from memory_layer.errors import MemoryLayerError, StoreTooNew
from memory_layer.model.upkeep import BACKUPS, FIX, LISTED, Check, State, ok, problem
from memory_layer.store.sqlite.files import copies, private, replace

if TYPE_CHECKING:
    from memory_layer.store.sqlite.files.vault import SqliteVault

FIRST_ENTRY = "select hash from audit where number = 1"
#: Below this, or twice the store, a backup or a repair may not fit.
LEAST_FREE_BYTES = 64 * 1024 * 1024
STRAY_HOURS = 1
#: For how long, and how often, an empty file is looked at: another process may be making it.
CREATION_SECONDS, CREATION_LOOKS = 1.0, 20


def look(vault: SqliteVault, name: str, now: datetime) -> Check:
    """Run one check of the files."""
    return _LOOKS[name](vault, now)._replace(name=name)


def mend(vault: SqliteVault, name: str, now: datetime) -> None:
    """Repair what can be repaired without opening the store."""
    if name == "permissions":
        open_to_others(vault, mend=True)
    elif name == "strays":
        for file in _leftover_files(vault, now):
            with suppress(OSError):  # if read-only, they stay and are counted again
                file.unlink(missing_ok=True)


def _file(vault: SqliteVault, _: datetime) -> Check:
    """Check that SQLite and this program can open the file."""
    file = vault.database
    if not os.path.lexists(file) and vault.listed(file.parent / BACKUPS):
        return problem(
            1,
            f"no store at {file}, although there are backups next to it; the next command creates an empty one",
            LISTED,
        )
    if not os.path.lexists(file):
        return ok(f"no store yet; adding the first memory creates {file}")
    if not file.is_file():
        return problem(1, f"{file} is not a regular file", None)
    if _stays_empty(file):
        return problem(
            1,
            f"{file} is empty (0 bytes): its contents are lost",
            "run `mem backup --list` to see the backups",
        )
    try:
        usable = replace.can_be_opened(file, vault.busy_seconds)
    except StoreTooNew as error:
        return problem(1, str(error), "upgrade Memory Layer")
    except MemoryLayerError as error:
        return problem(1, str(error), None)
    if not usable:
        return problem(
            1,
            f"{file} cannot be opened as a database: its header is damaged or the file was truncated",
            f"{FIX} saves what can be read; `mem backup --list` lists the backups",
        )
    return ok(f"{file} opens")


def _stays_empty(file: Path) -> bool:
    """Is a file empty, and not just being made by the first write of another process?"""
    for _ in range(CREATION_LOOKS):
        if file.stat().st_size:
            return False
        sleep(CREATION_SECONDS / CREATION_LOOKS)
    return True


def _backups(vault: SqliteVault, _: datetime) -> Check:
    """Check whether the store may be a new one in place of a lost one."""
    count, ours = _related_backups(vault)
    if not count:
        return ok("no backups next to the store; create one with `mem backup`")
    if ours:
        return ok(f"{count} next to the store, {ours} of them from its own history")
    says = "none of the backups next to the store is from its history: it may be a new store in place of a lost one"
    return Check("", State.NOTICE, count, says, LISTED)


def _related_backups(vault: SqliteVault) -> tuple[int, int]:
    """Count the non-empty backups beside the store, and those that share the start of its history."""
    found = [
        _first_entry(file, vault.busy_seconds) for file in (vault.database.parent / BACKUPS).glob("*.db")
    ]
    held = [each for each in found if each]
    first = _own_first_entry(vault) if held else None
    return len(held), sum(each == first for each in held)


def _own_first_entry(vault: SqliteVault) -> bytes | None:
    if not vault.database.is_file() or not vault.database.stat().st_size:
        return None
    try:
        with vault.examined() as store:
            row = store.connection.row(FIRST_ENTRY)
    except MemoryLayerError:
        return None
    return bytes(row["hash"]) if row else None


def _first_entry(file: Path, busy_seconds: float) -> bytes | None:
    """Return the first audit hash of a backup; None if there is none to read."""
    try:
        with copies.opened(file, busy_seconds) as db:
            row = db.execute(FIRST_ENTRY).fetchone()
    except sqlite3.Error:
        return None
    return bytes(row["hash"]) if row else None


def _permissions(vault: SqliteVault, _: datetime) -> Check:
    others = open_to_others(vault, mend=False)
    if not others:
        return ok("only you can open the store and its backups")
    return problem(len(others), f"other users of this machine can open {', '.join(others)}", FIX)


def open_to_others(vault: SqliteVault, *, mend: bool) -> list[str]:
    """Return the files and folders that other users of this machine can open; `mend` makes them private."""
    if os.name != "posix":
        return []
    database = vault.database
    backups = database.parent / BACKUPS
    files = sorted(database.parent.glob(f"{database.name}.*")) + sorted(backups.glob("*"))
    wanted = [(Path(f"{database}{suffix}"), 0o600) for suffix in ("", *private.BESIDE)]
    wanted += [(file, 0o600) for file in files if file.is_file()] + [(backups, 0o700)]
    index = private.index_of(database)
    wanted += [(index, 0o700), *((file, 0o600) for file in sorted(index.glob("*")))]
    wanted += [(database.parent, 0o700)] if vault.own_folder else []
    return [str(path) for path, mode in wanted if _is_open(path, mode, mend)]


def _is_open(path: Path, mode: int, mend: bool) -> bool:
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode) or not stat.S_IMODE(found.st_mode) & 0o777 & ~mode:
            return False
        if mend:
            os.chmod(path, mode)
            return False
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def _leftovers(vault: SqliteVault, now: datetime) -> Check:
    count = len(_leftover_files(vault, now))
    if not count:
        return ok("no leftover temporary files")
    return problem(count, f"{count} leftover temporary files of interrupted commands use disk space", FIX)


def _leftover_files(vault: SqliteVault, now: datetime) -> list[Path]:
    """Return the unfinished copies that killed processes left some time ago."""
    home, before = vault.database.parent, now - timedelta(hours=STRAY_HOURS)
    found = [
        *home.glob(f".{vault.database.name}.*{private.PART}*"),
        *(home / BACKUPS).glob(f".*{private.PART}*"),
    ]
    return [file for file in found if datetime.fromtimestamp(file.stat().st_mtime, UTC) < before]


def _space(vault: SqliteVault, _: datetime) -> Check:
    free, size = free_bytes(vault.database)
    if free >= max(LEAST_FREE_BYTES, 2 * size):
        return ok("there is enough disk space for backups and repairs")
    says = f"only {free // 1_000_000:,} MB are free on the store's disk; writes may soon fail"
    return problem(1, says, "free up space on that disk")


def free_bytes(database: Path) -> tuple[int, int]:
    """Return the free disk space beside the store, and the size of the store."""
    folder = database.parent
    size = database.stat().st_size if database.exists() else 0
    return shutil.disk_usage(folder if folder.exists() else folder.anchor).free, size


_LOOKS: dict[str, Callable[[SqliteVault, datetime], Check]] = {
    "file": _file,
    "backups": _backups,
    "permissions": _permissions,
    "strays": _leftovers,
    "space": _space,
}

"""The files of a SQLite store as a whole: where backups and the doctor reach them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import MemoryLayerError, StoreBusy, StoreDamaged, StoreTooNew
from memory_layer.model.safety import BACKUPS, Check, State
from memory_layer.ports.safety import Listed
from memory_layer.store.sqlite import copies, files, replacing, salvage
from memory_layer.store.sqlite.connection import translated
from memory_layer.store.sqlite.examined import ExaminedStore

if TYPE_CHECKING:
    from memory_layer.ports.safety import Contents, Salvage

FIRST_ENTRY = "select hash from audit where number = 1"


class SqliteVault:
    """Backups of one store, and the store itself as files."""

    def __init__(
        self,
        database: Path,
        *,
        busy_seconds: float,
        covers: Callable[[Sequence[str], str], bool],
        own_folder: bool = False,
    ) -> None:
        self.database = database
        self._busy_seconds = busy_seconds
        self._covers = covers
        self._own_folder = own_folder

    def save(self, target: Path, progress: Callable[[int, int], None] | None = None) -> Contents:
        """Copy the store as it is at one moment into a new file; others go on writing."""
        self._make_folder(target.parent)
        return copies.save(self.database, target, self._busy_seconds, progress)

    def _make_folder(self, folder: Path) -> None:
        if folder == self.database.parent / BACKUPS and not os.path.lexists(folder):
            with files.spoken(folder):
                folder.mkdir(mode=0o700)

    def contents(self, file: Path, *, deep: bool = True) -> Contents:
        """What a store's file holds; `deep` names its flaws, and what is no store is refused."""
        files.check_readable(file)
        if file.stat().st_size == 0:  # SQLite would take a log beside it for a leftover, and remove it
            raise StoreDamaged(f"{file} is empty")
        look = copies.contents if deep else copies.summary
        return look(file, self._busy_seconds, in_use=file == self.database)

    def listed(self, folder: Path) -> list[Listed]:
        """The files in a folder that could be backups, oldest first."""
        found = sorted(folder.glob("*.db"), key=lambda file: (file.stat().st_mtime_ns, file.name))
        return [Listed(file, file.stat().st_size, self._summary(file)) for file in found if file.is_file()]

    def _summary(self, file: Path) -> Contents | None:
        try:
            return copies.summary(file, self._busy_seconds)
        except MemoryLayerError:
            return None

    def prepared(self, file: Path) -> AbstractContextManager[Contents]:
        """A checked copy of a backup, ready to take the place of the store."""
        return replacing.prepared(file, Path(os.path.realpath(self.database)), self._busy_seconds)

    def replace(self, prepared: Contents, keep: Path) -> Path | None:
        """Let the store be what was prepared; where it lies as it was, or None if there was none."""
        self._make_folder(keep.parent)
        return replacing.replace(prepared.file, self.database, keep, self._busy_seconds)

    def rescue(self, target: Path, keep: Path) -> tuple[Salvage, Path | None]:
        """Write what is readable of a damaged store into a new one, and let it be the store if all losses are named.

        Returns also where the damaged store lies now; None if it is still in its place.
        """
        self._make_folder(target.parent)
        with self._watched() as check:
            found = salvage.salvage(self.database, target, self._busy_seconds)
            if found.unnamed or not found.saved:
                return found, None
            with self.prepared(target) as prepared:
                kept = replacing.replace(prepared.file, self.database, keep, self._busy_seconds, check)
        target.unlink()
        return found, kept

    @contextmanager
    def _watched(self) -> Iterator[Callable[[], None]]:
        """Something that refuses if somebody wrote to the store since."""
        if not replacing.can_be_opened(self.database, self._busy_seconds):
            yield lambda: None
            return
        with closing(copies.connect(self.database)) as db:
            seen = db.execute("pragma data_version").fetchone()[0]

            def check() -> None:
                if db.execute("pragma data_version").fetchone()[0] != seen:
                    raise StoreBusy("somebody wrote to the store meanwhile; nothing was replaced, try again")

            yield check

    @contextmanager
    def examined(self) -> Iterator[ExaminedStore]:
        """The store as it is. A log that a dead process left is read, but not written into the file."""
        log = Path(f"{self.database}-wal")
        with ExitStack() as last_first:
            if log.exists() and log.stat().st_size:
                with translated(self.database):
                    reader = copies.connect(self.database)
                    last_first.callback(reader.close)  # closed last, and it cannot write
                    reader.execute("select 1 from sqlite_master").fetchone()
            store = ExaminedStore(self.database, busy_seconds=self._busy_seconds, covers=self._covers)
            last_first.callback(store.close)
            yield store

    def kin(self) -> tuple[int, int]:
        """How many backups that hold something lie beside the store, and how many began as the store did."""
        found = [
            _first_entry(file, self._busy_seconds) for file in (self.database.parent / BACKUPS).glob("*.db")
        ]
        held = [each for each in found if each]
        first = self._own_first_entry() if held else None
        return len(held), sum(each == first for each in held)

    def _own_first_entry(self) -> bytes | None:
        if not self.database.is_file() or not self.database.stat().st_size:
            return None
        try:
            with self.examined() as store:
                row = store.connection.row(FIRST_ENTRY)
        except MemoryLayerError:
            return None
        return bytes(row["hash"]) if row else None

    # the file from outside

    def file_check(self) -> Check:
        """Whether SQLite and this program can work with the file at all."""
        file = self.database
        if not os.path.lexists(file) and self.listed(file.parent / BACKUPS):
            return self._unusable(
                f"there is no store at {file}, although backups lie beside it; the next command makes an empty one",
                "`mem backup --list` shows what can be restored",
            )
        if not os.path.lexists(file):
            return Check("file", State.OK, 0, f"there is no store yet; the first memory makes {file}")
        if not file.is_file():
            return self._unusable(f"{file} is not an ordinary file", None)
        if file.stat().st_size == 0:
            return self._unusable(
                f"{file} is empty (0 bytes): whatever it held is gone",
                "`mem backup --list` shows the backups",
            )
        try:
            usable = replacing.can_be_opened(file, self._busy_seconds)
        except StoreTooNew as error:
            return self._unusable(str(error), "upgrade Memory Layer")
        except MemoryLayerError as error:
            return self._unusable(str(error), None)
        if not usable:
            return self._unusable(
                f"{file} cannot be opened as a database: its beginning is damaged, or it was cut short",
                "`mem doctor --fix` saves what can be read; `mem backup --list` shows the backups",
            )
        return Check("file", State.OK, 0, f"{file} opens")

    def _unusable(self, detail: str, fix: str | None) -> Check:
        return Check("file", State.PROBLEM, 1, detail, fix)

    def open_to_others(self, mend: bool) -> list[str]:
        """The files and folders that other people of this machine may open; `mend` closes them."""
        if os.name != "posix":
            return []
        backups = self.database.parent / BACKUPS
        kept = sorted(self.database.parent.glob(f"{self.database.name}.*")) + sorted(backups.glob("*"))
        wanted = [(Path(f"{self.database}{suffix}"), 0o600) for suffix in ("", *files.BESIDE)]
        wanted += [(file, 0o600) for file in kept if file.is_file()] + [(backups, 0o700)]
        index = files.index_of(self.database)
        wanted += [(index, 0o700), *((file, 0o600) for file in sorted(index.glob("*")))]
        wanted += [(self.database.parent, 0o700)] if self._own_folder else []
        return [str(path) for path, mode in wanted if _is_open(path, mode, mend)]

    def free_bytes(self) -> tuple[int, int]:
        """How much room there is beside the store, and how much the store takes."""
        folder = self.database.parent
        size = self.database.stat().st_size if self.database.exists() else 0
        return shutil.disk_usage(folder if folder.exists() else folder.anchor).free, size

    def strays(self, mend: bool, before: datetime) -> int:
        """Half-written copies that killed processes left, older than that; `mend` removes them."""
        home = self.database.parent
        found = [
            *home.glob(f".{self.database.name}.*{files.PART}*"),
            *(home / BACKUPS).glob(f".*{files.PART}*"),
        ]
        old = [file for file in found if datetime.fromtimestamp(file.stat().st_mtime, UTC) < before]
        for file in old if mend else ():
            with suppress(OSError):  # where nothing can be written they stay, and are counted again
                file.unlink(missing_ok=True)
        return len(old)


def _first_entry(file: Path, busy_seconds: float) -> bytes | None:
    """The hash with which the history of a backup begins; None where there is none to read."""
    try:
        with copies.opened(file, busy_seconds) as db:
            row = db.execute(FIRST_ENTRY).fetchone()
    except sqlite3.Error:
        return None
    return bytes(row["hash"]) if row else None


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

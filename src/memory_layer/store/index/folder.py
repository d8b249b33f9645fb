"""The files of the index: immutable segments, and one small list of those that count.

A segment is written under a new name and synced before the list names it, and the list is replaced atomically.
A killed process leaves at most a file that nobody reads, and a reader sees either the old index or the new one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memory_layer.model.record import NamedTuple
from memory_layer.store.index.check import look, look_thoroughly
from memory_layer.store.index.columns_file import UNUSABLE, Damaged, opened_file, read, write
from memory_layer.store.index.segment import Segment

FORMAT = 3
LIST, LOCK, NOTE = "list.json", "lock", "note.txt"
MAP, MAP_PART, MAP_LOCK = "map.columns", "map.columns.part", "map.lock"
SEGMENT, PART = ".segment", ".part"
LONGEST_LIST = 1 << 20  #: bytes; a list names a few dozen segments
LONGEST_NOTE = 200
LAST = 1 << 63
_NUMBERS = ("entry", "sequence", "floor")
_NAME = re.compile(r"[0-9a-f]{16}\.segment")
_OURS = re.compile(rf"{_NAME.pattern}(\.part)?|list\.json\.part")


class Identity(NamedTuple):
    """The store, and the point in its history, that an index was built from."""

    lineage: str
    entry: int  #: the number of an entry of the audit chain
    mark: str  #: and its hash


class IndexList(NamedTuple):
    """The current state of the index: its position in the store's history and its files."""

    identity: Identity
    sequence: int
    floor: int  #: changes up to here are not tracked individually
    files: tuple[tuple[str, int], ...]  #: names of the segments, oldest first, with their modification times


class IndexFolder:
    """The index folder beside a store's file."""

    def __init__(self, path: Path, *, frozen: bool = False) -> None:
        self.path = path
        self._frozen = frozen  #: read-only: locking always fails

    def listed(self) -> IndexList | None:
        """Return the current list; None if there is no index or this version cannot read it."""
        try:
            with opened_file(self.path / LIST) as file:
                data = json.loads(file.read(LONGEST_LIST))
            if data["format"] != FORMAT or not all(abs(data[name]) < LAST for name in _NUMBERS):
                return None
            identity = Identity(str(data["lineage"]), int(data["entry"]), str(data["mark"]))
            files = tuple((str(name), int(stamp)) for name, stamp in data["segments"])
            return IndexList(identity, int(data["sequence"]), int(data["floor"]), files)
        except (OSError, *UNUSABLE):
            return None

    def opened(
        self, name: str, stamp: int | None = None, *, known: Segment | None = None, deep: bool = False
    ) -> Segment:
        """Open a listed segment; raise Damaged. One touched since it was written is verified in full."""
        if not _NAME.fullmatch(name):
            raise Damaged(f"{name!r} is not the name of a segment")
        touched = stamp is not None and self.stamp(name) != stamp
        if known is not None and not touched:
            return known
        content = read(self.path / name, deep=deep or touched)
        try:
            segment = Segment(content, name)
        except UNUSABLE as error:
            raise Damaged(f"{name} lacks {error}") from error
        return look_thoroughly(segment) if deep or touched else look(segment)

    def stamp(self, name: str) -> int:
        """Return the modification time of a segment."""
        try:
            return (self.path / name).stat().st_mtime_ns
        except (OSError, ValueError) as error:  # the list may contain an invalid file name
            raise Damaged(f"{name!r} does not exist") from error

    @contextmanager
    def locked(self, *, wait: bool = False, name: str = LOCK) -> Iterator[bool]:
        """Lock the files for writing; yield False if another process has the lock or locking is impossible."""
        if self._frozen:
            yield False
            return
        try:
            self.path.mkdir(mode=0o700, exist_ok=True)
            handle = os.open(self.path / name, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError:
            yield False
            return
        try:
            yield _lock(handle, wait)
        finally:
            _unlock(handle)  # closing is not enough: a child process may share the handle
            os.close(handle)

    def saved(self, segment: Segment) -> Segment:
        """Save a segment to a file of its own and return it mapped."""
        name = f"{os.urandom(8).hex()}{SEGMENT}"
        part = self.path / f"{name}{PART}"
        try:
            write(part, segment.content)
            os.replace(part, self.path / name)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
        return self.opened(name)

    def publish(self, listed: IndexList) -> None:
        """Make these segments current, and remove files that no longer count."""
        data = {
            "format": FORMAT,
            **listed.identity._asdict(),
            "sequence": listed.sequence,
            "floor": listed.floor,
            "segments": listed.files,
        }
        part = self.path / f"{LIST}{PART}"
        part.unlink(missing_ok=True)  # do not write through a symbolic link
        with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            json.dump(data, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, self.path / LIST)
        self.clean([name for name, _ in listed.files])

    def clean(self, names: Sequence[str]) -> None:
        """Remove all other segments and unfinished files."""
        for entry in os.scandir(self.path):
            if entry.name not in names and _OURS.fullmatch(entry.name):
                # A file in use may not be removable; the next writer tries again.
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)

    def note(self, error: Exception) -> None:
        """Record for the doctor where a search failed on sound files; not the message, which may quote a memory."""
        if self._frozen:
            return
        from traceback import extract_tb  # only needed after a failure

        places = [each for each in extract_tb(error.__traceback__) if "memory_layer" in each.filename]
        place = f" in {Path(places[-1].filename).name}, line {places[-1].lineno}" if places else ""
        with contextlib.suppress(OSError):
            (self.path / NOTE).unlink(missing_ok=True)  # do not write through a symbolic link
            with open(os.open(self.path / NOTE, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
                file.write(f"{type(error).__name__}{place}")

    def noted(self) -> str | None:
        """Return the failure recorded for the doctor."""
        try:
            with opened_file(self.path / NOTE) as file:
                failure = file.read(LONGEST_NOTE).decode(errors="replace")
            return f"a search failed on it with {failure}, although its files are intact"
        except OSError:
            return None

    def drop_map(self) -> None:
        """Remove the positions of the map, which are computed again when they are next asked for."""
        for name in (MAP, MAP_PART):
            (self.path / name).unlink(missing_ok=True)

    def empty(self) -> bool:
        """Remove the index, which the store rebuilds; False if some of it is left."""
        with contextlib.suppress(FileNotFoundError):
            try:
                (self.path / LIST).unlink(missing_ok=True)
                (self.path / NOTE).unlink(missing_ok=True)
                self.drop_map()
                self.clean(())
            except OSError:
                return False
            return not any(name == LIST or _OURS.fullmatch(name) for name in os.listdir(self.path))
        return True


def _lock(handle: int, wait: bool) -> bool:
    try:
        import fcntl
    except ImportError:
        return _lock_elsewhere(handle, wait)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unlock(handle: int) -> None:
    try:
        import fcntl
    except ImportError:  # other systems do not inherit handles
        return
    with contextlib.suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_UN)


def _lock_elsewhere(handle: int, wait: bool) -> bool:
    import msvcrt

    try:
        msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True

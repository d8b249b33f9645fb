"""Interfaces to files: a project's source files, a store's files and backups, and a store that may be damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple
from memory_layer.ports import Store

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.model.upkeep import Check
    from memory_layer.ports.store import IndexedTerms


class Seen(NamedTuple):
    """The current state of a file."""

    content: bytes | None = None
    flaw: str | None = None  #: gone, outside, unreadable, too large or withheld
    mark: str = ""  #: size, time and inode; unchanged until the file is written


class Tree(Protocol):
    """The files of one project. No path can lead outside its root."""

    def __hash__(self) -> int: ...

    def look(self, path: str) -> Seen: ...

    def read(self, path: str) -> Seen: ...

    def files(self, most: int) -> Iterator[str]: ...

    def same_files(self, commit: str, path: str) -> list[str]: ...

    def committed(self, commit: str, path: str) -> bytes | None: ...

    def head(self) -> str | None: ...

    def noted(self, path: str, key: object) -> object | None: ...

    def note(self, path: str, key: object, value: object, mark: str, now: datetime) -> None: ...


class Contents(NamedTuple):
    """Summary of a store's file."""

    file: Path
    size: int  #: bytes
    memories: int
    changes: int  #: entries of the audit chain
    audit_hash: str  #: of the last entry
    first_at: datetime | None  #: when its oldest memory was stored
    last_at: datetime | None  #: when a memory was last changed
    flaws: tuple[str, ...] = ()  #: descriptions of its flaws


class BackupFile(NamedTuple):
    """A file among the backups; without contents it is not a readable store."""

    file: Path
    size: int  #: bytes
    contents: Contents | None


class Salvage(NamedTuple):
    """The result of reading a damaged file."""

    file: Path  #: the new store it was written to, if anything was saved
    saved: int  #: memories
    lost: tuple[str, ...]  #: the ids of those that could not be read
    unnamed: int  #: number of further losses whose ids are unknown


class Vault(Protocol):
    """A store as files: saved, inspected and replaced. Nothing is ever overwritten."""

    database: Path

    def save(self, target: Path, progress: Callable[[int, int], None] | None = None) -> Contents: ...

    def contents(self, file: Path, *, deep: bool = True) -> Contents: ...

    def listed(self, folder: Path) -> list[BackupFile]: ...

    def prepared(self, file: Path) -> AbstractContextManager[Contents]: ...

    def replace(self, prepared: Contents, keep: Path) -> Path | None: ...

    def rescue(self, target: Path, keep: Path) -> tuple[Salvage, Path | None]: ...

    def examined(self, vector_sizes: Mapping[str, int] | None = None) -> AbstractContextManager[Examined]: ...

    def look(self, name: str, now: datetime) -> Check: ...

    def mend(self, name: str, now: datetime) -> None: ...


class Record(NamedTuple):
    """A memory as stored in a store that may be damaged."""

    id: str
    memory: Memory | None  #: None if it is invalid
    project: str | None  #: its id
    terms: IndexedTerms | None


class Examined(Store, Protocol):
    """A store opened unchanged, neither migrated nor recovered, with checks of its health."""

    def look(self, name: str) -> Check: ...

    def mend(self, name: str) -> None: ...

    def records(self) -> Iterator[Record]: ...

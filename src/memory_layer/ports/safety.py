"""What backups and the doctor ask of a store's files, and of a store that may be damaged."""

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
    from memory_layer.model.safety import Check, Strange, Tally
    from memory_layer.ports.memories import Terms


class Contents(NamedTuple):
    """What a store's file holds."""

    file: Path
    size: int  #: bytes
    memories: int
    changes: int  #: entries of the audit chain
    audit_hash: str  #: of the last entry
    first_at: datetime | None  #: when its oldest memory was stored
    last_at: datetime | None  #: when a memory was last changed
    flaws: tuple[str, ...] = ()  #: what is wrong with it, in words


class Listed(NamedTuple):
    """A file among the backups; without contents it is not a readable store."""

    file: Path
    size: int  #: bytes
    contents: Contents | None


class Salvage(NamedTuple):
    """What could be read of a damaged file."""

    file: Path  #: the new store it was written to, if anything was saved
    saved: int  #: memories
    lost: tuple[str, ...]  #: the ids of those that could not be read
    unnamed: int  #: how many more there must have been, whose ids are gone too


class Vault(Protocol):
    """Whole stores as files: saved, looked into, and put in each other's place. Nothing is ever overwritten."""

    database: Path

    def save(self, target: Path, progress: Callable[[int, int], None] | None = None) -> Contents: ...

    def contents(self, file: Path, *, deep: bool = True) -> Contents: ...

    def listed(self, folder: Path) -> list[Listed]: ...

    def prepared(self, file: Path) -> AbstractContextManager[Contents]: ...

    def replace(self, prepared: Contents, keep: Path) -> Path | None: ...

    def rescue(self, target: Path, keep: Path) -> tuple[Salvage, Path | None]: ...

    def examined(self) -> AbstractContextManager[Examined]: ...

    def kin(self) -> tuple[int, int]: ...

    def file_check(self) -> Check: ...

    def open_to_others(self, mend: bool) -> list[str]: ...

    def free_bytes(self) -> tuple[int, int]: ...

    def strays(self, mend: bool, before: datetime) -> int: ...


class Examined(Store, Protocol):
    """A store opened as it is, neither migrated nor finished, and what can be asked about its health."""

    def page_complaints(self) -> list[str]: ...

    def format(self) -> tuple[int, int]: ...

    def strange_parts(self) -> list[Strange]: ...

    def rebuild_parts(self) -> None: ...

    def reindex(self) -> None: ...

    def begin_new_life(self) -> None: ...

    def dangling(self) -> dict[str, int]: ...

    def drop_dangling(self) -> None: ...

    def text_index_complaint(self) -> str | None: ...

    def rebuild_text_index(self) -> None: ...

    def records(self) -> Iterator[tuple[int, str, Memory | None, str | None, Terms | None]]: ...

    def set_hash(self, memory_id: str, content_hash: str) -> None: ...

    def write_terms(self, row: int, terms: Terms) -> None: ...

    def unfit_vectors(self, sizes: Mapping[str, int]) -> list[tuple[str, int, int]]: ...

    def drop_vector(self, table: str, row: int, passage: int) -> None: ...

    def index_flaw(self) -> str | None: ...

    def drop_index(self) -> None: ...

    def tallies(self) -> Iterator[Tally]: ...

    def outcome_times(self, row: int) -> list[tuple[str, bool, datetime]]: ...

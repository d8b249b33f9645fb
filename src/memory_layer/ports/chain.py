"""What the core asks of the audit chain and of the chains of sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Head = tuple[int, bytes]  #: how many entries a chain has, and its last hash


class Entry(NamedTuple):
    """One entry as it is stored; its hash covers the fields before it, and times are microseconds since 1970."""

    number: int
    at: int
    operation: str
    action: str
    memory: str | None
    writer: str
    door: str
    before: bytes | None  #: digest of the record before
    after: bytes | None
    hash: bytes
    payload: str | None = None  #: the values that were replaced, as JSON


class EpisodeEntry(NamedTuple):
    """One event in the chain of its session, with what its memory says now."""

    session: str
    number: int
    memory: str
    digest: bytes
    hash: bytes
    reason: str | None = None  #: of its memory
    said: tuple[Any, ...] | None = None  #: what the digest covers, in order; None if its memory is gone


class Entries(NamedTuple):
    """Which entries are wanted, and in which order; without conditions all of them, oldest first."""

    memories: Sequence[str] | None = None
    operations: Sequence[str] | None = None
    numbers: Sequence[int] | None = None
    action: str | None = None
    about_memories: bool | None = None  #: False for notes only, True for what made versions
    order: str = "oldest"  #: oldest, newest, or memory: by the memories' ids, each memory's newest first
    payloads: bool = False  #: whether they are read with their payloads


ALL_ENTRIES = Entries()


class Chain(Protocol):
    """Every change in order, each hash covering the one before."""

    def head(self) -> Head: ...

    def append(self, entries: Sequence[Entry]) -> None: ...

    def entries(self, wanted: Entries = ALL_ENTRIES) -> Iterator[Entry]: ...

    def drop_payloads(self, memory_id: str) -> None: ...

    def session_heads(self, sessions: Sequence[str] | None = None) -> Mapping[str, Head]: ...

    def append_episodes(self, entries: Sequence[EpisodeEntry]) -> None: ...

    def episodes(self) -> Iterator[EpisodeEntry]: ...

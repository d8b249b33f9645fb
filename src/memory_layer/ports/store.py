"""What the core asks of a store about the memories themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from memory_layer.model.context import Present
    from memory_layer.model.export import Carried, CarriedMemory, Kind
    from memory_layer.model.memory import Link, Memory, Project
    from memory_layer.model.query import Filters, Page, Total
    from memory_layer.model.vocabulary import Attention, LinkKind
    from memory_layer.ports import PassageVectors as Passages

    Brought = Carried | tuple[CarriedMemory, IndexedTerms]  #: a memory comes with what full text sees of it
    Head = tuple[int, bytes]  #: how many entries a chain has, and its last hash


if TYPE_CHECKING:
    Order = Literal["presence", "touched", "trust"]


class IndexedTerms(NamedTuple):
    """What full text sees of a memory: its words and its labels, stemmed and joined by spaces."""

    body: str
    labels: str


class New(NamedTuple):
    """A memory to be stored with everything that belongs to it."""

    memory: Memory
    terms: IndexedTerms
    tokens: int
    vectors: tuple[str, Passages] | None = None  #: with their fingerprint


class MemoryStore(Protocol):
    """Memories: stored, found by id, text or list, changed and erased."""

    def get(self, ids: Sequence[str]) -> list[Memory]: ...

    def page(self, filters: Filters, now: datetime, sort: str, limit: int, after: str | None) -> Page: ...

    def by_hash(self, hashes: Sequence[str]) -> list[Memory]: ...

    def columns(self, ids: Sequence[str] | None = None) -> Iterator[Mapping[str, Any]]: ...

    def insert(
        self, new: Sequence[New], columns: Sequence[Mapping[str, Any]], lease_until: datetime | None = None
    ) -> None: ...

    def update(
        self,
        memory_id: str,
        columns: Mapping[str, Any],
        terms: IndexedTerms | None = None,
        tokens: int | None = None,
        lease_until: datetime | None = None,
    ) -> None: ...

    def set_counters(self, memory_id: str, counters: Mapping[str, Any], *, noted: bool) -> None: ...

    def count_recalled(self, ids: Sequence[str], at: datetime) -> None: ...

    def unfinished(self, now: datetime) -> list[Memory]: ...

    def totals(self, filters: Filters, now: datetime) -> list[Total]: ...

    def copies_of(self, memory_id: str) -> list[str]: ...

    def tellers_of(self, memory_id: str) -> list[str]: ...

    def erase(self, memory_id: str) -> None: ...

    def sweep(self) -> bool: ...

    def scopes(self, filters: Filters) -> list[tuple[str, ...]]: ...

    def present(self, filters: Filters, now: datetime, most: int | None, order: Order) -> list[Present]: ...


class Pairs(NamedTuple):
    """A stretch of a list of linked memories, each link's source first."""

    items: tuple[tuple[Memory, Memory], ...]
    next: str | None
    total: int


class Links(Protocol):
    """Links between memories, and the pairs that wait for a decision."""

    def of(self, ids: Sequence[str]) -> list[Link]: ...

    def find(self, source: str, target: str, kind: LinkKind) -> Link | None: ...

    def put(self, link: Link) -> None: ...

    def drop(self, link: Link) -> None: ...

    def pairs(
        self,
        kind: LinkKind,
        attentions: Sequence[Attention],
        filters: Filters,
        now: datetime,
        limit: int,
        after: str | None,
    ) -> Pairs: ...


class Projects(Protocol):
    """Projects and the keys they are known by."""

    def get(self, alias: str) -> Project | None: ...

    def all(self, name: str | None = None) -> list[Project]: ...

    def save(self, project: Project, at: datetime) -> None: ...

    def note_commit(self, project_id: str, last_commit_at: datetime | None, looked_at: datetime) -> None: ...

    def idle(self, until: datetime) -> dict[str, datetime]: ...

    def roots(self) -> dict[str, str]: ...

    def set_root(self, root: str, project_id: str | None, at: datetime) -> None: ...


class Transfer(Protocol):
    """Records on their way from one store to another."""

    def carried(self, kind: Kind, chosen: Filters | None = None) -> Iterator[Carried]: ...

    def count_carried(self, kind: Kind, chosen: Filters | None = None) -> int: ...

    def is_blank(self) -> bool: ...

    def bring(self, kind: Kind, records: Sequence[Brought]) -> None: ...


class AuditEntry(NamedTuple):
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

    def append(self, entries: Sequence[AuditEntry]) -> None: ...

    def entries(self, wanted: Entries = ALL_ENTRIES) -> Iterator[AuditEntry]: ...

    def drop_payloads(self, memory_id: str) -> None: ...

    def session_heads(self, sessions: Sequence[str] | None = None) -> Mapping[str, Head]: ...

    def append_episodes(self, entries: Sequence[EpisodeEntry]) -> None: ...

    def episodes(self) -> Iterator[EpisodeEntry]: ...

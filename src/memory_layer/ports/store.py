"""Interfaces to memories, links, projects, transfer and the audit chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

from memory_layer.model.lists import NO_WORDING
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date, datetime

    from memory_layer.model.access import AccessToken, BrowserSession, Passphrase
    from memory_layer.model.context import Present
    from memory_layer.model.export import ExportedMemory, ExportRecord, LineKind
    from memory_layer.model.lists import Facets, Wording
    from memory_layer.model.memory import Link, Memory, Project
    from memory_layer.model.query import Filters, Page, Scores, Total
    from memory_layer.model.tasks import TaskLink
    from memory_layer.model.vocabulary import Attention, LinkKind
    from memory_layer.ports import PassageVectors as Passages

    Order = Literal["presence", "touched", "trust"]
    Head = tuple[int, bytes]  #: number of entries and the last hash


class IndexedTerms(NamedTuple):
    """The full-text terms of a memory: its words and its labels, stemmed and separated by spaces."""

    body: str
    labels: str


class New(NamedTuple):
    """A memory to be stored, with its terms and vectors."""

    memory: Memory
    terms: IndexedTerms
    tokens: int
    vectors: tuple[str, Passages] | None = None  #: with their fingerprint


if TYPE_CHECKING:
    Writable = ExportRecord | tuple[ExportedMemory, IndexedTerms]  #: a memory comes with its indexed terms


class MemoryStore(Protocol):
    """Memories: inserted, read by id, text or page, updated and erased."""

    def get(self, ids: Sequence[str]) -> list[Memory]: ...

    def page(
        self,
        filters: Filters,
        now: datetime,
        sort: str,
        limit: int,
        after: str | None,
        *,
        ascending: bool = False,
        wording: Wording = NO_WORDING,
    ) -> Page: ...

    def count(self, filters: Filters, now: datetime) -> int: ...

    def scores(self, filters: Filters, now: datetime) -> Scores: ...

    def facets(self, filters: Filters, now: datetime, wording: Wording = NO_WORDING) -> Facets: ...

    def days(self, filters: Filters, since: date) -> dict[tuple[date, str], int]: ...

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
        *,
        quiet: bool = False,
    ) -> None: ...

    def count_recalled(self, ids: Sequence[str], at: datetime) -> None: ...

    def unfinished(self, before: datetime, after: datetime) -> list[Memory]: ...

    def totals(self, filters: Filters, now: datetime) -> list[Total]: ...

    def copies_of(self, memory_id: str) -> list[str]: ...

    def tellers_of(self, memory_id: str) -> list[str]: ...

    def erase(self, memory_id: str) -> None: ...

    def sweep(self) -> bool: ...

    def scopes(self, filters: Filters) -> list[tuple[str, ...]]: ...

    def present(self, filters: Filters, now: datetime, most: int | None, order: Order) -> list[Present]: ...


class Pairs(NamedTuple):
    """A page of linked memories, each link's source first."""

    items: tuple[tuple[Memory, Memory], ...]
    next: str | None
    total: int


class Links(Protocol):
    """Links between memories, and the pairs that await review."""

    def of(self, ids: Sequence[str]) -> list[Link]: ...

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


class TaskLinks(Protocol):
    """Links from tasks of other programs to memories."""

    def find(
        self,
        project: str | None,
        tasks: Sequence[str] | None = None,
        memories: Sequence[str] | None = None,
    ) -> list[TaskLink]: ...

    def put(self, links: Sequence[TaskLink]) -> None: ...

    def drop(self, link: TaskLink) -> None: ...


class Projects(Protocol):
    """Projects and the keys they are known by."""

    def get(self, alias: str) -> Project | None: ...

    def all(self, name: str | None = None) -> list[Project]: ...

    def save(self, project: Project, at: datetime) -> None: ...

    def note_commit(self, project_id: str, last_commit_at: datetime | None, looked_at: datetime) -> None: ...

    def idle(self, until: datetime) -> dict[str, datetime]: ...

    def roots(self) -> dict[str, str]: ...

    def set_root(self, root: str, project_id: str | None, at: datetime) -> None: ...


class AccessRecords(Protocol):
    """Who may call over HTTP: links and sessions of browsers, tokens, and the passphrase."""

    def put_link(self, hashed: bytes, port: int, expires_at: datetime) -> None: ...

    def take_link(self, hashed: bytes, port: int, now: datetime) -> bool: ...

    def put_session(self, session: BrowserSession) -> None: ...

    def session(self, hashed: bytes) -> BrowserSession | None: ...

    def drop_session(self, hashed: bytes) -> None: ...

    def put_token(self, token: AccessToken, hashed: bytes) -> None: ...

    def token(self, hashed: bytes) -> AccessToken | None: ...

    def tokens(self) -> list[tuple[AccessToken, bytes]]: ...

    def revoke_token(self, token_id: str, at: datetime) -> None: ...

    def passphrase(self) -> Passphrase | None: ...

    def put_passphrase(self, passphrase: Passphrase) -> None: ...

    def drop_expired(self, now: datetime) -> None: ...


class Transfer(Protocol):
    """Records for exports and imports."""

    def records(self, kind: LineKind, chosen: Filters | None = None) -> Iterator[ExportRecord]: ...

    def count(self, kind: LineKind, chosen: Filters | None = None) -> int: ...

    def write(self, kind: LineKind, records: Sequence[Writable]) -> None: ...


class AuditEntry(NamedTuple):
    """A stored audit entry; its hash covers the fields before it, and times are microseconds since 1970."""

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
    payload: str | None = None  #: the replaced values, as JSON


class EpisodeEntry(NamedTuple):
    """One event in the chain of its session, with the current content of its memory."""

    session: str
    number: int
    memory: str
    digest: bytes
    hash: bytes
    reason: str | None = None  #: of its memory
    said: tuple[Any, ...] | None = None  #: what the digest covers, in order; None if its memory is gone


class Entries(NamedTuple):
    """Filter and order for audit entries; by default all of them, oldest first."""

    memories: Sequence[str] | None = None
    operations: Sequence[str] | None = None
    numbers: Sequence[int] | None = None
    action: str | None = None
    about_memories: bool | None = None  #: False for notes only, True for new versions only
    undoing: Sequence[str] | None = None  #: only entries that undo one of these operations
    below: int | None = None  #: only entries with a lower number
    since: datetime | None = None
    until: datetime | None = None
    order: str = "oldest"  #: oldest, newest, or memory: by the memories' ids, each memory's newest first
    payloads: bool = False  #: also read the payloads
    most: int | None = None  #: only the first so many in this order


ALL_ENTRIES = Entries()


class Chain(Protocol):
    """The audit chain and the session chains; each hash covers the one before."""

    def head(self) -> Head: ...

    def append(self, entries: Sequence[AuditEntry]) -> None: ...

    def entries(self, wanted: Entries = ALL_ENTRIES) -> Iterator[AuditEntry]: ...

    def newest_operations(self, wanted: Entries, limit: int) -> list[str]: ...

    def actions(self, operation: str) -> dict[str, int]: ...

    def proofs(self, operations: Sequence[str] | None = None) -> Iterator[AuditEntry]: ...

    def drop_payloads(self, memory_id: str) -> None: ...

    def session_heads(self, sessions: Sequence[str] | None = None) -> Mapping[str, Head]: ...

    def append_episodes(self, entries: Sequence[EpisodeEntry]) -> None: ...

    def episodes(self) -> Iterator[EpisodeEntry]: ...

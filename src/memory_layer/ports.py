"""What the core asks of the world, and the engine that carries it.

The store finds and keeps; it never judges. Rules live in `policy`, numbers in `ranking`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memory_layer.model.history import Flaw, Kept, Note
from memory_layer.model.intake import Origin, Reading
from memory_layer.model.memory import Change, Citation, Link, Memory, Project, Writer
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Filters, Page, Recall, Stats
from memory_layer.model.safety import Check, Strange, Tally
from memory_layer.model.vocabulary import Attention, Category, LinkKind
from memory_layer.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.model.carried import (
        Carried,
        CarriedChange,
        CarriedLink,
        CarriedMemory,
        CarriedProject,
        CarriedQuery,
        CarriedQueryVector,
        CarriedRecall,
        CarriedVector,
        Kind,
    )

    Vector = NDArray[np.float32]  #: of unit length
    Vectors = NDArray[np.float32]  #: one row per passage


class Embedder(Protocol):
    """Turns text into vectors. Vectors of different fingerprints are never compared."""

    fingerprint: str

    def embed_query(self, text: str) -> Vector: ...

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Vectors]: ...


class Place(NamedTuple):
    """Where work happens: a code base as it lies on this machine."""

    root: Path
    key: str
    aliases: tuple[str, ...]
    name: str
    common_dir: Path | None


class Surroundings(Protocol):
    """The machine, read and never written."""

    def locate(self, path: Path) -> Place: ...

    def cite(self, reference: str, place: Place) -> Citation: ...

    def read_memories(self, path: Path, origin: Origin | None = None) -> Reading: ...


class Edit(NamedTuple):
    """Who changes something, as part of which operation."""

    writer: Writer
    operation: str
    action: str
    at: datetime


class Match(NamedTuple):
    """A memory found by words or by meaning; a higher score is better."""

    row: int
    score: float


class Facet(NamedTuple):
    """What ranking needs to know of one candidate."""

    row: int
    id: str
    terms: str
    category: Category
    project: str | None
    outcome_score: float
    confidence: float
    recall_count: int
    use_count: int
    last_used_at: datetime | None
    updated_at: datetime


class Witness(NamedTuple):
    """An outcome as evidence for ranking: how the memory did, and for which question."""

    row: int
    result: str
    at: datetime
    session: str
    query: int | None
    query_text: str | None


class Terms(NamedTuple):
    """What full text sees of a memory: its words and its labels, stemmed and joined by spaces."""

    body: str
    labels: str


class Phrase(NamedTuple):
    """A quoted part of a question: its terms, and the text as it must stand."""

    terms: tuple[str, ...]
    text: str


class Neighbourhood(NamedTuple):
    """The live memories a new one is compared with: its project's and the global ones."""

    project: str | None
    category: Category | None  #: None compares with every category
    above: float
    excluding: str
    limit: int = 10
    only_older: bool = False  #: only what was stored before the excluded one


class New(NamedTuple):
    """A memory to be stored with everything that belongs to it."""

    memory: Memory
    terms: Terms
    tokens: int
    vectors: tuple[str, Vectors] | None  #: with their fingerprint


class Pairs(NamedTuple):
    """A stretch of a list of linked memories, each link's source first."""

    items: tuple[tuple[Memory, Memory], ...]
    next: str | None
    total: int


class Departures(Protocol):
    """What an export asks of a store."""

    def space(self) -> str | None: ...

    def carried(self, kind: Kind, chosen: Filters | None = None) -> Iterator[Carried]: ...

    def count_carried(self, kind: Kind, chosen: Filters | None = None) -> int: ...

    def count_memories(self, chosen: Filters | None = None) -> int: ...

    def by_project(self, chosen: Filters) -> Iterator[Memory]: ...


class Arrivals(Protocol):
    """What an import asks of a store, and brings to it."""

    def is_blank(self) -> bool: ...

    def digest_of(self, memory: Memory) -> str: ...

    def hash_after(self, previous: str, change: Change) -> str: ...

    def digests(self, ids: Sequence[str]) -> dict[str, str]: ...

    def live_texts(self, hashes: Sequence[str]) -> dict[str, str]: ...

    def vector_width(self, fingerprint: str) -> int | None: ...

    def superseded_by(self, memory_id: str) -> set[str]: ...

    def bring_projects(self, projects: Sequence[CarriedProject]) -> None: ...

    def bring_memories(self, memories: Sequence[tuple[CarriedMemory, Terms]]) -> None: ...

    def bring_links(self, links: Sequence[CarriedLink], edit: Edit | None = None) -> None: ...

    def bring_changes(self, changes: Sequence[CarriedChange]) -> None: ...

    def append_created(self, edit: Edit, memories: Sequence[Memory]) -> None: ...

    def bring_queries(self, queries: Sequence[CarriedQuery]) -> None: ...

    def bring_recalls(self, recalls: Sequence[CarriedRecall]) -> None: ...

    def bring_outcomes(self, events: Sequence[OutcomeEvent]) -> None: ...

    def bring_vectors(self, vectors: Sequence[CarriedVector]) -> None: ...

    def bring_query_vectors(self, vectors: Sequence[CarriedQueryVector]) -> None: ...


class Store(Protocol):
    """Memory at rest. Reads inside `reading()` see one moment; writes need `writing()`."""

    def close(self) -> None: ...

    def reading(self) -> AbstractContextManager[None]: ...

    def writing(self) -> AbstractContextManager[None]: ...

    # projects

    def project(self, alias: str) -> Project | None: ...

    def projects_named(self, name: str) -> list[Project]: ...

    def projects(self) -> list[tuple[Project, int]]: ...

    def save_project(self, project: Project, at: datetime) -> None: ...

    # memories

    def resolve(self, prefix: str) -> str: ...

    def get(self, memory_id: str) -> Memory: ...

    def get_many(self, ids: Sequence[str]) -> list[Memory]: ...

    def page(self, filters: Filters, now: datetime, sort: str, limit: int, after: str | None) -> Page: ...

    def same_text(self, content_hash: str) -> Memory | None: ...

    def same_texts(self, content_hashes: Sequence[str]) -> dict[str, Memory]: ...

    def create(self, new: Sequence[New], edit: Edit) -> None: ...

    def stage(self, memory: Memory, terms: Terms, tokens: int, lease_until: datetime) -> None: ...

    def hold(self, memory_id: str, lease_until: datetime) -> None: ...

    def save(
        self, memory: Memory, edit: Edit, terms: Terms | None = None, tokens: int | None = None
    ) -> Memory: ...

    def count(self, memory: Memory, edit: Edit | None = None) -> None: ...

    def leftovers(self, now: datetime) -> list[Memory]: ...

    def links(self, ids: Sequence[str]) -> list[Link]: ...

    def link(self, link: Link, edit: Edit, review: bool = False) -> bool: ...

    def unlink(self, link: Link, edit: Edit) -> bool: ...

    # pairs to look at

    def pairs(
        self, kind: LinkKind, filters: Filters, now: datetime, limit: int, after: str | None
    ) -> Pairs: ...

    def attention(self, link: Link) -> Attention: ...

    def settle(self, link: Link, attention: Attention, edit: Edit) -> bool: ...

    def likenesses(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], float]: ...

    # vectors

    def save_vectors(self, memory_id: str, fingerprint: str, vectors: Vectors) -> None: ...

    def copy_vectors(self, source: str, target: str) -> None: ...

    def drop_vectors(self, memory_id: str) -> None: ...

    def vectors_of(self, memory_id: str, fingerprint: str) -> Vectors | None: ...

    def nearest(
        self, vector: Vector, fingerprint: str, among: Neighbourhood, since: int = 0
    ) -> list[tuple[Memory, float]]: ...

    def nearest_to_each(
        self, vectors: Vectors, fingerprint: str, among: Sequence[Neighbourhood], since: int = 0
    ) -> list[list[tuple[Memory, float]]]: ...

    def sequence(self) -> int: ...

    def without_vectors(self, fingerprint: str, limit: int) -> list[tuple[str, str]]: ...

    def count_without_vectors(self, fingerprint: str) -> int: ...

    # search

    def by_words(
        self, terms: Sequence[str], phrases: Sequence[Phrase], filters: Filters, now: datetime, limit: int
    ) -> list[Match]: ...

    def by_meaning(
        self, vector: Vector, fingerprint: str, filters: Filters, now: datetime, limit: int
    ) -> list[Match]: ...

    def similarities(self, vector: Vector, fingerprint: str, rows: Sequence[int]) -> dict[int, float]: ...

    def frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]: ...

    def facets(self, rows: Sequence[int]) -> list[Facet]: ...

    def witnesses(self, rows: Sequence[int]) -> list[Witness]: ...

    def query_similarities(
        self, vector: Vector, fingerprint: str, queries: Iterable[int]
    ) -> dict[int, float]: ...

    # logs

    def record_query(
        self, text: str, at: datetime, fingerprint: str | None, vector: Vector | None
    ) -> int: ...

    def record_recall(self, recall: Recall, query: int, signals: Sequence[Mapping[str, float]]) -> None: ...

    def last_recall(
        self, memory_id: str, session: str, writer: str, project: str | None, since: datetime
    ) -> tuple[str, str] | None: ...

    def recall(self, recall_id: str) -> Recall: ...

    def record_outcome(self, event: OutcomeEvent, edit: Edit) -> bool: ...

    def outcomes(self, memory_id: str) -> list[OutcomeEvent]: ...

    def failures_since(self, session: str, since: datetime) -> int: ...

    # forgetting

    def recalls_of(self, memory_id: str) -> int: ...

    def copies_of(self, memory_id: str) -> list[str]: ...

    def tellers_of(self, memory_id: str) -> list[str]: ...

    def forget(self, memory: Memory, edit: Edit) -> Memory: ...

    def sweep(self) -> bool: ...

    # audit and upkeep

    def changes(self, memory_id: str | None = None) -> Iterator[Change]: ...

    def latest_changes(self) -> Iterator[Change]: ...

    def operation(self, prefix: str) -> list[Change]: ...

    def entries_of(self, operations: Sequence[str]) -> Iterator[Change]: ...

    def notes(self, *operations: str) -> list[Note]: ...

    def take_back(self, note: Note, edit: Edit) -> None: ...

    def versions(self, memory_id: str) -> list[Kept]: ...

    def flaws(self) -> Iterator[Flaw]: ...

    def audit_head(self) -> tuple[int, str]: ...

    def first_broken_entry(self) -> int | None: ...

    def stats(self, filters: Filters, now: datetime) -> Stats: ...

    # carrying a store, or a part of it, to another place

    def carrying_out(self) -> Departures: ...

    def carrying_in(self) -> Arrivals: ...


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

    def dangling(self) -> dict[str, int]: ...

    def drop_dangling(self) -> None: ...

    def text_index_complaint(self) -> str | None: ...

    def rebuild_text_index(self) -> None: ...

    def records(self) -> Iterator[tuple[int, str, Memory | None, str | None, Terms | None]]: ...

    def file_under(self, memory: Memory, content_hash: str, edit: Edit) -> None: ...

    def write_terms(self, row: int, terms: Terms) -> None: ...

    def unfit_vectors(self, size: int | None) -> list[tuple[str, int, int]]: ...

    def drop_vector(self, table: str, row: int, passage: int) -> None: ...

    def foreign_vectors(self, fingerprint: str) -> int: ...

    def drop_foreign_vectors(self, fingerprint: str) -> int: ...

    def tallies(self) -> Iterator[Tally]: ...

    def outcome_times(self, row: int) -> list[tuple[str, bool, datetime]]: ...

    def set_counters(self, memory_id: str, values: Mapping[str, object], edit: Edit) -> None: ...


class Engine(NamedTuple):
    """Everything a use case needs. Fields, no behaviour."""

    settings: Settings
    store: Store
    embedder: Callable[[], Embedder | None]  #: loaded on first use; None without a model
    has_model: Callable[[], bool]  #: the same question without loading anything
    surroundings: Surroundings
    now: Callable[[], datetime]
    new_id: Callable[[str], str]  #: from a prefix such as `mem`
    scratch: Callable[[], AbstractContextManager[Store]]  #: an empty store that leaves nothing behind

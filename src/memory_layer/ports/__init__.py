"""What the core asks of the world, and the engine that carries it.

The store finds and keeps; it never judges. Rules live in `policy`, numbers in `ranking`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple
from memory_layer.ports.episodes import Episodes
from memory_layer.ports.generations import Generations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.model.capture import Transcript
    from memory_layer.model.history import Flaw, Kept, Note
    from memory_layer.model.intake import Origin, Reading
    from memory_layer.model.memory import Change, Citation, Link, Memory, Project, Writer
    from memory_layer.model.outcome import OutcomeEvent
    from memory_layer.model.query import Filters, Page, Stats
    from memory_layer.model.recalls import Recall
    from memory_layer.model.runs import Choosable, Ending, Run
    from memory_layer.model.vocabulary import Attention, Category, LinkKind, Outcome
    from memory_layer.ports.carrying import Arrivals, Departures
    from memory_layer.ports.contexts import Contexts
    from memory_layer.ports.sources import SourceChecks, Tree
    from memory_layer.ports.upkeep import Upkeep
    from memory_layer.ranking.columns import Column
    from memory_layer.settings import Settings

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

    def led_out_of_repository(self, path: Path) -> str | None: ...

    def cite(self, reference: str, place: Place) -> Citation: ...

    def cite_lines(self, path: str, spans: Sequence[tuple[int, int]], place: Place) -> list[Citation]: ...

    def tree(self, place: Place) -> Tree | None: ...

    def expiry(self, root: Path) -> Mapping[Category, int | None]: ...

    def last_commit_at(self, place: Place) -> datetime | None: ...

    def read_memories(self, path: Path, origin: Origin | None = None) -> Reading: ...

    def read_transcript(self, path: Path, whole: bool | None = None) -> Transcript: ...

    def transcript(self, text: str, whole: bool | None = None) -> Transcript: ...


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


class Sought(NamedTuple):
    """A question as a store can answer it."""

    terms: Sequence[str]
    pairs: Sequence[tuple[str, str]]  #: neighbouring terms
    phrases: Sequence[Phrase]
    vector: Vector | None
    fingerprint: str
    filters: Filters
    now: datetime
    depth: int  #: how many each list may give
    idf: Callable[[int, int], float]  #: what a term is worth that so many of so many memories hold
    stretch: int  #: how many terms stand close together
    apart: float  #: what a term outside a memory's best stretch counts, against 1 inside


class Pool(NamedTuple):
    """Candidates as parallel columns; a rank is -1 where a list does not hold the memory."""

    rows: Sequence[int]
    judged: Sequence[int]  #: of these rows those that may have outcomes
    bm25: Sequence[float]
    keyword_rank: Column
    cosine: Column  #: but for rounding
    vector_rank: Column
    coverage: Column | None = None  #: None if the store does not know without reading them
    phrase: Column = ()
    unembedded: Sequence[int] = ()  #: the places of those without a vector
    embedded: bool = False  #: whether meaning has its say about every candidate


class Passed(NamedTuple):
    """A candidate that passes the filters, and how to read it."""

    id: str
    read: Callable[[], Memory]
    disputed: bool = False  #: whether it conflicts with another
    cites: bool = False  #: whether it has citations


class Facet(NamedTuple):
    """What ranking needs to know of one candidate."""

    row: int
    id: str
    body: str  #: its terms
    labels: str
    category: Category
    outcome_score: float
    confidence: float
    recall_count: int
    use_count: int
    last_used_at: datetime | None
    updated_at: datetime


class Witness(NamedTuple):
    """An outcome as evidence for ranking: how the memory did, and for which question."""

    row: int
    query: int | None
    result: Outcome
    age_days: float


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
    vectors: tuple[str, Vectors] | None = None  #: with their fingerprint


class Pairs(NamedTuple):
    """A stretch of a list of linked memories, each link's source first."""

    items: tuple[tuple[Memory, Memory], ...]
    next: str | None
    total: int


class Store(Generations, Episodes, Protocol):
    """Memory at rest. Reads inside `reading()` see one moment; writes need `writing()`."""

    def close(self) -> None: ...

    def reading(self) -> AbstractContextManager[None]: ...

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]: ...

    # projects

    def project(self, alias: str) -> Project | None: ...

    def projects_named(self, name: str) -> list[Project]: ...

    def projects(self) -> list[tuple[Project, int]]: ...

    def save_project(self, project: Project, at: datetime) -> None: ...

    def registered_roots(self) -> dict[str, str]: ...

    def register_root(self, root: str, project_id: str, at: datetime) -> None: ...

    def unregister_root(self, root: str) -> None: ...

    def note_commit(self, project_id: str, last_commit_at: datetime | None, looked_at: datetime) -> None: ...

    def last_commits(self, until: datetime) -> dict[str, datetime]: ...

    def rows_without_commit(self, rows: Sequence[int], since: datetime) -> frozenset[int]: ...

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

    # search

    def candidates(self, sought: Sought) -> Pool: ...

    def checked(self, rows: Sequence[int], filters: Filters, now: datetime) -> dict[int, Passed]: ...

    def by_words(
        self, terms: Sequence[str], phrases: Sequence[Phrase], filters: Filters, now: datetime, limit: int
    ) -> list[Match]: ...

    def by_meaning(
        self, vector: Vector, fingerprint: str, filters: Filters, now: datetime, limit: int
    ) -> list[Match]: ...

    def similarities(self, vector: Vector, fingerprint: str, rows: Sequence[int]) -> dict[int, float]: ...

    def frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]: ...

    def facets(self, rows: Sequence[int]) -> list[Facet]: ...

    def witnesses(self, rows: Sequence[int], now: datetime) -> list[Witness]: ...

    def query_texts(self, queries: Iterable[int]) -> dict[int, str]: ...

    def query_vector(self, text: str, fingerprint: str) -> Vector | None: ...

    def query_similarities(
        self, vector: Vector, fingerprint: str, queries: Iterable[int]
    ) -> dict[int, float]: ...

    # logs

    def record_query(
        self, text: str, at: datetime, fingerprint: str | None, vector: Vector | None
    ) -> int: ...

    def record_recall(self, recall: Recall, query: int) -> None: ...

    def last_recall(
        self, memory_id: str, session: str, writer: str, project: str | None, since: datetime
    ) -> tuple[str, str] | None: ...

    def recall(self, recall_id: str) -> Recall: ...

    def resolve_recall(self, prefix: str) -> str: ...

    def recalls(self, session: str | None, limit: int) -> list[Recall]: ...

    def record_outcome(self, event: OutcomeEvent, edit: Edit) -> bool: ...

    def outcomes(self, memory_id: str) -> list[OutcomeEvent]: ...

    def outcome(self, event_id: str) -> OutcomeEvent | None: ...

    def failed_for(self, memory_id: str) -> dict[int | None, str]: ...

    def failures_since(self, session: str, since: datetime) -> int: ...

    # runs

    def choosable(
        self, filters: Filters, now: datetime, without: Sequence[str], most: int, labelled: bool, named: bool
    ) -> list[Choosable]: ...

    def record_run(self, run: Run) -> None: ...

    def resolve_run(self, prefix: str) -> str: ...

    def run(self, run_id: str) -> Run: ...

    def runs(self, project: str | None, limit: int) -> list[Run]: ...

    def ended_runs(self, project: str | None) -> list[str]: ...

    def reported(self, recall_id: str) -> dict[str, Outcome]: ...

    def end_run(self, run_id: str, ending: Ending, edit: Edit) -> None: ...

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

    def notes_at(self, numbers: Sequence[int]) -> list[Note]: ...

    def take_back(self, note: Note, edit: Edit) -> None: ...

    def versions(self, memory_id: str) -> list[Kept]: ...

    def flaws(self) -> Iterator[Flaw]: ...

    def audit_head(self) -> tuple[int, str]: ...

    def stats(self, filters: Filters, now: datetime) -> Stats: ...

    # carrying a store, or a part of it, to another place

    def carrying_out(self) -> Departures: ...

    def carrying_in(self) -> Arrivals: ...

    # what an agent is given unasked

    def giving(self) -> Contexts: ...

    # keeping it tidy

    def tidying(self) -> Upkeep: ...

    # checking what is cited

    def source_checks(self) -> SourceChecks: ...


def _unknown() -> None:
    return None


def _never() -> bool:
    return False


class Engine(NamedTuple):
    """Everything a use case needs. Fields, no behaviour."""

    settings: Settings
    store: Store
    embedder: Callable[[], Embedder | None]  #: loaded on first use; None without a model
    fingerprint: Callable[[], str | None]  #: the embedder's, without loading it
    surroundings: Surroundings
    now: Callable[[], datetime]
    new_id: Callable[[str], str]  #: from a prefix such as `mem`
    scratch: Callable[[], AbstractContextManager[Store]]  #: an empty store that leaves nothing behind
    home: Callable[[], Sequence[str] | None] = _unknown  #: the keys of the code base the caller works in
    is_read_by_person: Callable[[], bool] = _never  #: whether a person, and no agent, reads the answers

"""Interfaces to search and vectors, and the columns they return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters
    from memory_layer.model.vocabulary import Category, Tier
    from memory_layer.ports import PassageVectors as Passages
    from memory_layer.ports import Vector
    from memory_layer.ranking.columns import Column, Occurrences


class Phrase(NamedTuple):
    """A quoted part of a query: its terms, and the exact text."""

    terms: tuple[str, ...]
    text: str


class Sought(NamedTuple):
    """A query in the form a store can answer."""

    terms: Sequence[str]
    phrases: Sequence[Phrase]
    vector: Vector | None
    fingerprint: str
    filters: Filters
    now: datetime
    depth: int  #: the most each list may return
    related: Sequence[str] = ()  #: terms to report in the candidates, not to find them by


class Pool(NamedTuple):
    """Candidates as parallel columns; a rank is -1 if the memory is not in that list."""

    ids: Sequence[str]
    judged: Sequence[str]  #: those that may have outcomes
    bm25: Sequence[float]
    keyword_rank: Column
    cosine: Column  #: approximate
    vector_rank: Column
    occurrences: Occurrences | None = None  #: None if the store does not know without reading them
    unembedded: Sequence[int] = ()  #: positions of those without a vector
    embedded: bool = False  #: every candidate was compared by meaning


class Passed(NamedTuple):
    """A candidate that passes the filters, and a way to read it."""

    id: str
    read: Callable[[], Memory]
    category: Category
    tier: Tier
    created_at: datetime
    disputed: bool = False  #: it conflicts with another memory
    cites: bool = False  #: whether it has citations


class Facet(NamedTuple):
    """The values of one candidate that ranking needs."""

    id: str
    project: str | None  #: its key
    body: str  #: its terms
    labels: str
    category: Category
    outcome_score: float
    confidence: float
    recall_count: int
    use_count: int
    last_used_at: datetime | None
    updated_at: datetime


class Neighbourhood(NamedTuple):
    """The live memories to compare a new one with: its project's and the global ones."""

    project: str | None
    category: Category | None  #: None compares with every category
    above: float
    excluding: str
    limit: int = 10
    only_older: bool = False  #: only what was stored before the excluded one


class Close(NamedTuple):
    """Two memories with similar texts."""

    one: str
    other: str
    cosine: float


class Search(Protocol):
    """Candidates by words and by meaning, and the values that ranking needs."""

    def candidates(self, sought: Sought) -> Pool: ...

    def passing(self, ids: Sequence[str], filters: Filters, now: datetime) -> dict[str, Passed]: ...

    def facets(self, ids: Sequence[str]) -> list[Facet]: ...

    def frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]: ...

    def terms_beginning(self, letters: str) -> list[tuple[str, int]]: ...

    def similarities(self, vector: Vector, fingerprint: str, ids: Sequence[str]) -> dict[str, float]: ...

    def neighbours(
        self, vectors: Passages, fingerprint: str, among: Sequence[Neighbourhood], since: int = 0
    ) -> list[list[tuple[Memory, float]]]: ...

    def close_pairs(self, fingerprint: str, above: float, since: int) -> Iterator[list[Close]]: ...

    def changed_since(self, sequence: int, without: Sequence[str]) -> bool: ...

    def prepare(self) -> None: ...


class Stored(NamedTuple):
    """The vectors of a memory by one model, as half-precision numbers, little-endian, two bytes each."""

    id: str
    fingerprint: str
    passages: tuple[bytes, ...]


class Pending(NamedTuple):
    """A memory waiting for its vectors, as it was read."""

    id: str
    content: str


class Made(NamedTuple):
    """The vectors of a memory."""

    id: str
    vectors: Passages
    content: str | None = (
        None  #: the embedded text; if set, the vectors are stored only for this text and if there are none
    )


class Generation(NamedTuple):
    """Statistics on the vectors of one model."""

    fingerprint: str
    memories: int
    vectors: int
    size: int  #: bytes


class Vectors(Protocol):
    """Vectors of memories and queries, by the fingerprint of their model."""

    def get(self, ids: Sequence[str], fingerprint: str | None = None) -> list[Stored]: ...

    def put(self, fingerprint: str, made: Sequence[Made]) -> int: ...

    def drop(self, ids: Sequence[str]) -> None: ...

    def lacking(
        self, fingerprint: str, limit: int, after: str | None = None, skip: int = 0
    ) -> list[Pending]: ...

    def count_lacking(self, fingerprint: str, after: str | None = None, *, roughly: bool = False) -> int: ...

    def generations(self) -> list[Generation]: ...

    def prune(self, fingerprint: str, after: str | None, limit: int) -> str | None: ...

    def put_question(
        self, text: str, at: datetime, fingerprint: str | None = None, vector: Vector | None = None
    ) -> None: ...

    def question_vectors(self, texts: Sequence[str], fingerprint: str) -> dict[str, bytes]: ...

    def questions_lacking(self, fingerprint: str, limit: int | None = None) -> list[str]: ...

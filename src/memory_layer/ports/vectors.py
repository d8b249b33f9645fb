"""What the core asks of a store that holds vectors of several models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from memory_layer.ports import Vector
    from memory_layer.ports import Vectors as Passages


class Pending(NamedTuple):
    """A memory that waits for its vectors, as it was read."""

    row: int
    content: str


class Made(NamedTuple):
    """The vectors of a memory, and the text they were made of."""

    row: int
    content: str
    vectors: Passages


class Question(NamedTuple):
    """A question that an outcome was reported for."""

    row: int
    text: str


class Generation(NamedTuple):
    """What the vectors of one model amount to."""

    fingerprint: str
    memories: int
    vectors: int
    size: int  #: bytes


class Sample(NamedTuple):
    """How many of the memories looked at lack a vector, and for how many rows each of them stands."""

    lacking: int
    weight: float


class Vectors(Protocol):
    """Vectors of memories and questions, by the fingerprint of what made them."""

    def save_vectors(self, memory_id: str, fingerprint: str, vectors: Passages) -> None: ...

    def copy_vectors(self, source: str, target: str) -> None: ...

    def drop_vectors(self, memory_id: str) -> None: ...

    def vectors_of(self, memory_id: str, fingerprint: str) -> Passages | None: ...

    def likenesses(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], float]: ...

    def without_vectors(self, fingerprint: str, limit: int, after: int = 0) -> list[Pending]: ...

    def count_without_vectors(self, fingerprint: str) -> int: ...

    def sampled_without_vectors(self, fingerprint: str, most: int, spread: int) -> Sample: ...

    def fill_vectors(self, fingerprint: str, made: Sequence[Made]) -> int: ...

    def middle_without_vectors(self, fingerprint: str, after: int) -> int: ...

    def questions_without_vectors(self, fingerprint: str, limit: int) -> list[Question]: ...

    def count_questions_without_vectors(self, fingerprint: str) -> int: ...

    def fill_questions(self, fingerprint: str, made: Sequence[tuple[Question, Vector]]) -> None: ...

    def generations(self) -> list[Generation]: ...

    def drop_other_vectors(self, fingerprint: str, after: int, rows: int) -> int | None: ...

    def drop_other_questions(self, fingerprint: str) -> None: ...

    def query_vector(self, text: str, fingerprint: str) -> Vector | None: ...

    def record_query(
        self, text: str, at: datetime, fingerprint: str | None, vector: Vector | None
    ) -> int: ...

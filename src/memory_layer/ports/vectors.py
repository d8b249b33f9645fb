"""What the core asks of a store that holds vectors of several models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memory_layer.ports import Vector
    from memory_layer.ports import Vectors as Passages


class Stored(NamedTuple):
    """The vectors of a memory by one model, as half-precision numbers, little-endian, two bytes each."""

    id: str
    fingerprint: str
    passages: tuple[bytes, ...]


class Pending(NamedTuple):
    """A memory that waits for its vectors, as it was read."""

    id: str
    content: str


class Made(NamedTuple):
    """The vectors of a memory."""

    id: str
    vectors: Passages
    content: str | None = None  #: the text they were made of, if they count only for it and where none are


class Generation(NamedTuple):
    """What the vectors of one model amount to."""

    fingerprint: str
    memories: int
    vectors: int
    size: int  #: bytes


class Vectors(Protocol):
    """Vectors of memories and questions, by the fingerprint of what made them."""

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

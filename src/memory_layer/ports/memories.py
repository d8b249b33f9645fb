"""What the core asks of a store about the memories themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memory_layer.model.context import Present
    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters, Page, Total
    from memory_layer.ports import Edit
    from memory_layer.ports import Vectors as Passages

    Order = Literal["presence", "touched", "trust"]


class Terms(NamedTuple):
    """What full text sees of a memory: its words and its labels, stemmed and joined by spaces."""

    body: str
    labels: str


class New(NamedTuple):
    """A memory to be stored with everything that belongs to it."""

    memory: Memory
    terms: Terms
    tokens: int
    vectors: tuple[str, Passages] | None = None  #: with their fingerprint


class Memories(Protocol):
    """Memories: stored, found by id, text or list, changed and erased."""

    def get(self, ids: Sequence[str]) -> list[Memory]: ...

    def page(self, filters: Filters, now: datetime, sort: str, limit: int, after: str | None) -> Page: ...

    def by_hash(self, hashes: Sequence[str]) -> list[Memory]: ...

    def create(self, new: Sequence[New], edit: Edit) -> None: ...

    def stage(self, memory: Memory, terms: Terms, tokens: int, lease_until: datetime) -> None: ...

    def hold(self, memory_id: str, lease_until: datetime) -> None: ...

    def save(
        self, memory: Memory, edit: Edit, terms: Terms | None = None, tokens: int | None = None
    ) -> Memory: ...

    def count(self, memory: Memory, edit: Edit | None = None) -> None: ...

    def unfinished(self, now: datetime) -> list[Memory]: ...

    def totals(self, filters: Filters, now: datetime) -> list[Total]: ...

    def recalls_of(self, memory_id: str) -> int: ...

    def copies_of(self, memory_id: str) -> list[str]: ...

    def tellers_of(self, memory_id: str) -> list[str]: ...

    def forget(self, memory: Memory, edit: Edit) -> Memory: ...

    def sweep(self) -> bool: ...

    def scopes(self, filters: Filters) -> list[tuple[str, ...]]: ...

    def present(self, filters: Filters, now: datetime, most: int | None, order: Order) -> list[Present]: ...

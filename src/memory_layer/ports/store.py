"""What the core asks of a store about the memories themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from memory_layer.model.context import Present
    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters, Page, Total
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

    def columns(self, ids: Sequence[str] | None = None) -> Iterator[Mapping[str, Any]]: ...

    def insert(
        self, new: Sequence[New], columns: Sequence[Mapping[str, Any]], lease_until: datetime | None = None
    ) -> None: ...

    def update(
        self,
        memory_id: str,
        columns: Mapping[str, Any],
        terms: Terms | None = None,
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

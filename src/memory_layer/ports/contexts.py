"""What a context asks of a store, beside what a search does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from memory_layer.model.context import Kept, Present
    from memory_layer.model.query import Filters
    from memory_layer.model.vocabulary import Category


class Contexts(Protocol):
    """Facts by how present they are, and the texts that were given."""

    def always_given(
        self, filters: Filters, now: datetime, categories: Collection[Category]
    ) -> list[Present]: ...

    def most_present(self, filters: Filters, now: datetime, most: int, unscoped: bool) -> list[Present]: ...

    def scoped(
        self, filters: Filters, now: datetime, covers: Callable[[tuple[str, ...]], bool], most: int
    ) -> list[Present]: ...

    def knows_procedures(self, filters: Filters) -> bool: ...

    def record_context(self, recall_id: str, kept: Kept) -> None: ...

    def context(self, recall_id: str) -> Kept | None: ...

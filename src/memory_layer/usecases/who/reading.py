"""Read a store through, some memories at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters
from memory_layer.ports import Store


def batches(store: Store, filters: Filters, now: datetime, limit: int) -> Iterator[tuple[Memory, ...]]:
    """Yield everything that passes, in the order it was stored."""
    after = None
    while True:
        page = store.memories.page(filters, now, "stored", limit, after)
        if page.items:
            yield page.items
        if page.next is None:
            return
        after = page.next

"""Look up memories by id or prefix, and read memories and events page by page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters
from memory_layer.ports import Store
from memory_layer.rules.ids import MOST_CANDIDATES, beginning, only_one

if TYPE_CHECKING:
    from memory_layer.model.episodes import Episode
    from memory_layer.ports import IdKind
    from memory_layer.ports.log import EventFilter


def whole_id(store: Store, prefix: str, kind: IdKind = "memory") -> str:
    """Return the only id with this prefix, given with or without its type."""
    return only_one(store.find_ids(kind, beginning(prefix, kind), MOST_CANDIDATES), prefix, kind)


def whole_ids(store: Store, prefixes: Iterable[str]) -> list[str]:
    """Return the memory ids with these prefixes, each once."""
    return list(dict.fromkeys(whole_id(store, prefix) for prefix in prefixes))


def named_ids(store: Store, prefixes: Iterable[str]) -> list[str]:
    """Return the memory ids with these prefixes; refuse an empty list."""
    if found := whole_ids(store, prefixes):
        return found
    raise InvalidInput("name at least one memory")


def read_memory(store: Store, memory_id: str) -> Memory:
    """Return the memory with this id; raise NotFound if there is none."""
    found = store.memories.get([memory_id])
    if not found:
        raise NotFound(f"there is no memory {memory_id!r}")
    return found[0]


def batches(store: Store, filters: Filters, now: datetime, limit: int) -> Iterator[tuple[Memory, ...]]:
    """Yield all memories that pass the filters in batches, in the order they were stored."""
    after = None
    while True:
        page = store.memories.page(filters, now, "stored", limit, after)
        if page.items:
            yield page.items
        if page.next is None:
            return
        after = page.next


def events(store: Store, span: EventFilter, limit: int) -> Iterator[Episode]:
    """Yield the events of a span, newest first."""
    after = None
    while True:
        page = store.log.timeline(span, limit, after)
        yield from reversed(page.items)
        if page.next is None:
            return
        after = page.next


def is_blank(store: Store) -> bool:
    """Return whether nothing was ever remembered in a store."""
    return not (store.find_ids("memory", "", 1) or store.find_ids("operation", "", 1) or store.projects.all())

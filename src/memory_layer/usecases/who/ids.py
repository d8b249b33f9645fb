"""Look up by id, whole or by its first letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.errors import NotFound
from memory_layer.rules.ids import MOST_CANDIDATES, beginning, only_one

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.ports import IdKind, Store


def whole_id(store: Store, prefix: str, kind: IdKind = "memory") -> str:
    """Return the one id that begins so, given with or without its mark."""
    return only_one(store.find_ids(kind, beginning(prefix, kind), MOST_CANDIDATES), prefix, kind)


def read_memory(store: Store, memory_id: str) -> Memory:
    """Return the memory with this id; raise NotFound if there is none."""
    found = store.memories.get([memory_id])
    if not found:
        raise NotFound(f"there is no memory {memory_id!r}")
    return found[0]

"""A memory's text among the others: the hash it is filed under, and who says it already."""

from __future__ import annotations

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Status
from memory_layer.policy import filing
from memory_layer.ports import Engine, Store


def hashed(engine: Engine, memory: Memory) -> Memory:
    """The memory with the hash of what it says now."""
    project = engine.store.projects.get(memory.project) if memory.project else None
    return memory._replace(content_hash=filing.address(memory, project.id if project else None))


def live_twin(store: Store, memory: Memory) -> Memory | None:
    """Another memory that lives and says the same; only live texts must differ."""
    known = store.memories.same_text(memory.content_hash)
    return known if known and known.id != memory.id and known.status is not Status.ARCHIVED else None

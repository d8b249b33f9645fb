"""A memory's text among the others: the hash it is filed under, and who says it already."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.ports import Engine, Store
from memory_layer.rules import filing


def hashed(engine: Engine, memory: Memory) -> Memory:
    """The memory with the hash of what it says now."""
    project = engine.store.projects.get(memory.project) if memory.project else None
    return memory._replace(content_hash=filing.address(memory, project.id if project else None))


def live_twin(store: Store, memory: Memory) -> Memory | None:
    """Another memory that lives and says the same; only live texts must differ."""
    known = known_text(store, memory.content_hash)
    return known if known and known.id != memory.id and known.status is not Status.ARCHIVED else None


def known_text(store: Store, content_hash: str) -> Memory | None:
    """Return the memory that says this already."""
    return known_texts(store, [content_hash]).get(content_hash)


def known_texts(store: Store, hashes: Sequence[str]) -> dict[str, Memory]:
    """Return by its hash who says a text: a live memory, else the newest archived one that nobody took back."""
    known: dict[str, Memory] = {}
    for memory in store.memories.by_hash(hashes):
        text, archived = memory.content_hash, memory.status is Status.ARCHIVED
        if archived and memory.reason is Reason.UNDONE:
            continue
        if text not in known or known[text].status is Status.ARCHIVED:
            known[text] = memory
    return known

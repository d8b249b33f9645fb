"""Find contradictions; the caller holds the read transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import LinkKind
from memory_layer.ports import Engine


def contradictions(engine: Engine, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Map each of these memories to the others of them that contradict it."""
    known = rivals(engine, ids)
    return {memory_id: tuple(sorted(known.get(memory_id, set()).intersection(ids))) for memory_id in ids}


def rivals(engine: Engine, ids: Sequence[str]) -> dict[str, set[str]]:
    """Map memories to those that contradict them, for every pair that involves one of these."""
    found: dict[str, set[str]] = {}
    for link in engine.store.links.of(ids):
        if link.kind is LinkKind.CONFLICTS_WITH:
            found.setdefault(link.source, set()).add(link.target)
            found.setdefault(link.target, set()).add(link.source)
    return found


def given_out(engine: Engine, ids: Collection[str]) -> set[str]:
    """Return the memories that are active, unexpired and not superseded; the others contradict nothing."""
    if not ids:
        return set()
    page = engine.store.memories.page(Filters(ids=tuple(ids)), engine.now(), "created", len(ids), None)
    return {memory.id for memory in page.items}

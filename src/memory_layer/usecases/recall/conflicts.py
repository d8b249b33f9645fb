"""What contradicts what; the caller holds the reading moment."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import LinkKind
from memory_layer.ports import Engine


def contradictions(engine: Engine, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each of these memories the others of them that contradict it."""
    known = rivals(engine, ids)
    return {memory_id: tuple(sorted(known.get(memory_id, set()).intersection(ids))) for memory_id in ids}


def rivals(engine: Engine, ids: Sequence[str]) -> dict[str, set[str]]:
    """What contradicts what, wherever one of these memories is on either side."""
    found: dict[str, set[str]] = {}
    for link in engine.store.links.of(ids):
        if link.kind is LinkKind.CONFLICTS_WITH:
            found.setdefault(link.source, set()).add(link.target)
            found.setdefault(link.target, set()).add(link.source)
    return found


def given_out(engine: Engine, ids: Collection[str]) -> set[str]:
    """Those of these memories that are active, not expired and not superseded; the others contradict nobody."""
    if not ids:
        return set()
    page = engine.store.memories.page(Filters(ids=tuple(ids)), engine.now(), "created", len(ids), None)
    return {memory.id for memory in page.items}

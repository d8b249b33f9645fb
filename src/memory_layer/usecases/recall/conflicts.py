"""Find contradictions; the caller holds the read transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory_layer.model.memory import Link
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Attention, LinkKind
from memory_layer.ports import Engine
from memory_layer.rules.permissions import guarded_by_a_person


def contradictions(engine: Engine, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Map each of these memories to the others of them that contradict it."""
    known = rivals(engine, ids)
    return {memory_id: tuple(sorted(known.get(memory_id, set()).intersection(ids))) for memory_id in ids}


def rivals(engine: Engine, ids: Sequence[str]) -> dict[str, set[str]]:
    """Map memories to those that contradict them, for every pair that involves one of these.

    An agent's word against what a person guards marks the agent's memory alone until a person has decided.
    """
    links = [link for link in engine.store.links.of(ids) if link.kind is LinkKind.CONFLICTS_WITH]
    guarded = _guarded(engine, [link for link in links if link.attention is Attention.WANTED])
    found: dict[str, set[str]] = {}
    for link in links:
        for one, other in ((link.source, link.target), (link.target, link.source)):
            claimed = link.attention is Attention.WANTED and one in guarded and other not in guarded
            if not claimed:
                found.setdefault(one, set()).add(other)
    return found


def _guarded(engine: Engine, links: Sequence[Link]) -> set[str]:
    """Return the ends of these links that a person guards."""
    ends = {end for link in links for end in (link.source, link.target)}
    known = engine.store.memories.get(sorted(ends)) if ends else []
    return {memory.id for memory in known if guarded_by_a_person(memory)}


def given_out(engine: Engine, ids: Collection[str]) -> set[str]:
    """Return the memories that are active, unexpired and not superseded; the others contradict nothing."""
    if not ids:
        return set()
    page = engine.store.memories.page(Filters(ids=tuple(ids)), engine.now(), "created", len(ids), None)
    return {memory.id for memory in page.items}

"""Find the memories that are failing, to mark them and not to give them unasked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memory_layer.model.memory import Memory
from memory_layer.model.query import Hit
from memory_layer.ports import Engine
from memory_layer.ports.log import OutcomeFilter
from memory_layer.rules import lifecycle
from memory_layer.rules.permissions import guarded_by_a_person


def failing(engine: Engine, memories: Iterable[Memory]) -> frozenset[str]:
    """Return the ids of those that are failing; the log is read only if a score is low."""
    now, below = engine.now(), engine.settings.withhold_below
    low = {each.id: each for each in memories if lifecycle.may_be_failing(each, now, below)}
    if not low:
        return frozenset()
    reports = engine.store.log.outcomes(OutcomeFilter(memories=[*low], counted=True))
    last = {event.memory: event for event in sorted(reports, key=lambda event: event.at)}
    return frozenset(
        each
        for each, event in last.items()
        if lifecycle.is_failing(low[each], event.result, now, below, seen=event.is_seen)
    )


def withheld(engine: Engine, memories: Iterable[Memory]) -> frozenset[str]:
    """Return the ids of those that are not given unasked: failing, and not guarded by a person."""
    return failing(engine, (each for each in memories if not guarded_by_a_person(each)))


def marked(engine: Engine, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Mark the hits that are failing."""
    ids = failing(engine, (hit.memory for hit in hits))
    return tuple(hit._replace(failing=True) if hit.memory.id in ids else hit for hit in hits)

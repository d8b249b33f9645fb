"""Adjust the relevance of memories to their reported outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from memory_layer.model.changes import Moved
from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import OutcomeFilter
from memory_layer.rules.lifecycle import REPORTS_NEEDED, adjusted_relevance
from memory_layer.rules.permissions import guarded_by_a_person
from memory_layer.usecases.govern import chain, ledger

ACTION = "relevance"  #: what the history calls it


def follow_evidence(engine: Engine, edit: Edit, ids: Sequence[str]) -> list[Moved]:
    """Move the relevance of these memories by at most one step; a second call moves nothing.

    Each move is a version that `undo` and `revert` take back, after which only new reports count.
    """
    if engine.settings.relevance_step is None:
        return []
    edit = edit._replace(action=ACTION)
    with engine.store.writing():
        memories = engine.store.memories.get(ids)
        return [moved for memory in memories if (moved := _relevance_change(engine, memory, edit))]


def _relevance_change(engine: Engine, memory: Memory, edit: Edit) -> Moved | None:
    step = engine.settings.relevance_step
    total = memory.worked + memory.partial + memory.failed
    if step is None or memory.status is not Status.ACTIVE or total < REPORTS_NEEDED:
        return None
    reports, set_at = (
        engine.store.log.outcomes(OutcomeFilter(memories=[memory.id])),
        _last_set(engine, memory.id),
    )
    relevance = adjusted_relevance(memory.relevance, reports, set_at, edit.at, step)
    if relevance == memory.relevance or (relevance < memory.relevance and guarded_by_a_person(memory)):
        return None
    ledger.save(engine.store, memory._replace(relevance=relevance), edit)
    return Moved(memory.id, memory.relevance, relevance)


def _last_set(engine: Engine, memory_id: str) -> datetime | None:
    """Return when the relevance of a memory was last changed; None if never."""
    versions = chain.versions(engine.store, memory_id)
    changed = [new for old, new in pairwise(versions) if old.memory.relevance != new.memory.relevance]
    return changed[-1].change.at if changed else None

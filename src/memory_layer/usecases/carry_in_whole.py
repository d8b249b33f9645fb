"""Restore a store exactly as it was exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memory_layer.model.carried import Carried, CarriedMemory, Kind
from memory_layer.model.vocabulary import Reason
from memory_layer.ports import Engine, Terms
from memory_layer.ports.carrying import Arrivals
from memory_layer.usecases.terms import terms_of

NO_WORDS = Terms(body="", labels="")


def restore_batch(engine: Engine, kind: Kind, batch: Sequence[Carried]) -> None:
    """Write records of one kind as they are."""
    if kind is Kind.MEMORY:
        memories = [record for record in batch if isinstance(record, CarriedMemory)]
        engine.store.carrying_in().bring_memories([(each, words_of(each)) for each in memories])
        return
    _bringing(engine.store.carrying_in())[kind](batch)


def words_of(carried: CarriedMemory) -> Terms:
    """What full text sees; of what was forgotten, nothing."""
    return NO_WORDS if carried.memory.reason is Reason.FORGOTTEN else terms_of(carried.memory)


def _bringing(store: Arrivals) -> dict[Kind, Callable[[Any], None]]:
    return {
        Kind.PROJECT: store.bring_projects,
        Kind.EPISODE: store.bring_episodes,
        Kind.LINK: store.bring_links,
        Kind.AUDIT: store.bring_changes,
        Kind.QUERY: store.bring_queries,
        Kind.RECALL: store.bring_recalls,
        Kind.OUTCOME: store.bring_outcomes,
        Kind.RUN: store.bring_runs,
        Kind.CONTEXT: store.bring_contexts,
        Kind.VECTOR: store.bring_vectors,
        Kind.QUERY_VECTOR: store.bring_query_vectors,
    }

"""Restore a store exactly as it was exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memory_layer.model.carried import Carried, CarriedMemory, Kind
from memory_layer.model.vocabulary import Reason
from memory_layer.ports import Engine
from memory_layer.ports.memories import Terms
from memory_layer.ports.transfer import Transfer
from memory_layer.usecases.terms import terms_of

NO_WORDS = Terms(body="", labels="")


def restore_batch(engine: Engine, kind: Kind, batch: Sequence[Carried]) -> None:
    """Write records of one kind as they are."""
    if kind is Kind.MEMORY:
        memories = [record for record in batch if isinstance(record, CarriedMemory)]
        engine.store.transfer.bring_memories([(each, words_of(each)) for each in memories])
        return
    _bringing(engine.store.transfer)[kind](batch)


def words_of(carried: CarriedMemory) -> Terms:
    """What full text sees; of what was forgotten, nothing."""
    return NO_WORDS if carried.memory.reason is Reason.FORGOTTEN else terms_of(carried.memory)


def _bringing(transfer: Transfer) -> dict[Kind, Callable[[Any], None]]:
    return {
        Kind.PROJECT: transfer.bring_projects,
        Kind.EPISODE: transfer.bring_episodes,
        Kind.LINK: transfer.bring_links,
        Kind.AUDIT: transfer.bring_changes,
        Kind.QUERY: transfer.bring_queries,
        Kind.RECALL: transfer.bring_recalls,
        Kind.OUTCOME: transfer.bring_outcomes,
        Kind.RUN: transfer.bring_runs,
        Kind.CONTEXT: transfer.bring_contexts,
        Kind.VECTOR: transfer.bring_vectors,
        Kind.QUERY_VECTOR: transfer.bring_query_vectors,
    }

"""Restore a store exactly as it was exported."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.export import Carried, CarriedMemory, Kind
from memory_layer.model.vocabulary import Reason
from memory_layer.ports import Engine
from memory_layer.ports.store import IndexedTerms
from memory_layer.usecases.remember.new_memory import terms_of

NO_WORDS = IndexedTerms(body="", labels="")


def restore_batch(engine: Engine, kind: Kind, batch: Sequence[Carried]) -> None:
    """Write records of one kind as they are."""
    records = [(each, words_of(each)) if isinstance(each, CarriedMemory) else each for each in batch]
    engine.store.transfer.bring(kind, records)


def words_of(carried: CarriedMemory) -> IndexedTerms:
    """What full text sees; of what was forgotten, nothing."""
    return NO_WORDS if carried.memory.reason is Reason.FORGOTTEN else terms_of(carried.memory)

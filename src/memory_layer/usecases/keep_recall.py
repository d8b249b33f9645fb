"""Keep what an agent was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memory_layer.errors import StoreUnavailable
from memory_layer.model.recalls import Recall
from memory_layer.ports import Engine

if TYPE_CHECKING:
    from memory_layer.ports import Vector


def keep_recall(
    engine: Engine,
    recall: Recall,
    beside: Callable[[], None] | None = None,
    fingerprint: str | None = None,
    vector: Vector | None = None,
) -> str | None:
    """Record an answer, its question and what belongs to it in one step; a store that cannot be written gives None."""
    try:
        with engine.store.writing():
            engine.store.vectors.put_question(recall.query, recall.at, fingerprint, vector)
            engine.store.log.record_recall(recall)
            if beside is not None:
                beside()
    except StoreUnavailable:
        return None
    return recall.id

"""Find the memories that share words with a text or lie near a vector, without ranking them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.ports.search import Sought

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.query import Filters
    from memory_layer.ports import Store, Vector

MORE = 24  #: how many more than asked for are compared exactly, because a store may round
SURE_SHARE = 4  #: a store may miss some of its candidates, but none of their nearest quarter


def matching(
    store: Store, terms: Sequence[str], filters: Filters, now: datetime, limit: int
) -> dict[str, float]:
    """Return the ids and scores of the best by words, best first."""
    pool = store.search.candidates(Sought(terms, (), None, "", filters, now, limit))
    ranked = sorted(zip(pool.keyword_rank, pool.ids, pool.bm25, strict=True))
    return {memory_id: score for _, memory_id, score in ranked}


def nearest(
    store: Store, vector: Vector, fingerprint: str, filters: Filters, now: datetime, limit: int
) -> dict[str, float]:
    """Return the ids and exact cosines of the nearest by their best passage, nearest first."""
    sought = Sought((), (), vector, fingerprint, filters, now, SURE_SHARE * (limit + MORE))
    ids = store.search.candidates(sought).ids
    exact = store.search.similarities(vector, fingerprint, ids)
    in_order = [(each, exact[each]) for each in ids if each in exact]  # among equals the first
    return dict(sorted(in_order, key=lambda item: -item[1])[:limit])

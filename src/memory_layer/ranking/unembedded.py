"""What stands in for a cosine while a candidate has no vector of the installed model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.ranking.signals import scaled_bm25

if TYPE_CHECKING:
    from memory_layer.ranking.columns import Column


def with_stand_ins(cosine: Column, bm25: Column, places: Sequence[int]) -> Column:
    """The cosines, and at the places that have none: the best cosine x BM25 / best BM25.

    A cosine of 0 would put the very text that was asked for behind whatever shares a few words with it.
    """
    if not places:
        return cosine
    best_cosine, best_bm25 = max(0.0, *cosine), max(bm25)
    filled = [float(each) for each in cosine]
    for place in places:
        filled[place] = best_cosine * scaled_bm25(float(bm25[place]), best_bm25)
    return filled

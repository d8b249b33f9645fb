"""What stands in for a cosine while a candidate has no vector of the installed model."""

from __future__ import annotations

from collections.abc import Mapping

from memory_layer.ranking.signals import scaled_bm25


def with_stand_ins(cosine: Mapping[int, float], bm25: Mapping[int, float]) -> dict[int, float]:
    """The cosines, and for what only its words brought in: the best cosine x BM25 / best BM25.

    A cosine of 0 would put the very text that was asked for behind whatever shares a few words with it.
    """
    best_cosine = max(0.0, *cosine.values()) if cosine else 0.0
    best_bm25 = max(bm25.values(), default=0.0)
    without = bm25.keys() - cosine.keys()
    return {**cosine, **{row: best_cosine * scaled_bm25(bm25[row], best_bm25) for row in without}}

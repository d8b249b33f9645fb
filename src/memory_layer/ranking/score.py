"""What a ranker's formula makes of a pool: one score each, and where a score comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.ranking.arithmetic import Maths, Number
from memory_layer.ranking.columns import Features, Question
from memory_layer.ranking.rankers import Pool, Ranker

if TYPE_CHECKING:
    from memory_layer.ranking.rankers import Term

NEXT_TO_NOTHING = 1e-300  #: a score below it is 0


def scored(
    ranker: Ranker, maths: Maths[Number], batches: Sequence[Features[Number]], question: Question
) -> tuple[Pool, list[Number]]:
    """Score a pool given as many single candidates or as one batch of columns."""
    best = _highest(maths, [batch.bm25 for batch in batches])
    pool = Pool(question=question, best_bm25=max(best, question.best_bm25))
    sums = [_sum(ranker.terms(maths, batch, pool)) for batch in batches]
    if ranker.to_best:
        pool = pool._replace(best_sum=_highest(maths, sums) or 1.0)
        sums = [maths.at_least(one, 0.0) / pool.best_sum for one in sums]
    return pool, [_times_factors(ranker, maths, *each, pool) for each in zip(batches, sums, strict=True)]


def explained(
    ranker: Ranker, maths: Maths[Number], of: Features[Number], question: Question
) -> tuple[Pool, Number, list[Term[Number]]]:
    """Score a pool given as one batch of columns, and say where each score comes from."""
    pool = Pool(question=question, best_bm25=max(maths.highest(of.bm25), question.best_bm25))
    found = ranker.terms(maths, of, pool)
    if ranker.to_best:
        best = maths.highest(_sum(found))
        pool = pool._replace(best_sum=best if best >= NEXT_TO_NOTHING else 1.0)
    score, told = _told(ranker, maths, of, pool, found)
    return pool, score, told


def parts(ranker: Ranker, maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
    """The signals of a score; their shares add up to it, a factor's being what it adds or takes away."""
    return _told(ranker, maths, of, pool, ranker.terms(maths, of, pool))[1]


def _told(
    ranker: Ranker, maths: Maths[Number], of: Features[Number], pool: Pool, found: list[Term[Number]]
) -> tuple[Number, list[Term[Number]]]:
    """A score and its signals, from its terms."""
    score = _sum(found)
    if ranker.to_best:
        score = maths.at_least(score, 0.0) / pool.best_sum
        found = [(name, value, share / pool.best_sum) for name, value, share in found]
        if maths.lowest(score) < NEXT_TO_NOTHING:
            counts = score - NEXT_TO_NOTHING
            found = [(name, value, maths.unless_negative(counts, share, 0.0)) for name, value, share in found]
    for name, value, factor in ranker.factors(maths, of, pool):
        if _is_one(factor):
            found.append((name, value, factor - factor))
        else:
            found.append((name, value, score * factor - score))
            score = score * factor
    return score, found


def _sum(terms: Sequence[Term[Number]]) -> Number:
    (_, _, total), *rest = terms
    for _, _, share in rest:
        total = total + share
    return total


def _times_factors(
    ranker: Ranker, maths: Maths[Number], of: Features[Number], score: Number, pool: Pool
) -> Number:
    for _, _, factor in ranker.factors(maths, of, pool):
        score = score if _is_one(factor) else score * factor
    return score


def _is_one(factor: object) -> bool:
    """Whether a factor is 1 for all candidates, as most are."""
    return isinstance(factor, float) and factor == 1.0


def _highest(maths: Maths[Number], values: Sequence[Number]) -> float:
    return max((maths.highest(value) for value in values), default=0.0)

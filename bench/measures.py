"""Measure the quality of rankings: the usual measures of one question, and their means."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

MRR_DEPTH = 100
Figures = dict[str, float]


def measures(ranking: Sequence[str], relevant: Collection[str]) -> Figures:
    """Measure a ranking, best first, for somebody who wants all that is relevant."""
    return {
        "any@1": any_at(1, ranking, relevant),
        "any@5": any_at(5, ranking, relevant),
        "all@5": all_at(5, ranking, relevant),
        "rec@10": recall_at(10, ranking, relevant),
        "ndcg@10": ndcg_at(10, ranking, relevant),
        "mrr": reciprocal_rank(ranking, relevant),
    }


def any_at(depth: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """1 if the first few hold at least one of the relevant ones."""
    return float(any(each in relevant for each in ranking[:depth]))


def all_at(depth: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """1 if the first few hold every relevant one."""
    return float(set(relevant) <= set(ranking[:depth]))


def recall_at(depth: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """The share of the relevant ones among the first few."""
    return len(set(relevant) & set(ranking[:depth])) / len(set(relevant))


def ndcg_at(depth: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """Sum of 1 / log2(rank + 1) over the relevant ones, over the same sum of the ideal order."""
    gains = [each in relevant for each in ranking[:depth]]
    ideal = [True] * min(depth, len(set(relevant)))
    return _discounted(gains) / _discounted(ideal)


def _discounted(gains: Sequence[bool]) -> float:
    return math.fsum(1.0 / math.log2(place + 2) for place, gain in enumerate(gains) if gain)


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str]) -> float:
    """1 / rank of the first relevant one among the first hundred, else 0."""
    places = (place for place, each in enumerate(ranking[:MRR_DEPTH], start=1) if each in relevant)
    return 1.0 / next(places, math.inf)


def average_precision(ranking: Sequence[str], relevant: Collection[str]) -> float:
    """The mean over all relevant ones of the precision at their place; 0 for one that is not there."""
    places = [place for place, each in enumerate(ranking, start=1) if each in relevant]
    return math.fsum(found / place for found, place in enumerate(places, start=1)) / len(set(relevant))


def precision_at(depth: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """The share of the first few places that hold a relevant one."""
    return sum(each in relevant for each in ranking[:depth]) / depth


def means(of: Sequence[Mapping[str, float]]) -> Figures:
    """The plain mean of each measure."""
    return {name: math.fsum(one[name] for one in of) / len(of) for name in of[0]} if of else {}

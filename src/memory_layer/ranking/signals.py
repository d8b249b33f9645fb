"""The signals: each turns one thing known about a candidate into a comparable number."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.ranking.columns import Column


#: The number of one candidate, or the column of all candidates.
Number = TypeVar("Number", float, "NDArray[np.float64]")


RECENCY_E_FOLDING_DAYS = 30.0  #: after this time e^-1 = 37 % is left; the half-life is 20.8 days
USES_FOR_FULL_FREQUENCY = 99  #: ln(99 + 1) / ln 100 = 1
RRF_OFFSET = 60.0
ACCESS_BOOST = 0.1
ACCESS_DECAY_PER_DAY = 0.01  #: a half-life of 69 days
MARGIN_PLACE = 20
LEAST_TRUST = 0.2  #: words that tell nothing apart still count this much


class Maths(Protocol[Number]):
    """The operations that floats and arrays do not share as operators."""

    def exp(self, x: Number) -> Number: ...

    def log(self, x: Number) -> Number: ...

    def at_least(self, x: Number, bound: float) -> Number: ...

    def at_most(self, x: Number, bound: float) -> Number: ...

    def unless_negative(self, mark: Number, value: Number, instead: float) -> Number:
        """Return `value` where the mark is zero or more, `instead` elsewhere."""
        ...

    def highest(self, x: Number) -> float:
        """Return the largest value, never below zero."""
        ...

    def lowest(self, x: Number) -> float:
        """Return the smallest value."""
        ...


class _Plain:
    def exp(self, x: float) -> float:
        return math.exp(x)

    def log(self, x: float) -> float:
        return math.log(x)

    def at_least(self, x: float, bound: float) -> float:
        return max(x, bound)

    def at_most(self, x: float, bound: float) -> float:
        return min(x, bound)

    def unless_negative(self, mark: float, value: float, instead: float) -> float:
        return value if mark >= 0.0 else instead

    def highest(self, x: float) -> float:
        return max(x, 0.0)

    def lowest(self, x: float) -> float:
        return x


PLAIN: Maths[float] = _Plain()


def recency(maths: Maths[Number], age_days: Number) -> Number:
    """exp(-days / 30); a memory from the future counts as new."""
    return maths.exp(-maths.at_least(age_days, 0.0) / RECENCY_E_FOLDING_DAYS)


def frequency(maths: Maths[Number], uses: Number) -> Number:
    """min(1, ln(uses + 1) / ln 100)."""
    share = maths.log(maths.at_least(uses, 0.0) + 1.0) / math.log(USES_FOR_FULL_FREQUENCY + 1.0)
    return maths.at_most(share, 1.0)


def outcome(score: Number) -> Number:
    """(score + 1) / 2, which takes -1..1 to 0..1."""
    return (score + 1.0) / 2.0


def scaled_bm25(bm25: Number, best: float) -> Number:
    """BM25 / highest BM25 of the pool; 0 where nothing matched."""
    return bm25 / (best if best > 0.0 else 1.0)


def rrf_share(maths: Maths[Number], rank: Number) -> Number:
    """1 / (60 + rank + 1) with the first rank 0; 0 for a list it is missing from."""
    return maths.unless_negative(rank, 1.0 / (RRF_OFFSET + rank + 1.0), 0.0)


def access_boost(maths: Maths[Number], accesses: Number) -> Number:
    """1 + 0.1 ln(1 + accesses)."""
    return 1.0 + ACCESS_BOOST * maths.log(1.0 + maths.at_least(accesses, 0.0))


def access_decay(maths: Maths[Number], days_since_used: Number) -> Number:
    """exp(-0.01 days); a memory that was never used is not punished for it."""
    return maths.unless_negative(
        days_since_used, maths.exp(-ACCESS_DECAY_PER_DAY * maths.at_least(days_since_used, 0.0)), 1.0
    )


def dimmed(mark: Number, factor: float) -> Number:
    """Return `factor` where the mark is 1, exactly 1 where it is 0."""
    return 1.0 - (1.0 - factor) * mark


def margin(bm25: Iterable[float]) -> float:
    """1 - twentieth highest / highest: near 1 when some matches stand out, 0 when words cannot tell."""
    best = sorted(bm25, reverse=True)[:MARGIN_PLACE]
    if not best or best[0] <= 0.0:
        return 0.0
    twentieth = max(best[-1], 0.0) if len(best) == MARGIN_PLACE else 0.0
    return 1.0 - twentieth / best[0]


def trust(margin: float) -> float:
    """Return the weight of keyword signals relative to meaning: the margin, at least 0.2."""
    return max(LEAST_TRUST, margin)


def cosine(one: bytes, two: bytes) -> float | None:
    """Return the cosine of two rows of half-precision numbers; None if they cannot be compared."""
    if len(one) != len(two) or len(one) % 2:
        return None
    left, right = (struct.unpack(f"<{len(each) // 2}e", each) for each in (one, two))
    lengths = math.sqrt(sum(x * x for x in left) * sum(y * y for y in right))
    product = sum(x * y for x, y in zip(left, right, strict=True))
    return max(-1.0, min(1.0, product / lengths)) if lengths else 0.0


def with_stand_ins(cosine: Column, bm25: Column, places: Sequence[int]) -> Column:
    """Fill missing cosines with the best cosine x BM25 / best BM25.

    A cosine of 0 would put an exact match behind texts that merely share a few words with it.
    """
    if not places:
        return cosine
    best_cosine, best_bm25 = max(0.0, *cosine), max(bm25)
    filled = [float(each) for each in cosine]
    for place in places:
        filled[place] = best_cosine * scaled_bm25(float(bm25[place]), best_bm25)
    return filled

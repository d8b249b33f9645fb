"""Ranking over whole numpy columns; only the vector path imports this module."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.ranking.coverage import (
    APART,
    RELATED,
    STRETCH,
    QueryTerms,
    frequencies_of,
    full_phrase,
    idf,
    neighbouring,
)
from memory_layer.ranking.signals import Maths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.ranking.columns import Occurrences

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]


if TYPE_CHECKING:
    Array = NDArray[np.float64]
    Vectors = NDArray[np.float32]


#: Weights are counted in whole parts of 1, so that sums are exact and equal documents come out equal.
PARTS = 1 << 32


class _Numpy:
    def exp(self, x: Array) -> Array:
        return np.exp(x)

    def log(self, x: Array) -> Array:
        return np.log(x)

    def at_least(self, x: Array, bound: float) -> Array:
        return np.maximum(x, bound)

    def at_most(self, x: Array, bound: float) -> Array:
        return np.minimum(x, bound)

    def unless_negative(self, mark: Array, value: Array, instead: float) -> Array:
        return np.where(mark >= 0.0, value, instead)

    def highest(self, x: Array) -> float:
        return float(x.max(initial=0.0)) if np.ndim(x) else max(float(x), 0.0)

    def lowest(self, x: Array) -> float:
        return float(x.min(initial=inf)) if np.ndim(x) else float(x)


NUMPY: Maths[Array] = _Numpy()


def each(column: Array, count: int) -> Array:
    """Expand a scalar to a column of `count` numbers; leave a column alone."""
    return column if np.ndim(column) else np.full(count, column)


def listed(columns: list[Array], count: int, places: list[int]) -> list[list[float]]:
    """Return the values of all columns at the given places, one row per place."""
    table = np.empty((len(columns), count))
    for at, column in enumerate(columns):
        table[at] = column
    numbers: list[list[float]] = table[:, places].T.tolist()
    return numbers


def highest(scores: Array, limit: int) -> list[int]:
    """Return the places of the `limit` highest scores; ties keep their order."""
    places: list[int] = (-scores).argsort(kind="stable")[: max(limit, 0)].tolist()
    return places


def cosines(vectors: Vectors, vector: Vectors) -> Vectors:
    """Return the cosine of each unit vector with `vector`; NaN where the product is not a cosine."""
    with np.errstate(all="ignore"):
        product: Vectors = vectors @ vector
        product[~(np.abs(product) < 1.5)] = np.nan
    return product


def covered(query: QueryTerms, count: int, found: Occurrences) -> tuple[Floats, Floats]:
    """Return the coverage and phrase columns, computed like `QueryWords.covering` for a single candidate."""
    if query.spellings:
        found = _by_term(query, found)
    idfs = [idf(found.total, each) for each in found.containing]
    whole = math.fsum(idfs) or 1.0
    weights = np.array(idfs, np.float64) / whole
    coverage = np.bincount(found.holder, weights[found.held], count).astype(np.float64, copy=False)
    coverage -= (1.0 - APART) * scattered(count, found, weights)
    if found.related is not None and len(found.related.held):
        coverage += _by_related(query, count, found, idfs) / whole
    known = sum(each > 0 for each in found.containing)
    return coverage, np.minimum(side_by_side(query.terms, count, found) / full_phrase(known), 1.0)


def _by_term(query: QueryTerms, found: Occurrences) -> Occurrences:
    """Count every other spelling as the term it stands for."""
    number = {term: place for place, term in enumerate(query.terms)}
    term_of = np.array([*range(len(number)), *(number[term] for term in query.spellings.values())], np.intp)
    pairs = np.unique(found.holder * len(number) + term_of[found.held])
    frequency = dict(zip(query.matched, found.containing, strict=True))
    return found._replace(
        containing=frequencies_of(query, frequency),
        holder=pairs // len(number),
        held=pairs % len(number),
        term=term_of[found.term],
    )


def _by_related(query: QueryTerms, count: int, found: Occurrences, idfs: Sequence[float]) -> Floats:
    """Return what related words add to each candidate: for each term it lacks, the best of them."""
    assert found.related is not None
    number = {term: place for place, term in enumerate(query.terms)}
    term_of = np.array([number[term] for term in query.related.values()], np.intp)
    rarity = [idf(found.total, each) for each in found.related.containing]
    worth = RELATED * np.minimum(np.array(rarity), np.array(idfs)[term_of])
    added = np.zeros((count, len(number)))
    np.maximum.at(added, (found.related.holder, term_of[found.related.held]), worth[found.related.held])
    added[found.holder, found.held] = 0.0
    total: Floats = added.sum(axis=1)
    return total


def side_by_side(terms: Sequence[str], count: int, found: Occurrences) -> Places:
    """Count, for each candidate, the query's adjacent term pairs that are adjacent in its text."""
    pairs = _pairs(terms)
    near = ((found.at[1:] - found.at[:-1] == 1) & (found.place[1:] == found.place[:-1])).nonzero()[0]
    if not len(pairs) or not len(near):
        return np.zeros(count, np.intp)
    codes = found.term[near] * len(terms) + found.term[near + 1]
    meant = pairs.take(pairs.searchsorted(codes), mode="clip") == codes
    each = found.place[near[meant]] * len(terms) ** 2 + codes[meant]
    each.sort()
    first = np.ones(len(each), np.bool_)
    np.not_equal(each[1:], each[:-1], out=first[1:])
    return np.bincount(each[first] // len(terms) ** 2, minlength=count)


def _pairs(terms: Sequence[str]) -> Places:
    """Return the adjacent term pairs in order, each encoded as one number."""
    number = {term: place for place, term in enumerate(terms)}
    codes = [number[left] * len(terms) + number[right] for left, right in neighbouring(terms)]
    return np.array(sorted(codes), np.intp)


def scattered(count: int, found: Occurrences, weights: Floats) -> Floats:
    """Return, for each candidate, the weight of the terms outside its best stretch."""
    result = np.zeros(count)
    counts = np.bincount(found.place, minlength=count)
    wide = _wide(counts, found.at)
    if not wide.any():
        return result
    chosen = wide.repeat(counts)
    counts, place, term = counts[wide], found.place[chosen], found.term[chosen]
    # Candidates are laid far enough apart that no stretch reaches from one into the next.
    at = found.at[chosen] + place * (int(found.at.max()) + STRETCH)
    worth = np.rint(weights * PARTS).astype(np.int64)[term]
    again = _again(at, term)
    # A word counts from where it stands until a stretch later, or until it stands there again.
    until = at.searchsorted(np.minimum(at + STRETCH, again))
    lost = np.bincount(until, weights=worth, minlength=len(at) + 1)[:-1].astype(np.int64)
    close = (worth - lost).cumsum()
    ends = counts.cumsum()
    held = np.add.reduceat(worth * (again > at[ends - 1].repeat(counts)), ends - counts)
    result[wide] = (held - np.maximum.reduceat(close, ends - counts)) / PARTS
    return result


def _wide(counts: Places, at: Places) -> NDArray[np.bool_]:
    """Mark the candidates whose matches do not fit in one stretch."""
    ends = counts.cumsum()
    wide: NDArray[np.bool_] = counts > 1
    wide[wide] = at[ends[wide] - 1] - at[(ends - counts)[wide]] >= STRETCH
    return wide


def _again(at: Places, term: Places) -> Places:
    """Return the position of the next occurrence of the same term, in any candidate."""
    short = term.astype(np.uint16) if len(term) and term.max() < 1 << 16 else term  # sorted in fewer steps
    order = short.argsort(kind="stable")
    again = np.full(len(at), np.iinfo(np.intp).max)
    same = (short[order[1:]] == short[order[:-1]]).nonzero()[0]
    again[order[same]] = at[order[same + 1]]
    return again

"""Coverage and phrase of whole columns of candidates, from the places where the words of a question stand.

Only those places are followed, so a long document costs little more than a look at it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.ranking.coverage import APART, STRETCH, full_phrase, idf, neighbouring

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.ranking.columns import Occurrences

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

#: Weights are counted in whole parts of 1, so that sums are exact and equal documents come out equal.
PARTS = 1 << 32


def covered(terms: Sequence[str], count: int, found: Occurrences) -> tuple[Floats, Floats]:
    """Return coverage and phrase of so many candidates, as `Wanted.both` computes them for one."""
    weights = _weights(found)
    coverage = np.bincount(found.holder, weights[found.held], count).astype(np.float64, copy=False)
    coverage -= (1.0 - APART) * scattered(count, found, weights)
    known = sum(each > 0 for each in found.containing)
    return coverage, np.minimum(side_by_side(terms, count, found) / full_phrase(known), 1.0)


def _weights(found: Occurrences) -> Floats:
    """Return what each term adds to the coverage; all of them together make 1."""
    weights = [idf(found.total, count) for count in found.containing]
    whole = math.fsum(weights) or 1.0
    return np.array([weight / whole for weight in weights], np.float64)


def side_by_side(terms: Sequence[str], count: int, found: Occurrences) -> Places:
    """Return how many of the question's neighbouring terms are neighbours in each candidate."""
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
    """Return the neighbouring terms in order, each pair as one number."""
    number = {term: place for place, term in enumerate(terms)}
    codes = [number[left] * len(terms) + number[right] for left, right in neighbouring(terms)]
    return np.array(sorted(codes), np.intp)


def scattered(count: int, found: Occurrences, weights: Floats) -> Floats:
    """Return what the terms of each candidate are worth that stand outside its best stretch."""
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
    """Return which candidates have words too far apart for one stretch."""
    ends = counts.cumsum()
    wide: NDArray[np.bool_] = counts > 1
    wide[wide] = at[ends[wide] - 1] - at[(ends - counts)[wide]] >= STRETCH
    return wide


def _again(at: Places, term: Places) -> Places:
    """Return where the same term stands next, in any candidate."""
    short = term.astype(np.uint16) if len(term) and term.max() < 1 << 16 else term  # sorted in fewer steps
    order = short.argsort(kind="stable")
    again = np.full(len(at), np.iinfo(np.intp).max)
    same = (short[order[1:]] == short[order[:-1]]).nonzero()[0]
    again[order[same]] = at[order[same + 1]]
    return again

"""Where the words of a question stand in documents: side by side, and close together or scattered.

Only the places where one of the words stands are followed, so a long document costs little more than a look at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple
from memory_layer.store.index.postings import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]
    Whole = NDArray[np.int64]


#: Weights are counted in whole parts of 1, so that sums are exact and equal documents come out equal.
PARTS = 1 << 32


#: From so many tokens on it pays to make a table of the words of the question.
MANY = 4096


class Asked(NamedTuple):
    """The words of a question as the tokens of documents."""

    numbers: NDArray[np.uint32]  #: in order
    weights: Whole  #: what each of them is worth, in parts of 1
    pairs: (
        Places  #: neighbouring words, in order: the left one's place x the number of words + the right one's
    )
    stretch: int  #: how many words stand close together


class Standing(NamedTuple):
    """What is found in each document."""

    pairs: Places  #: how many of the pairs stand side by side
    scattered: Floats  #: what its words are worth that stand outside its best stretch


class _Hits(NamedTuple):
    """The places where words of the question stand, in order."""

    counts: Places  #: how many there are in each document
    at: Places  #: documents are a stretch apart, so that none reaches into the next
    word: Places


def asked(
    terms: Sequence[str],
    hashed: NDArray[np.uint64],
    weights: Floats,
    pairs: Sequence[tuple[str, str]],
    stretch: int,
) -> Asked:
    """A question made ready; the pairs are of its terms, each of which has a hash and a weight."""
    tokens = hashed.astype(np.uint32)
    order = tokens.argsort(kind="stable")
    place = {terms[number]: place for place, number in enumerate(order.tolist())}
    codes = [place[left] * len(terms) + place[right] for left, right in pairs]
    whole = np.rint(weights[order] * PARTS).astype(np.int64)
    return Asked(tokens[order], whole, np.array(sorted(codes), np.intp), stretch)


def standing(tokens: NDArray[np.uint32], lengths: Places, question: Asked) -> Standing:
    """How the words stand in documents given as their tokens, one after the other."""
    hits = _hits(tokens, lengths, question)
    return Standing(_side_by_side(hits, question), _scattered(hits, question))


def _hits(tokens: NDArray[np.uint32], lengths: Places, question: Asked) -> _Hits:
    numbers = question.numbers
    at = np.arange(len(tokens))
    if len(tokens) > MANY or not len(numbers):
        # Half of each number leaves few others, and asks one look into a table instead of many comparisons.
        table = np.zeros(1 << 16, np.bool_)
        table[numbers.astype(np.uint16)] = True
        at = table[tokens.astype(np.uint16)].nonzero()[0]
        tokens = tokens[at]
    word = numbers.searchsorted(tokens)
    same = (numbers.take(word, mode="clip") == tokens).nonzero()[0]
    at = at[same]
    counts = at.searchsorted(lengths.cumsum())
    counts[1:] -= counts[:-1].copy()
    return _Hits(counts, at + _each(counts) * question.stretch, word[same])


def _each(counts: Places) -> Places:
    """The document of every hit."""
    return np.arange(len(counts)).repeat(counts)


def _side_by_side(hits: _Hits, question: Asked) -> Places:
    near = (hits.at[1:] - hits.at[:-1] == 1).nonzero()[0]
    if not len(question.pairs) or not len(near):
        return np.zeros(len(hits.counts), np.intp)
    words = len(question.numbers)
    codes = hits.word[near] * words + hits.word[near + 1]
    meant = question.pairs.take(question.pairs.searchsorted(codes), mode="clip") == codes
    each = distinct(_each(hits.counts)[near[meant]] * words**2 + codes[meant])
    return np.bincount(each // words**2, minlength=len(hits.counts))


def _scattered(hits: _Hits, question: Asked) -> Floats:
    result = np.zeros(len(hits.counts))
    wide = _wide(hits, question.stretch)
    if not wide.any():
        return result
    chosen = wide.repeat(hits.counts)
    counts, at, word = hits.counts[wide], hits.at[chosen], hits.word[chosen]
    worth = question.weights[word]
    again = _again(at, word)
    # A word counts from where it stands until a stretch later, or until it stands there again.
    until = at.searchsorted(np.minimum(at + question.stretch, again))
    lost = np.bincount(until, weights=worth, minlength=len(at) + 1)[:-1].astype(np.int64)
    close = (worth - lost).cumsum()
    ends = counts.cumsum()
    held = np.add.reduceat(worth * (again > at[ends - 1].repeat(counts)), ends - counts)
    result[wide] = (held - np.maximum.reduceat(close, ends - counts)) / PARTS
    return result


def _wide(hits: _Hits, stretch: int) -> NDArray[np.bool_]:
    """Which documents have words too far apart for one stretch."""
    ends = hits.counts.cumsum()
    wide = hits.counts > 1
    wide[wide] = hits.at[ends[wide] - 1] - hits.at[(ends - hits.counts)[wide]] >= stretch
    return wide


def _again(at: Places, word: Places) -> Places:
    """Where the same word stands next, in any document."""
    short = word.astype(np.uint16) if len(word) and word.max() < 1 << 16 else word  # sorted in fewer steps
    order = short.argsort(kind="stable")
    again = np.full(len(at), np.iinfo(np.intp).max)
    same = (short[order[1:]] == short[order[:-1]]).nonzero()[0]
    again[order[same]] = at[order[same + 1]]
    return again

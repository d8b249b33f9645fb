"""Where the words of a question stand in documents: side by side, and close together or scattered.

Only the places where one of the words stands are followed, so a long document costs little more than a look at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory_layer.store.index.postings import distinct, hashes

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Whole = NDArray[np.int64]

#: Weights are counted in whole parts of 1, so that sums are exact and equal documents come out equal.
PARTS = 1 << 32


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

    doc: Places
    at: Places  #: documents are a stretch apart, so that none reaches into the next
    word: Places


def asked(terms: Sequence[str], weights: Floats, pairs: Sequence[tuple[str, str]], stretch: int) -> Asked:
    """A question made ready; the pairs are of its terms, each of which has a weight."""
    tokens = hashes(terms).astype(np.uint32)
    order = np.argsort(tokens, kind="stable")
    place = {terms[number]: place for place, number in enumerate(order.tolist())}
    codes = [place[left] * len(terms) + place[right] for left, right in pairs]
    whole = np.rint(weights[order] * PARTS).astype(np.int64)
    return Asked(tokens[order], whole, np.array(sorted(codes), np.intp), stretch)


def standing(tokens: NDArray[np.uint32], lengths: Places, question: Asked) -> Standing:
    """How the words stand in documents given as their tokens, one after the other."""
    hits = _hits(tokens, lengths, question)
    return Standing(_side_by_side(hits, len(lengths), question), _scattered(hits, lengths, question))


def _hits(tokens: NDArray[np.uint32], lengths: Places, question: Asked) -> _Hits:
    numbers = question.numbers
    # Half of each number leaves few others, and asks one look into a small table instead of many comparisons.
    table = np.zeros(1 << 16, np.bool_)
    table[numbers.astype(np.uint16)] = True
    at = table[tokens.astype(np.uint16)].nonzero()[0]
    found = tokens[at]
    word = numbers.searchsorted(found)
    same = numbers.take(word, mode="clip") == found
    at = at[same]
    doc = lengths.cumsum().searchsorted(at, "right")
    return _Hits(doc, at + doc * question.stretch, word[same])


def _side_by_side(hits: _Hits, documents: int, question: Asked) -> Places:
    count = len(question.numbers)
    near = (hits.at[1:] - hits.at[:-1] == 1).nonzero()[0]
    if not len(question.pairs) or not len(near):
        return np.zeros(documents, np.intp)
    codes = hits.word[near] * count + hits.word[near + 1]
    meant = question.pairs.take(question.pairs.searchsorted(codes), mode="clip") == codes
    each = distinct(hits.doc[near[meant]] * count**2 + codes[meant])
    return np.bincount(each // count**2, minlength=documents)


def _scattered(hits: _Hits, lengths: Places, question: Asked) -> Floats:
    result = np.zeros(len(lengths))
    long = (lengths[hits.doc] > question.stretch).nonzero()[0]
    if not len(long):
        return result
    doc, at, word = hits.doc[long], hits.at[long], hits.word[long]
    worth = question.weights[word]
    again = _again(word)
    # A word counts from where it stands until a stretch later, or until it stands there again.
    until = np.minimum(at.searchsorted(at + question.stretch), again)
    lost = np.bincount(until, weights=worth, minlength=len(at) + 1)[:-1].astype(np.int64)
    close = np.cumsum(worth - lost)
    firsts = np.concatenate((_FIRST, (doc[1:] != doc[:-1]).nonzero()[0] + 1))
    last = doc.take(again, mode="clip") != doc
    last |= again == len(doc)
    held = np.add.reduceat(worth * last, firsts)
    result[doc[firsts]] = (held - np.maximum.reduceat(close, firsts)) / PARTS
    return result


_FIRST = np.zeros(1, np.intp)


def _again(word: Places) -> Places:
    """Which hit is the same word again, in any document; one past the last if there is none."""
    order = word.argsort(kind="stable")
    ordered = word[order]
    same = (ordered[1:] == ordered[:-1]).nonzero()[0]
    again = np.full(len(word), len(word))
    again[order[same]] = order[same + 1]
    return again

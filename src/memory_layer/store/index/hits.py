"""Find the places where the words of a question stand in documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.intp]

#: From so many tokens on it pays to make a table of the words of the question.
MANY = 4096


class Hits(NamedTuple):
    """Every place where a word of the question stands, in order."""

    doc: Places
    at: Places  #: which word of the document it is
    term: Places


def hits(tokens: NDArray[np.uint32], lengths: Places, hashed: NDArray[np.uint64]) -> Hits:
    """Return where hashed terms stand in documents given as their tokens, one after the other."""
    wanted = hashed.astype(np.uint32)
    order = wanted.argsort(kind="stable")
    numbers = wanted[order]
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
    ends = lengths.cumsum()
    doc = ends.searchsorted(at, side="right")
    return Hits(doc, at - (ends - lengths)[doc], order[word[same]])

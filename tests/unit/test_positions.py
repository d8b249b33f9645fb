"""Coverage and phrase of columns: the same as the plain rule finds in each document."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.ranking.arrays import scattered, side_by_side
from memory_layer.ranking.columns import Occurrences
from memory_layer.ranking.coverage import APART, STRETCH, QueryWords
from memory_layer.store.index.postings import hashes, hits

NOWHERE = np.empty(0, np.intp)
WORTH = {"wal": 0.4, "deadlock": 0.3, "fix": 0.2, "cache": 0.1}
FILLING = ["word"]

question = st.lists(st.sampled_from(sorted(WORTH)), max_size=4, unique=True)
#: Words of the question with more or less between them, so that a stretch holds some and misses others.
gaps = st.lists(st.tuples(st.sampled_from(sorted(WORTH)), st.integers(0, STRETCH + 2)), max_size=8)
document = gaps.map(lambda parts: [word for term, gap in parts for word in [term, *FILLING * gap]])


def occurrences(terms: list[str], documents: list[list[str]]) -> Occurrences:
    """The words as the index finds them, all documents being candidates."""
    lengths = np.array([len(words) for words in documents], np.intp)
    tokens = hashes([word for words in documents for word in words]).astype(np.uint32)
    found = hits(tokens, lengths, hashes(terms))
    return Occurrences(100, [1] * len(terms), NOWHERE, NOWHERE, found.doc, found.at, found.term)


def found(terms: list[str], documents: list[list[str]]) -> tuple[Any, Any]:
    weights = np.array([WORTH[term] for term in terms], np.float64)
    where = occurrences(terms, documents)
    count = len(documents)
    return side_by_side(terms, count, where), scattered(count, where, weights)


@given(question, st.lists(document, max_size=6))
def test_the_index_finds_what_the_plain_rule_finds(terms: list[str], documents: list[list[str]]):
    wanted = QueryWords.of(terms, WORTH, known=len(terms))

    for words, pairs, apart in zip(documents, *found(terms, documents), strict=True):
        coverage, phrase = wanted.both(words)
        whole = wanted.both(list(dict.fromkeys(word for word in words if word in wanted.terms)))[0]
        assert (1.0 - APART) * apart == pytest.approx((whole - coverage) * wanted.whole, abs=1e-8)
        assert min(1.0, pairs / wanted.full_phrase) == phrase


def test_words_are_close_together_up_to_a_stretch_and_no_further():
    near = ["wal", *FILLING * (STRETCH - 2), "fix"]
    far = ["wal", *FILLING * (STRETCH - 1), "fix"]

    _, apart = found(["wal", "fix"], [near, far])

    assert apart.tolist() == pytest.approx([0.0, 0.2])


def test_a_stretch_does_not_reach_into_the_next_document():
    long = FILLING * STRETCH
    first, second = [*long, "wal", *long, "fix"], ["deadlock", *long]

    pairs, apart = found(["wal", "fix", "deadlock"], [first, second])

    assert apart.tolist() == pytest.approx([0.2, 0.0])
    assert pairs.tolist() == [0, 0]


def test_equal_documents_come_out_equal_wherever_they_stand():
    words = ["wal", *FILLING * 30, "fix", "deadlock", *FILLING * 30, "cache", "wal"]
    others = ["fix", *FILLING * 25, "cache"]

    _, apart = found(["wal", "deadlock", "fix", "cache"], [words, others, words, others, words])

    assert apart[0] == apart[2] == apart[4] > 0.0


def test_a_word_like_another_in_half_of_its_number_is_not_taken_for_it():
    wanted = hashes(["wal"])
    number = wanted.astype(np.uint32)
    tokens = np.concatenate([number ^ np.uint32(1 << 20), np.zeros(STRETCH, np.uint32), number])

    found = hits(tokens, np.array([len(tokens)], np.intp), wanted)

    assert [each.tolist() for each in found] == [[0], [STRETCH + 1], [0]]


def test_nothing_asked_or_nothing_to_look_at_finds_nothing():
    assert found([], [["wal"]])[1].tolist() == [0.0]
    assert found(["wal"], [])[0].tolist() == []
    assert found(["wal"], [[], ["fix"]])[1].tolist() == [0.0, 0.0]

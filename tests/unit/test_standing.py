"""Where the words of a question stand in documents: the index says the same as the plain rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.ranking.coverage import APART, STRETCH, Wanted, neighbouring
from memory_layer.store.index.postings import hashes
from memory_layer.store.index.standing import Standing, asked, standing

WORTH = {"wal": 0.4, "deadlock": 0.3, "fix": 0.2, "cache": 0.1}
FILLING = ["word"]

question = st.lists(st.sampled_from(sorted(WORTH)), max_size=4, unique=True)
#: Words of the question with more or less between them, so that a stretch holds some and misses others.
gaps = st.lists(st.tuples(st.sampled_from(sorted(WORTH)), st.integers(0, STRETCH + 2)), max_size=8)
document = gaps.map(lambda parts: [word for term, gap in parts for word in [term, *FILLING * gap]])


def found(terms: list[str], documents: list[list[str]]) -> Standing:
    weights = np.array([WORTH[term] for term in terms], np.float64)
    lengths = np.array([len(words) for words in documents], np.intp)
    tokens = hashes([word for words in documents for word in words]).astype(np.uint32)
    return standing(tokens, lengths, asked(terms, hashes(terms), weights, neighbouring(terms), STRETCH))


@given(question, st.lists(document, max_size=6))
def test_the_index_finds_what_the_plain_rule_finds(terms: list[str], documents: list[list[str]]):
    wanted = Wanted.of(terms, WORTH, known=len(terms))

    pairs, scattered = found(terms, documents)

    for words, side_by_side, apart in zip(documents, pairs, scattered, strict=True):
        coverage, phrase = wanted.both(words)
        whole = wanted.coverage(words)
        assert (1.0 - APART) * apart == pytest.approx((whole - coverage) * wanted.whole, abs=1e-8)
        assert min(1.0, side_by_side / wanted.full_phrase) == phrase == wanted.phrase(words)


def test_words_are_close_together_up_to_a_stretch_and_no_further():
    near = ["wal", *FILLING * (STRETCH - 2), "fix"]
    far = ["wal", *FILLING * (STRETCH - 1), "fix"]

    scattered = found(["wal", "fix"], [near, far]).scattered

    assert scattered.tolist() == pytest.approx([0.0, 0.2])


def test_a_stretch_does_not_reach_into_the_next_document():
    long = FILLING * STRETCH
    first, second = [*long, "wal", *long, "fix"], ["deadlock", *long]

    pairs, scattered = found(["wal", "fix", "deadlock"], [first, second])

    assert scattered.tolist() == pytest.approx([0.2, 0.0])
    assert pairs.tolist() == [0, 0]


def test_equal_documents_come_out_equal_wherever_they_stand():
    words = ["wal", *FILLING * 30, "fix", "deadlock", *FILLING * 30, "cache", "wal"]
    others = ["fix", *FILLING * 25, "cache"]

    scattered = found(["wal", "deadlock", "fix", "cache"], [words, others, words, others, words]).scattered

    assert scattered[0] == scattered[2] == scattered[4] > 0.0


def test_a_word_like_another_in_half_of_its_number_is_not_taken_for_it():
    weights = np.array([1.0])
    wanted = asked(["wal"], hashes(["wal"]), weights, [], STRETCH)
    alike = wanted.numbers ^ np.uint32(1 << 20)
    tokens = np.concatenate([alike, np.zeros(STRETCH, np.uint32), wanted.numbers])

    pairs, scattered = standing(tokens, np.array([len(tokens)], np.intp), wanted)

    assert (pairs.tolist(), scattered.tolist()) == ([0], [0.0])


def test_nothing_asked_or_nothing_to_look_at_finds_nothing():
    assert found([], [["wal"]]).scattered.tolist() == [0.0]
    assert found(["wal"], []).pairs.tolist() == []
    assert found(["wal"], [[], ["fix"]]).scattered.tolist() == [0.0, 0.0]

"""Postings: which documents hold which term how often."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.store.index.postings import MAX_DOCUMENTS, Postings, build, hashes, merged

words = st.lists(st.sampled_from(["wal", "lock", "snake_case", "3_11", "東京", "größe"]), max_size=9).map(
    " ".join
)
texts = st.lists(st.tuples(words, words), max_size=12)


def same(one: Postings, other: Postings) -> bool:
    columns: Iterable[tuple[np.ndarray, np.ndarray]] = zip(one, other, strict=True)
    return all(mine.dtype == its.dtype and np.array_equal(mine, its) for mine, its in columns)


def held(postings: Postings, term: str) -> dict[int, int]:
    """The documents that hold the term and how often, read as a reader of the arrays would."""
    at = np.flatnonzero(postings.terms == hashes([term]))
    if not len(at):
        return {}
    span = range(int(postings.starts[at[0]]), int(postings.starts[at[0] + 1]))
    many = dict(zip(postings.many.tolist(), postings.many_counts.tolist(), strict=True))
    return {int(postings.docs[each]): many.get(each, int(postings.counts[each])) for each in span}


def everything(length: int) -> np.ndarray:
    return np.ones(length, dtype=np.bool_)


def test_a_term_knows_its_documents_and_how_often_body_and_labels_hold_it():
    postings = build([("wal lock wal", "wal"), ("", ""), ("lock", "python lock")])

    assert held(postings, "wal") == {0: 3}
    assert held(postings, "lock") == {0: 1, 2: 2}
    assert held(postings, "python") == {2: 1}
    assert held(postings, "absent") == {}
    assert postings.lengths.tolist() == [4, 0, 3]


def test_nothing_makes_an_empty_segment():
    for nothing in (build([]), merged([]), merged([(build([("a b", "c")]), np.zeros(1, dtype=np.bool_))])):
        assert nothing.starts.tolist() == [0]
        assert [len(column) for column in nothing] == [0, 1, 0, 0, 0, 0, 0]


def test_a_word_repeated_more_often_than_a_byte_can_say_keeps_its_number():
    postings = build([("a " * 254, ""), ("a " * 255, ""), ("b " * 70_000 + "a " * 256, ""), ("b", "")])

    assert held(postings, "a") == {0: 254, 1: 255, 2: 256}
    assert held(postings, "b") == {2: 70_000, 3: 1}


def test_a_segment_refuses_more_documents_than_its_places_can_name():
    full = build([("a", "")] * MAX_DOCUMENTS)

    assert held(full, "a")[MAX_DOCUMENTS - 1] == 1
    with pytest.raises(ValueError, match="at most 65536 documents"):
        build([("a", "")] * (MAX_DOCUMENTS + 1))
    with pytest.raises(ValueError, match="at most 65536 documents"):
        merged([(full, everything(MAX_DOCUMENTS)), (build([("a", "")]), everything(1))])


def test_a_full_segment_can_be_merged_with_an_empty_one():
    full = build([("a", "")] * MAX_DOCUMENTS)

    assert same(merged([(full, everything(MAX_DOCUMENTS)), (build([]), everything(0))]), full)


@given(st.lists(texts, max_size=4), st.randoms(use_true_random=False))
def test_merging_gives_what_building_the_remaining_documents_at_once_gives(groups, chance):
    masks = [np.array([chance.random() < 0.6 for _ in group], dtype=np.bool_) for group in groups]
    left = [
        text for group, mask in zip(groups, masks, strict=True) for text, stays in zip(group, mask, strict=True)
        if stays
    ]  # fmt: skip

    parts = [(build(group), mask) for group, mask in zip(groups, masks, strict=True)]

    assert same(merged(parts), build(left))


def test_merging_keeps_the_numbers_of_words_repeated_very_often():
    first, second = [("a " * 300, ""), ("b " * 400 + "a", "")], [("b " * 500, ""), ("a " * 600 + "c", "")]
    keep = np.array([False, True])

    together = merged([(build(first), keep), (build(second), everything(2))])

    assert same(together, build([first[1], *second]))


def test_merging_leaves_its_parts_as_they_were_and_reads_arrays_that_cannot_be_written():
    part = build([("a b", "c"), ("b", "")])
    before = Postings._make(column.copy() for column in part)
    for column in part:
        column.flags.writeable = False

    merged([(part, np.array([True, False])), (part, everything(2))])

    assert same(part, before)


def test_hashes_do_not_change_between_programs_or_machines():
    assert hashes(["wal", "größe"]).tolist() == [12094679962841740739, 16832822397561338100]

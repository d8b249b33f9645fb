"""A candidate without a vector is judged by its words."""

from __future__ import annotations

import pytest

from memory_layer.ranking.signals import with_stand_ins


def test_the_best_match_by_words_counts_as_much_as_the_best_by_meaning():
    filled = with_stand_ins([0.8, 0.3, 0.0, 0.0], [0.0, 4.0, 8.0, 2.0], [2, 3])

    assert filled == [0.8, 0.3, pytest.approx(0.8), pytest.approx(0.2)]


def test_a_known_cosine_is_never_replaced():
    cosine = [-0.2, 0.0]

    assert with_stand_ins(cosine, [5.0, 1.0], []) is cosine


def test_where_nothing_has_a_vector_words_decide_alone():
    assert with_stand_ins([0.0, 0.0], [5.0, 0.0], [0, 1]) == [0.0, 0.0]

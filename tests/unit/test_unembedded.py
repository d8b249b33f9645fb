"""A candidate without a vector is judged by its words."""

from __future__ import annotations

import pytest

from memory_layer.ranking.unembedded import with_stand_ins


def test_the_best_match_by_words_counts_as_much_as_the_best_by_meaning():
    assert with_stand_ins({1: 0.8, 2: 0.3}, {2: 4.0, 3: 8.0, 4: 2.0}) == {
        1: 0.8,
        2: 0.3,
        3: pytest.approx(0.8),
        4: pytest.approx(0.2),
    }


def test_a_known_cosine_is_never_replaced():
    assert with_stand_ins({1: -0.2, 2: 0.0}, {1: 5.0, 2: 1.0}) == {1: -0.2, 2: 0.0}


def test_where_nothing_has_a_vector_words_decide_alone():
    assert with_stand_ins({}, {1: 5.0, 2: 0.0}) == {1: 0.0, 2: 0.0}
    assert with_stand_ins({}, {}) == {}

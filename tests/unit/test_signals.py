"""Each signal by itself, on floats and on columns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.ranking import signals
from memory_layer.ranking.arrays import NUMPY
from memory_layer.ranking.signals import PLAIN

finite = st.floats(min_value=-1e12, max_value=1e12)


def test_thirty_days_are_an_e_folding_time_and_not_a_half_life():
    assert signals.recency(PLAIN, 30.0) == pytest.approx(1 / math.e)
    assert signals.recency(PLAIN, 30.0 * math.log(2)) == pytest.approx(0.5)


def test_a_memory_of_today_or_from_the_future_counts_as_new():
    assert signals.recency(PLAIN, 0.0) == 1.0
    assert signals.recency(PLAIN, -5.0) == 1.0


def test_frequency_saturates_at_99_uses():
    assert signals.frequency(PLAIN, 98.0) < 1.0
    assert signals.frequency(PLAIN, 99.0) == 1.0
    assert signals.frequency(PLAIN, 100_000.0) == 1.0


def test_frequency_grows_by_the_logarithm():
    assert signals.frequency(PLAIN, 0.0) == 0.0
    assert signals.frequency(PLAIN, 9.0) == pytest.approx(0.5)


def test_an_outcome_score_is_brought_from_minus_one_and_one_to_zero_and_one():
    assert [signals.outcome(score) for score in (-1.0, 0.0, 1.0)] == [0.0, 0.5, 1.0]


def test_a_memory_last_accessed_69_days_ago_has_its_score_halved_and_at_138_days_quartered():
    assert signals.access_decay(PLAIN, 69.3) == pytest.approx(0.5, abs=0.001)
    assert signals.access_decay(PLAIN, 138.6) == pytest.approx(0.25, abs=0.001)


def test_a_memory_that_was_never_accessed_is_not_penalised():
    assert signals.access_decay(PLAIN, -1.0) == 1.0
    assert signals.access_boost(PLAIN, 0.0) == 1.0


def test_the_tenth_access_contributes_less_than_the_first():
    boosts = [signals.access_boost(PLAIN, float(count)) for count in range(11)]

    assert boosts[1] == pytest.approx(1.0 + 0.1 * math.log(2))
    assert boosts[10] - boosts[9] < boosts[1] - boosts[0]


def test_the_first_rank_of_a_list_gives_one_sixty_first():
    assert signals.rrf_share(PLAIN, 0.0) == 1 / 61
    assert signals.rrf_share(PLAIN, -1.0) == 0.0


def test_bm25_is_scaled_to_the_best_and_zero_when_nothing_matched():
    assert signals.scaled_bm25(3.0, 6.0) == 0.5
    assert signals.scaled_bm25(0.0, 0.0) == 0.0


def test_a_mark_dims_and_its_absence_changes_nothing():
    assert signals.dimmed(1.0, 0.8) == pytest.approx(0.8)
    assert signals.dimmed(0.0, 0.8) == 1.0


def test_the_margin_is_what_the_twentieth_match_lacks_to_the_best():
    assert signals.margin([10.0, *[4.0] * 18, 1.0, 0.5]) == pytest.approx(0.9)
    assert signals.margin([3.0] * 20) == 0.0


def test_fewer_than_twenty_matches_stand_out_fully():
    assert signals.margin([*[3.0] * 19, 0.0]) == 1.0


def test_words_are_trusted_as_far_as_they_tell_apart_and_never_not_at_all():
    assert [signals.trust(margin) for margin in (0.0, 0.1, 0.7, 1.0)] == [0.2, 0.2, 0.7, 1.0]


def test_without_a_match_there_is_no_margin():
    assert signals.margin([]) == signals.margin([0.0, 0.0]) == 0.0


@given(st.lists(finite, max_size=30))
def test_every_signal_is_the_same_number_for_a_float_and_for_a_column(values: list[float]):
    column = np.array(values, dtype=np.float64)

    for signal in (
        signals.recency,
        signals.frequency,
        signals.rrf_share,
        signals.access_boost,
        signals.access_decay,
    ):
        assert signal(NUMPY, column).tolist() == pytest.approx(
            [signal(PLAIN, value) for value in values], rel=1e-12, abs=1e-300
        )
    for simple in (signals.outcome, lambda x: signals.dimmed(x, 0.8), lambda x: signals.scaled_bm25(x, 7.0)):
        assert simple(column).tolist() == [simple(value) for value in values]


@given(finite, finite)
def test_bounded_signals_stay_in_their_bounds_for_any_finite_input(days: float, count: float):
    assert 0.0 <= signals.recency(PLAIN, days) <= 1.0
    assert 0.0 <= signals.frequency(PLAIN, count) <= 1.0
    assert 0.0 <= signals.access_decay(PLAIN, days) <= 1.0
    assert 1.0 <= signals.access_boost(PLAIN, count) < 4.0


@given(st.lists(st.floats(min_value=0.0, max_value=1e300), max_size=20))
def test_the_margin_is_never_outside_zero_and_one(scores: list[float]):
    assert 0.0 <= signals.margin(scores) <= 1.0

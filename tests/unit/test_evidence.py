"""How outcomes for other questions weigh on this one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.model.outcome import SEEN_WEIGHT, Experience
from memory_layer.model.vocabulary import Outcome
from memory_layer.ranking.arrays import NUMPY
from memory_layer.ranking.evidence import (
    UNKNOWN_QUERY_K,
    Evidence,
    WeighedOutcome,
    fading,
    kernel,
    shared_words,
    weighed,
)
from memory_layer.ranking.signals import PLAIN

WORKED, PARTIAL, FAILED = Outcome.WORKED, Outcome.PARTIAL, Outcome.FAILED

events = st.builds(
    WeighedOutcome,
    k=st.floats(min_value=0.0, max_value=1.0),
    age_days=st.floats(min_value=0.0, max_value=1e5),
    result=st.sampled_from(Outcome),
    weight=st.sampled_from([1.0, SEEN_WEIGHT]),
)


def g(*given: WeighedOutcome) -> float:
    return weighed(given).g


def test_without_evidence_g_is_exactly_zero():
    assert g() == 0.0


def test_one_worked_for_the_same_question_gives_a_half_and_one_failed_minus_a_half():
    assert g(WeighedOutcome(1.0, 0.0, WORKED)) == 0.5
    assert g(WeighedOutcome(1.0, 0.0, FAILED)) == -0.5


def test_three_agreeing_outcomes_give_three_quarters():
    assert g(*[WeighedOutcome(1.0, 0.0, WORKED)] * 3) == 0.75


def test_a_partial_counts_half_for_and_half_against():
    half = weighed([WeighedOutcome(1.0, 0.0, PARTIAL)])

    assert half == Evidence(0.5, 0.5, Experience(partial=1), same_partial=1.0)
    assert g(WeighedOutcome(1.0, 0.0, PARTIAL)) == 0.0


def h(*given: WeighedOutcome) -> float:
    return weighed(given).h


def test_two_reports_that_agree_settle_the_same_question_and_one_does_half_of_it():
    assert h(WeighedOutcome(1.0, 0.0, WORKED)) == 0.5
    assert h(*[WeighedOutcome(1.0, 0.0, WORKED)] * 2) == h(*[WeighedOutcome(1.0, 0.0, WORKED)] * 9) == 1.0
    assert h(*[WeighedOutcome(1.0, 0.0, FAILED)] * 2) == -1.0


def test_reports_that_disagree_settle_the_same_question_less():
    both = [WeighedOutcome(1.0, 0.0, WORKED)] * 2 + [WeighedOutcome(1.0, 0.0, FAILED)]

    assert h(*both) == pytest.approx(1 / 3)
    assert h(*both, WeighedOutcome(1.0, 0.0, FAILED)) == 0.0


def test_a_partial_takes_nothing_from_two_clear_reports():
    clear = [WeighedOutcome(1.0, 0.0, WORKED)] * 2

    assert h(*clear, WeighedOutcome(1.0, 0.0, PARTIAL)) == h(*clear)


def test_what_only_partly_helps_gives_way_to_near_equals_and_to_no_others():
    assert h(WeighedOutcome(1.0, 0.0, PARTIAL)) == -0.125
    assert (
        h(*[WeighedOutcome(1.0, 0.0, PARTIAL)] * 2) == h(*[WeighedOutcome(1.0, 0.0, PARTIAL)] * 50) == -0.25
    )


def test_reports_for_related_questions_settle_nothing():
    assert h(*[WeighedOutcome(0.5, 0.0, WORKED)] * 2) < 0.01
    assert h(*[WeighedOutcome(UNKNOWN_QUERY_K, 0.0, FAILED)] * 9) > -0.001


def test_always_partial_never_climbs():
    assert g(*[WeighedOutcome(1.0, 0.0, PARTIAL)] * 50) == 0.0


def test_the_same_outcome_from_a_question_at_cosine_07_counts_half():
    assert kernel(PLAIN, 0.7) == pytest.approx(0.5)
    assert kernel(PLAIN, 1.0) == 1.0


def test_questions_below_the_floor_say_nothing_about_each_other():
    assert kernel(PLAIN, 0.4) == kernel(PLAIN, 0.1) == kernel(PLAIN, -1.0) == 0.0
    assert kernel(PLAIN, 0.5, floor=0.5) == 0.0


def test_a_floor_of_one_lets_the_same_question_count_and_no_other():
    assert kernel(PLAIN, 1.0, floor=1.0) == pytest.approx(1.0)
    assert kernel(PLAIN, 0.9, floor=1.0) == 0.0


def test_a_cosine_a_hair_above_one_counts_as_one():
    assert kernel(PLAIN, 1.0000002) == 1.0


def test_an_outcome_counts_half_after_ninety_days():
    assert fading(PLAIN, 90.0) == pytest.approx(0.5)
    assert weighed([WeighedOutcome(1.0, 180.0, WORKED)]).worked == pytest.approx(0.25)


def test_an_event_from_the_future_counts_as_new():
    assert fading(PLAIN, -3.0) == 1.0


def test_an_outcome_for_an_unknown_question_counts_three_tenths():
    assert weighed([WeighedOutcome(UNKNOWN_QUERY_K, 0.0, FAILED)]).failed == 0.3


def test_without_vectors_likeness_is_the_root_of_the_cosine_of_the_words():
    idf = {"deploy": 2.0, "stage": 1.0, "test": 1.0}

    assert shared_words(["deploy", "stage"], ["stage", "deploy"], idf) == 1.0
    assert shared_words(["deploy"], ["test"], idf) == 0.0
    assert shared_words([], ["test"], idf) == 0.0
    assert shared_words(["deploy", "stage"], ["deploy", "test"], idf) == pytest.approx((4.0 / 5.0) ** 0.5)


@given(st.lists(events, max_size=20))
def test_g_stays_between_minus_one_and_one(given_events: list[WeighedOutcome]):
    assert -1.0 < g(*given_events) < 1.0


@given(st.lists(events, max_size=20), events)
def test_one_more_worked_never_lowers_g_and_one_more_failed_never_raises_it(
    given_events: list[WeighedOutcome], more: WeighedOutcome
):
    before = g(*given_events)

    assert g(*given_events, WeighedOutcome(more.k, more.age_days, WORKED)) >= before - 1e-15
    assert g(*given_events, WeighedOutcome(more.k, more.age_days, FAILED)) <= before + 1e-15


@given(st.lists(st.floats(min_value=-1.0, max_value=1.0), max_size=20))
def test_the_kernel_of_a_column_is_the_kernel_of_its_floats(cosines: list[float]):
    column = kernel(NUMPY, np.array(cosines, dtype=np.float64))

    assert column.tolist() == [kernel(PLAIN, cosine) for cosine in cosines]

"""The measures of a ranking, against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from bench.measures import average_precision, means, measures, precision_at

RANKING = ["x", "a", "y", "b", "z", "w", "c"]


def test_one_relevant_memory_in_second_place():
    assert measures(RANKING, {"a"}) == pytest.approx(
        {"any@1": 0, "any@5": 1, "all@5": 1, "rec@10": 1, "ndcg@10": 1 / math.log2(3), "mrr": 0.5}
    )


def test_three_relevant_memories_of_which_one_comes_late():
    found = 1 / math.log2(3) + 1 / math.log2(5) + 1 / math.log2(8)
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)

    of = measures(RANKING, {"a", "b", "c"})

    assert (of["any@5"], of["all@5"], of["rec@10"], of["mrr"]) == (1, 0, 1, 0.5)
    assert of["ndcg@10"] == pytest.approx(found / ideal)


def test_a_perfect_ranking_is_worth_one_and_an_empty_one_nothing():
    assert set(measures(["a", "b"], {"a", "b"}).values()) == {1.0}
    assert set(measures([], {"a"}).values()) == {0.0}


def test_more_relevant_memories_than_places_can_still_be_ideal():
    many = [f"m{number:02}" for number in range(15)]

    assert measures(many, many)["ndcg@10"] == pytest.approx(1.0)
    assert measures(many, many)["rec@10"] == pytest.approx(10 / 15)


def test_the_first_relevant_memory_counts_down_to_the_hundredth_place():
    others = [f"x{number}" for number in range(100)]

    assert measures([*others[:99], "a"], {"a"})["mrr"] == pytest.approx(0.01)
    assert measures([*others, "a"], {"a"})["mrr"] == 0.0


def test_every_question_counts_alike_in_a_mean():
    assert means([{"mrr": 1.0}, {"mrr": 0.25}]) == {"mrr": 0.625}
    assert means([]) == {}


def test_average_precision_counts_what_is_missing_as_nothing():
    assert average_precision(RANKING, {"a", "b"}) == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert average_precision(RANKING, {"a", "gone"}) == pytest.approx(1 / 4)
    assert average_precision([], {"a"}) == 0.0


def test_precision_divides_by_the_places_even_if_fewer_are_filled():
    assert precision_at(5, RANKING, {"a", "b", "c"}) == pytest.approx(2 / 5)
    assert precision_at(5, ["a"], {"a"}) == pytest.approx(1 / 5)

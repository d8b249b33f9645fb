"""How much of a question a text holds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.ranking.coverage import APART, STRETCH, QueryWords, idf

terms = st.lists(st.sampled_from("abcdef"), max_size=12)


def coverage(query, document, weights) -> float:
    return QueryWords.of(query, weights, known=0).both(document)[0]


def phrase(query, document, known: int) -> float:
    return QueryWords.of(query, dict.fromkeys(query, 1.0), known).both(document)[1]


def test_idf_is_the_written_formula():
    assert idf(100, 4) == pytest.approx(math.log(1 + (100 - 4 + 0.5) / (4 + 0.5)))


def test_a_term_nobody_uses_weighs_most_and_one_in_every_memory_almost_nothing():
    assert idf(100, 0) > idf(100, 1) > idf(100, 100) > 0.0


def test_a_count_that_ran_ahead_of_the_total_never_makes_idf_negative():
    assert idf(10, 500) == 0.0


def test_coverage_is_the_share_of_idf_that_was_found():
    weights = {"wal": 3.0, "deadlock": 4.0, "fix": 1.0}

    assert coverage(["wal", "deadlock", "fix"], ["fix", "the", "deadlock", "fix"], weights) == 5.0 / 8.0


def test_a_repeated_query_term_counts_once():
    assert coverage(["a", "a", "b"], ["a"], {"a": 1.0, "b": 1.0}) == 0.5


def test_nothing_asked_or_nothing_telling_covers_nothing():
    assert coverage([], ["a"], {}) == 0.0
    assert coverage(["a"], ["a"], {"a": 0.0}) == 0.0


def test_words_that_are_neighbours_in_both_make_a_phrase():
    query = ["connection", "reset", "error"]

    assert phrase(query, ["the", "connection", "reset", "again"], known=3) == 0.5
    assert phrase(query, ["connection", "reset", "error"], known=3) == 1.0


def test_a_phrase_keeps_its_direction():
    assert phrase(["connection", "reset"], ["reset", "connection"], known=2) == 0.0


def test_a_pair_counts_once_however_often_it_occurs():
    assert phrase(["a", "b", "c"], ["a", "b", "a", "b"], known=3) == 0.5


def test_query_terms_the_store_does_not_know_shorten_the_full_phrase():
    assert phrase(["a", "b", "zzz"], ["a", "b"], known=2) == 1.0


def test_one_term_makes_no_phrase():
    assert phrase(["a"], ["a", "a"], known=1) == 0.0


def test_hashes_serve_as_terms():
    assert coverage([11, 22], [22], {11: 1.0, 22: 3.0}) == 0.75
    assert phrase([11, 22], [11, 22], known=2) == 1.0


@given(terms, terms)
def test_both_shares_stay_between_zero_and_one(query: list[str], document: list[str]):
    weights = {term: 1.0 + ord(term) / 7.0 for term in query}

    assert 0.0 <= coverage(query, document, weights) <= 1.0
    assert 0.0 <= phrase(query, document, len(set(query))) <= 1.0


@given(terms.filter(bool), terms)
def test_a_text_that_holds_the_question_is_fully_covered(query: list[str], more: list[str]):
    weights = {term: 1.0 + ord(term) / 7.0 for term in query}

    assert coverage(query, [*more, *query], weights) == 1.0


def both(query: list[str], document: list[str], labels: tuple[str, ...] = ()) -> float:
    return QueryWords.of(query, dict.fromkeys(query, 1.0), len(query)).both(document, labels)[0]


def test_words_that_stand_close_together_count_more_than_scattered_ones():
    together = ["a", "b", *["-"] * 40]
    scattered = ["a", *["-"] * 40, "b"]

    assert both(["a", "b"], together) == 1.0
    assert both(["a", "b"], scattered) == 0.5 + APART * 0.5


def test_the_best_stretch_is_the_one_that_is_worth_most():
    weights = {"a": 1.0, "b": 1.0, "rare": 4.0}
    document = ["a", "b", *["-"] * 40, "rare", "a"]

    assert QueryWords.of(["a", "b", "rare"], weights, 3).both(document)[0] == pytest.approx(
        (5.0 + APART) / 6.0
    )


def test_a_word_that_comes_again_counts_where_it_stands_with_the_others():
    document = ["a", *["-"] * 40, "a", "b", *["-"] * 40, "b"]

    assert both(["a", "b"], document) == 1.0


def test_a_text_no_longer_than_a_stretch_has_nothing_scattered():
    assert both(["a", "b"], ["a", *["-"] * (STRETCH - 2), "b"]) == 1.0
    assert both(["a", "b"], ["a", *["-"] * (STRETCH - 1), "b"]) < 1.0


def test_a_label_stands_beside_every_word():
    document = ["a", *["-"] * 40, "b"]

    assert both(["a", "b", "c"], document, ("c",)) == pytest.approx((2.0 + APART) / 3.0)

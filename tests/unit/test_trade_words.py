"""Abbreviations, typing errors and other words for the same thing."""

from __future__ import annotations

import pytest

from memory_layer.text.near_words import distance, near_words
from memory_layer.text.trade_words import related, short_forms
from memory_layer.text.words import spelled_out, terms


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("k8s", "kubernetes"),
        ("db", "database"),
        ("repo", "repository"),
        ("stg", "staging"),
        ("env", "environment"),
    ],
)
def test_an_abbreviation_and_its_word_stand_for_each_other(short, long):
    (word,) = terms(long)

    assert word in short_forms(short)
    assert short in short_forms(word)


def test_people_say_the_same_thing_in_other_words():
    assert set(terms("rollout release")) <= set(related(*terms("deploy")))
    assert terms("never")[0] in related(*terms("forbidden"))


def test_an_ordinary_word_has_no_other_forms():
    assert related("giraff") == short_forms("giraff") == ()


@pytest.mark.parametrize(
    ("one", "other", "errors"),
    [
        ("tiemout", "timeout", 1),
        ("ab", "ba", 1),
        ("", "a", 1),
        ("timeout", "timeout", 0),
        ("kitten", "sitting", 3),
    ],
)
def test_typing_errors_are_counted(one, other, errors):
    assert distance(one, other, 3) == distance(other, one, 3) == errors
    assert distance(one, other, 2) == min(errors, 3)


def test_an_unknown_word_is_completed_before_it_is_corrected():
    known = [("idempot", 3), ("idea", 9), ("timeout", 4), ("timer", 8)]

    assert near_words("idemp", known, 5) == ["idempot"]
    assert near_words("tiemout", known, 5) == ["timeout"]
    assert near_words("giraff", known, 5) == []


def test_a_short_word_is_not_corrected():
    known = [("agent", 3), ("agenda", 2)]

    assert near_words("agnt", known, 5) == []
    assert near_words("agnt", known, 4) == ["agent"]


@pytest.mark.parametrize(
    "text",
    [
        "Our Recovery Point Objective (RPO) is one hour",
        "RPO (recovery point objective) is one hour",
        "RPO = recovery point objective",
        "RPO stands for recovery point objective",
    ],
)
def test_an_abbreviation_is_spelled_out_by_the_text_that_defines_it(text):
    assert spelled_out(text, "RPO").lower() == "recovery point objective"


def test_a_text_that_only_uses_an_abbreviation_defines_nothing():
    assert spelled_out("The RPO (see the wiki) is one hour", "RPO") == ""

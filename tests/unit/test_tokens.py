"""The estimate of tokens, beside what real tokenizers counted."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.text.tokens import estimate

KNOWN = json.loads((Path(__file__).parents[1] / "golden" / "tokens.json").read_text(encoding="utf-8"))
TEXTS = KNOWN["texts"]
GROUPS = {
    "english": ("english",),
    "code": ("python", "typescript", "rust", "go", "sql", "shell"),
    "what programs write": ("json", "log", "paths", "markdown"),
    "latin": ("german", "french", "spanish", "polish", "turkish"),
    "other scripts": ("russian ukrainian greek arabic hebrew hindi thai chinese japanese korean".split()),
}


def share(each):
    return estimate(each["text"]) / each["tokens"]["o200k_base"]


@pytest.mark.parametrize("each", TEXTS, ids=lambda each: each["class"])
def test_no_text_is_estimated_more_than_a_tenth_under_what_it_has(each):
    assert share(each) >= 0.9


@pytest.mark.parametrize(("group", "classes"), GROUPS.items(), ids=GROUPS)
def test_a_kind_of_text_is_met_closely_on_average(group, classes):
    shares = [share(each) for each in TEXTS if each["class"] in classes]

    # These are short, and the margin for what is not known exactly weighs most on short texts in other languages.
    assert 0.85 <= mean(shares) <= (1.25 if group in ("latin", "other scripts") else 1.15)


def test_every_class_belongs_to_a_group():
    assert {each["class"] for each in TEXTS} == {name for classes in GROUPS.values() for name in classes}


@pytest.mark.parametrize(
    ("text", "most"),
    [("", 0), (" \n\t ", 4), ("1", 1), ("a" * 100_000, 100_000), ("\U0001f600" * 1000, 4000)],
    ids=["empty", "blank", "one digit", "one long word", "emoji"],
)
def test_strange_texts_cost_something_sensible(text, most):
    assert 0 <= estimate(text) <= most


def test_a_word_costs_the_same_at_every_place():
    assert estimate("deploy") * 1000 >= estimate(" ".join(["deploy"] * 1000)) >= 900


def test_text_in_no_words_is_dear():
    key = "MIIEpAIBAAKCAQEA4ej0p7bQ7Lr4rVGUz9RN4VQWoej1Bg1mYWIDYslvKrk1gpj7wZgkdmM7oVK2OfgrSjFCTkInKPqa"

    assert estimate(key) > len(key) / 3


@effort(max_examples=300)
@given(st.text(max_size=60))
def test_every_text_has_an_estimate(text):
    assert 0 <= estimate(text) <= 4 * len(text)


@pytest.mark.parametrize("sign", ["ª", "º", "µ", "ß", "ſ", "İ", "ŉ", "ǅ", "K"])
def test_letters_that_look_latin_and_are_in_no_table_have_one_too(sign):
    assert estimate(sign) >= 1

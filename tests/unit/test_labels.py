"""Labels: which words are tags, which are metadata, and what a value becomes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.rules.drafts import coerced, split


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("42", 42),
        ("-7", -7),
        ("0.5", 0.5),
        ("3.12", 3.12),
        ("kafka", "kafka"),
        ("", ""),
        ("007", "007"),
        ("1.10", "1.10"),
        ("+1", "+1"),
        ("1_000", "1_000"),
        ("٣", "٣"),
        ("nan", "nan"),
        ("inf", "inf"),
        ("-0", "-0"),
        ("9223372036854775808", "9223372036854775808"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_a_value_becomes_what_it_exactly_is(text, value):
    result = coerced(text)

    assert (result, type(result)) == (value, type(value))


@given(st.text())
def test_no_text_loses_anything_by_being_coerced(text):
    value = coerced(text)

    assert str(value) == text or str(value).lower() == text.lower()
    assert json.loads(json.dumps(value, allow_nan=False)) == value


@given(st.integers(-(2**63), 2**63 - 1))
def test_every_whole_number_of_64_bits_is_a_number(number):
    assert coerced(str(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_fraction_as_programs_write_it_is_a_number(number):
    value = coerced(repr(number))

    assert value == number
    assert isinstance(value, float)


@given(
    st.dictionaries(
        st.text(min_size=1).filter(lambda key: "=" not in key and key == key.strip()), st.text(), max_size=5
    )
)
def test_pairs_are_split_at_the_first_sign(pairs):
    assert split([f"{key}={value}" for key, value in pairs.items()]) == ((), pairs)


def test_bare_words_are_tags():
    assert split(["backend", "topic=a=b", " urgent "]) == (("backend", "urgent"), {"topic": "a=b"})


@pytest.mark.parametrize("word", ["=value", "", " ", " =x"])
def test_a_word_that_names_nothing_is_refused(word):
    with pytest.raises(InvalidInput, match="neither a tag nor key=value"):
        split([word])

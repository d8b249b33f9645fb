"""A place in a list is read back as it was written, and nothing else is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.model.query import place, values_at

NUMBERS = st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(-(2.0**62), 2.0**62)


@given(NUMBERS, st.text(), st.none() | st.text())
def test_a_place_is_read_back_as_it_was_written(number, text, perhaps):
    written = place([number, text, perhaps])

    assert values_at(written, (int, float), str, (str, type(None))) == [number, text, perhaps]


@pytest.mark.parametrize(
    "values",
    [[], [1], [1, 2, 3], ["1", 2], [1, "2"], [1, None], [True, 2], [1, 2.5], [1, 2**63], [-(2**63), 1]],
    ids=str,
)
def test_a_place_of_another_list_is_refused(values):
    with pytest.raises(InvalidInput, match="is not a cursor of this list"):
        values_at(place(values), (int, float), int)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_cannot_be_asked_for_is_refused(number):
    with pytest.raises(InvalidInput, match="is not a cursor of this list"):
        values_at(place([number]), float)


@pytest.mark.parametrize("text", ["", "nonsense", "é", "eyJhIjoxfQ", "W1tbW1tbW1tb", "====", "a" * 10_000])
def test_any_other_text_is_no_place(text):
    with pytest.raises(InvalidInput, match="is not a cursor of this list"):
        values_at(text, int)

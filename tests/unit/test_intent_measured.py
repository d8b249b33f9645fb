"""How well intents are detected on questions nobody tuned the rules on, and on those they were tuned on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory_layer.rules.intent import intent
from tests.intents import DEVELOPMENT, HELD_OUT, Labelled

HALVES = [pytest.param(DEVELOPMENT, id="development"), pytest.param(HELD_OUT, id="held out")]


def guessed(labelled: Sequence[Labelled]) -> list[Labelled]:
    return [each for each in labelled if intent(each.query) is not None]


@pytest.mark.parametrize("half", HALVES)
def test_a_guess_is_nearly_always_right(half):
    """A wrong boost puts the wrong memory first; a missing one leaves the order as it was."""
    wrong = [each for each in guessed(half) if intent(each.query) is not each.category]

    assert len(wrong) <= 0.03 * len(guessed(half)), wrong


@pytest.mark.parametrize("half", HALVES)
def test_most_questions_that_ask_for_a_category_are_understood(half):
    asking = [each for each in half if each.category is not None]
    understood = [each for each in asking if intent(each.query) is each.category]

    assert len(understood) >= 0.75 * len(asking)


def test_the_halves_are_large_varied_and_apart():
    queries = [each.query for each in (*DEVELOPMENT, *HELD_OUT)]

    assert len(set(queries)) == len(queries) >= 200
    assert {each.category for each in DEVELOPMENT} == {each.category for each in HELD_OUT}
    assert all(sum(each.category is None for each in half) >= 30 for half in (DEVELOPMENT, HELD_OUT))

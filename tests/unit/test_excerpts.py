"""The telling sentence of a long memory."""

from __future__ import annotations

import pytest

from memory_layer.rules import excerpts
from memory_layer.rules.excerpts import excerpt, telling

LONG = (
    "The harbour office opens at six and closes at nine in the evening on every day of the week. "
    "Cranes are serviced on Mondays. Ferries moor at the northern quay, never at the southern one."
)


def shown(text: str, *wanted: str) -> str:
    part = telling(text, wanted)
    return text if part is None else excerpt(text, *part)


def test_a_short_text_and_a_single_sentence_stay_whole():
    assert telling("The port is 8081. It moved.", ()) is None
    assert telling("word " * 100, ("word",)) is None


def test_without_a_task_the_first_sentence_tells_and_what_follows_it_if_that_fits():
    assert shown(LONG) == (
        "The harbour office opens at six and closes at nine in the evening on every day of the week. ..."
    )
    assert shown("Never push to main. Ask Ada. " + "X" * 120 + ".").startswith(
        "Never push to main. Ask Ada. ..."
    )


def test_with_a_task_the_sentence_that_shares_most_words_with_it_tells():
    assert shown(LONG, "ferri", "quai") == (
        "... Ferries moor at the northern quay, never at the southern one."
    )
    assert shown(LONG, "crane") == (
        "... Cranes are serviced on Mondays. Ferries moor at the northern quay, never at the southern one."
    )


@pytest.mark.parametrize("words", [("nothing", "here"), ()])
def test_of_equals_the_first_tells(words):
    assert shown(LONG, *words).startswith("The harbour office")


def test_a_text_of_full_length_costs_no_more_than_its_beginning(monkeypatch):
    read: list[str] = []

    def note(text: str) -> frozenset[str]:
        read.append(text)
        return frozenset()

    monkeypatch.setattr(excerpts, "content_words", note)

    def sentences_read(characters: int) -> int:
        read.clear()
        telling(("Cranes are serviced on Mondays. " * 4096)[:characters], ("crane",))
        return len(read)

    assert 0 < sentences_read(10_000) == sentences_read(65_536)

"""Failures are put together without comparing each with each."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from memory_layer.model.upkeep import Failure
from memory_layer.rules import upkeep

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def test_long_texts_that_share_many_words_are_compared_with_a_few(monkeypatch):
    compared = []

    def never(*both):
        compared.append(both)
        return False

    monkeypatch.setattr(upkeep, "_alike", never)
    words = [f"{one}{other}" for one in "bcdfghklmnprstvz" for other in ("ako", "eri", "olu", "usta", "inka")]
    texts = [" ".join(Random(number).sample(words, 60)) for number in range(250)]

    upkeep.recurring([Failure(str(at), text, None, NOON, ()) for at, text in enumerate(texts)], 3, NOON)

    assert 10_000 < len(compared) <= len(texts) * upkeep._COMPARED


def test_a_long_text_told_again_with_a_word_changed_is_still_one():
    words = [f"{one}{other}" for one in "bcdfghklmnprstvz" for other in ("ako", "eri", "olu", "usta", "inka")]
    strangers = [" ".join(Random(number).sample(words, 30)) for number in range(100)]
    same = [" ".join([*words[:40], words[40 + number]]) for number in range(3)]
    told = [Failure(str(at), text, None, NOON, ()) for at, text in enumerate([*strangers, *same])]

    assert [each.times for each in upkeep.recurring(told, 3, NOON)] == [3]

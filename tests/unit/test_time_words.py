"""The days a question names in words."""

from __future__ import annotations

from datetime import date

import pytest

from memory_layer.text.time_words import time_window

TODAY = date(2026, 11, 17)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what did we do yesterday", "2026-11-16", "2026-11-16"),
        ("the day before yesterday", "2026-11-15", "2026-11-15"),
        ("what changed today?", "2026-11-17", "2026-11-17"),
        ("what did we change last week", "2026-11-09", "2026-11-15"),
        ("what happened last month", "2026-10-01", "2026-10-31"),
        ("in the last two weeks", "2026-11-03", "2026-11-17"),
        ("three days ago", "2026-11-14", "2026-11-14"),
        ("any outages in August?", "2026-08-01", "2026-08-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("in March 2025", "2025-03-01", "2025-03-31"),
        ("since March", "2026-03-01", "2026-11-17"),
        ("after last thursday's rollout", "2026-11-12", "2026-11-17"),
        ("that friday in june", "2026-06-01", "2026-06-30"),
        ("what broke on 3 May", "2026-05-03", "2026-05-03"),
        ("what broke on 2026-02-01", "2026-02-01", "2026-02-01"),
        ("the incidents this autumn", "2026-09-01", "2026-11-17"),
    ],
)
def test_days_in_words_are_read(text, first, last):
    window = time_window(text, TODAY)

    assert window is not None
    assert (window.first, window.last) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "May I rename this?",
        "use march=native for the build",
        "since when does it run on its own cluster",
        "what is the last step",
        "this is the second try",
        "31 February",
        "before 0001-01-01",
        "deploy on 9999-12-31",
        "\u017fix days ago deploy",
        "x" * 2_000 + " yesterday",
    ],
)
def test_other_questions_name_no_days(text):
    assert time_window(text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("what did we decide yesterday about retries?", "what did we decide about retries?"),
        ("the freeze of 2 October 2026", "the freeze of 2 October 2026"),
        ("yesterday", "yesterday"),
    ],
)
def test_words_for_days_are_not_looked_for_in_texts_but_dates_are(text, rest):
    window = time_window(text, TODAY)

    assert window is not None
    assert window.rest == rest

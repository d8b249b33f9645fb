"""Text for people, and moments as people write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.doors import wire
from memory_layer.doors.cli import render
from memory_layer.errors import InvalidInput
from memory_layer.verbs import request

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@given(st.text())
def test_no_text_can_steer_a_terminal(text):
    shown = render.visible(text)

    assert all(char.isprintable() or char in "\n\t " or char.isspace() for char in shown if ord(char) < 0xA0)
    assert not set(shown) & set("\x1b\x9b\r\x07\u202e\u2066")
    shown.encode()


@given(st.text(st.characters(codec="utf-8")))
def test_json_is_safe_to_print_and_loses_nothing(text):
    import json

    written = wire.text({"content": text})

    assert json.loads(written) == {"content": text}
    assert not set(written) & set("\x1b\x9b\x7f\u202e\u2066")


@pytest.mark.parametrize(
    "hidden",
    [
        "\U000e006f\U000e0062",
        "x\u200d",
        "x\ufe0f",
        "\U0001f600\ufe0f\ufe0e",
        "x\U000e0120",
        "\u3164",
        "\u2062",
        "\xad",
    ],
    ids=ascii,
)
def test_nothing_in_a_text_is_hidden_from_who_reviews_it(hidden):
    assert hidden[-1] not in render.visible(f"Push {hidden}")
    assert ascii(hidden[-1])[1:-1] in render.visible(f"Push {hidden}")


@pytest.mark.parametrize("text", ["👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3", "می\u200cخواهم", "葛\U000e0100", "née"])
def test_pictures_and_letters_keep_the_joiners_that_they_need(text):
    assert render.visible(text) == text


def test_line_breaks_stay():
    assert render.visible("one\r\ntwo\tthree") == "one\ntwo\tthree"


def test_a_short_id_has_eight_characters_or_as_many_as_it_takes():
    alike = ["mem_abcdefghij", "mem_abcdefghik", "mem_zzzzzzzzzz"]

    assert render.short_ids(alike) == {
        "mem_abcdefghij": "mem_abcdefghij",
        "mem_abcdefghik": "mem_abcdefghik",
        "mem_zzzzzzzzzz": "mem_zzzzzzzz",
    }


@pytest.mark.parametrize(
    ("span", "words"),
    [
        ({"seconds": 20}, "just now"),
        ({"minutes": 5}, "5 min ago"),
        ({"hours": 1}, "1 hour ago"),
        ({"days": 2}, "2 days ago"),
        ({"days": 15}, "2 weeks ago"),
        ({"days": 70}, "2 months ago"),
        ({"days": 800}, "2 years ago"),
        ({"days": -1}, "just now"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(span, words):
    assert render.age(NOON - timedelta(**span), NOON) == words


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("7d", NOON - timedelta(days=7)),
        ("2 W", NOON - timedelta(weeks=2)),
        ("12h", NOON - timedelta(hours=12)),
        ("2026-02-05", datetime(2026, 2, 5, tzinfo=UTC)),
        ("2026-02-05T10:00:00+02:00", datetime(2026, 2, 5, 8, tzinfo=UTC)),
        ("2026-02-05T10:00:00Z", datetime(2026, 2, 5, 10, tzinfo=UTC)),
    ],
)
def test_a_moment_is_a_span_or_a_date(text, moment):
    assert request.past(text, NOON) == moment


def test_a_span_ahead_lies_in_the_future():
    assert request.future("1w", NOON) == NOON + timedelta(weeks=1)


@pytest.mark.parametrize("text", ["", "soon", "d", "-7d", "999999y", "2026-13-01", "7 moons"])
def test_anything_else_is_refused(text):
    with pytest.raises(InvalidInput, match="is not a time"):
        request.past(text, NOON)


@given(st.text())
def test_a_finished_answer_keeps_its_own_colours_and_nothing_else(text):
    shown = render.harmless(click.style("mem_abc", fg="cyan") + text)

    assert shown.startswith("\x1b[36mmem_abc\x1b[0m")
    assert not set(re.sub(r"\x1b\[(?:[012]|3[1-6])m", "", shown)) & set("\x1b\x9b\r\x07\u202e\u2066")


def test_a_colour_that_hides_is_not_let_through():
    assert render.harmless("\x1b[8mhidden") == "\\x1b[8mhidden"


@given(st.text())
def test_a_short_field_stays_on_its_line(text):
    assert len(render.field(text).splitlines()) <= 1


def test_an_error_is_cut_where_it_quotes_and_nowhere_else():
    path = "/home/anna/" + "folder/" * 20

    assert render.brief(f"the project's file {path} isn't there") == f"the project's file {path} isn't there"
    assert render.brief(f"there is no {'x' * 500!r} here") == f"there is no '{'x' * 80}…' here"

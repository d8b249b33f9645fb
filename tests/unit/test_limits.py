"""What may be stored, how much it weighs, and what merging makes of two."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Citation, Draft, Memory
from memory_layer.model.vocabulary import Category, MergeText, Priority
from memory_layer.rules import limits
from memory_layer.rules.drafts import redacted_draft
from memory_layer.rules.merge import chosen_text, merged
from memory_layer.text import tokens
from tests.conftest import NOON
from tests.unit.test_lifecycle import ADA


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        (Draft(content=" "), "empty"),
        (Draft(content="x" * 65_537), "65,536"),
        (Draft(content="a\0b"), "NUL"),
        (Draft(content="\udcff"), "UTF-8"),
        (Draft(content="x", tags=tuple("abcdefghijklmnopqrstuvwxyzABCDEFG")), "32"),
        (Draft(content="x", tags=("t" * 101,)), "100"),
        (Draft(content="x", scope=("s",) * 33), "32"),
        (Draft(content="x", citations=(Citation(url="https://a"),) * 33), "32"),
        (Draft(content="x", metadata={"k": "v" * 20_000}), "16,384"),
        (Draft(content="x", metadata={"k": {1, 2}}), "JSON"),
        (Draft(content="x", metadata={"k": "\ud800"}), "UTF-8"),
        (Draft(content="x", metadata={"k": [{"a\0b": 1}]}), "NUL"),
        (Draft(content="x", metadata={"k": "\0"}), "NUL"),
        (Draft(content="x", session=""), "session"),
        (Draft(content="x", metadata={"a": 1, 2: "b"}), "JSON"),  # type: ignore[dict-item]
        (Draft(content="x", expires_at=NOON.replace(tzinfo=None)), "time zone"),
        (Draft(content="x", relevance=2.0), "between 0 and 1"),
    ],
)
def test_a_draft_over_a_limit_gets_a_sentence_that_names_it(draft, named):
    with pytest.raises(InvalidInput, match=named):
        limits.check_draft(draft)


def test_what_fits_exactly_is_allowed():
    limits.check_draft(Draft(content="x" * 65_536, tags=("t" * 100,) * 32, metadata={"k": r"\\u0000 \u0001"}))


def test_only_a_long_text_gets_a_hint():
    assert limits.hint("x" * 2_000) is None
    assert "one fact" in (limits.hint("x" * 2_001) or "")


@given(st.text())
def test_tokens_are_never_negative_and_never_more_than_the_bytes(text):
    assert 0 <= tokens.estimate(text) <= (len(text) if text.isascii() else 4 * len(text))


@given(st.text(), st.text())
def test_two_texts_apart_cost_what_each_costs(one, two):
    apart = tokens.estimate(f"{one}\n{two}")

    assert apart >= max(tokens.estimate(one), tokens.estimate(two))


def test_prose_costs_about_one_token_a_word():
    text = "The retry limit is three because the queue fills up when more workers wait for the same lock."

    assert 15 <= tokens.estimate(text) <= 25


def a_memory(content, **fields):
    return Memory(id="mem_a", content=content, content_hash="00", created_at=NOON, updated_at=NOON, **fields)


def test_a_merge_by_default_keeps_the_text_that_says_more():
    short, long = "use snake_case", "always use snake_case for Python functions"

    assert chosen_text(short, long, MergeText.FULLER) == long
    assert chosen_text(long, short, MergeText.FULLER) == long
    assert chosen_text(long, short, MergeText.NEW) == short
    assert chosen_text(short, long, MergeText.KNOWN) == short


def test_a_merge_takes_the_stronger_priority_and_the_more_telling_category():
    known = a_memory("use snake_case", priority=Priority.NORMAL)
    new = a_memory("use snake_case please", priority=Priority.HIGH, category=Category.CONVENTION)
    result = merged(known, new, MergeText.KNOWN, ADA, NOON)

    assert result.priority is Priority.HIGH
    assert result.category is Category.CONVENTION
    assert result.reinforcement_count == 2


def test_secrets_leave_every_part_of_a_draft():
    token = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
    draft = Draft(
        content=f"x {token}",
        tags=(token,),
        scope=(token,),
        metadata={"deep": [{"x": token}]},
        session=token,
        source_run_id=token,
        citations=(Citation(path=f"a/{token}", excerpt=token), Citation(url=f"https://e.com/{token}")),
    )
    clean, kinds = redacted_draft(draft)

    assert token not in repr(clean)
    assert len(kinds) == 1


@pytest.mark.parametrize(("year", "hours"), [(1, 14), (9999, -14)])
def test_a_time_outside_all_years_is_refused(year, hours):
    zone = timezone(timedelta(hours=hours))
    moment = datetime(1, 1, 1, tzinfo=zone) if year == 1 else datetime(9999, 12, 31, 23, tzinfo=zone)

    with pytest.raises(InvalidInput, match="years 1 to 9999"):
        limits.check_draft(Draft(content="x", created_at=moment))

"""What a consolidation may do by itself, as rules over values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_layer.model.memory import Memory
from memory_layer.model.upkeep import ConsolidationMark, Failure
from memory_layer.model.vocabulary import Category, Priority, WriterKind
from memory_layer.rules import upkeep, weekly
from memory_layer.rules.upkeep import recurring, signature
from tests.fresh_pairs import FRESH_CORRECTIONS
from tests.pairs import CORRECTIONS, PARALLEL, REVERSALS

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def memory(content="x", number=1, **more):
    at = NOW + timedelta(minutes=number)
    return Memory(id=f"mem_{number}", content=content, content_hash="", created_at=at, updated_at=at, **more)


def failure(number, text, days=0, project=None):
    return Failure(f"out_{number}", text, project, NOW + timedelta(days=days), (f"mem_{number}",))


@pytest.mark.parametrize("pair", [*CORRECTIONS, *FRESH_CORRECTIONS, *PARALLEL])
def test_no_correction_is_merged_however_close_the_vectors_lie(pair):
    known, new = memory(pair[0], 1), memory(pair[1], 2)
    nearly = upkeep.nearly_the_same(known, new, 0.999, 0.92)
    assert not (nearly and upkeep.surely_the_same(known, new, 0.999))


def test_other_words_are_not_surely_the_same_however_close():
    one, other = memory("Run the linter before pushing"), memory("Lint the code ahead of every push", 2)
    assert not upkeep.surely_the_same(one, other, 0.99)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("`Tools` - custom tools of the client ([]Tool)", "`tools` - custom tools of the client (Tool[])"),
        ("Bind `(click)` on the button of the form", "Bind `@click` on the button of the form"),
        ("Call parse_header before the body is read", "Call parseHeader before the body is read"),
    ],
)
def test_other_code_is_not_surely_the_same_however_alike_its_words(one, other):
    assert not upkeep.surely_the_same(memory(one), memory(other, 2), 0.999)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *REVERSALS,
        ("In CI use ruff for linting", "Use ruff for linting in CI"),
        ("You may deploy on a Friday", "You must deploy on a Friday"),
    ],
)
def test_words_in_another_order_are_not_surely_the_same_however_close(one, other):
    assert not upkeep.surely_the_same(memory(one), memory(other, 2), 0.999)


def test_a_text_with_a_few_words_more_in_the_same_order_is_surely_the_same():
    text = "Check tide table, crane lights, pier gates, rope stock, radio batteries before every release"
    longer = text.replace("release", "public release")
    assert upkeep.surely_the_same(memory(text), memory(longer, 2), 0.999)


def test_the_same_words_are_surely_the_same_only_above_the_threshold():
    one, other = memory("Always run the linter"), memory("Run always the linter", 2)
    assert upkeep.surely_the_same(one, other, 0.96)
    assert not upkeep.surely_the_same(one, other, upkeep.MERGED_ABOVE)
    assert not upkeep.surely_the_same(one, other._replace(project="pier"), 0.96)


@pytest.mark.parametrize(
    ("stays", "goes"),
    [
        ({"writer_kind": WriterKind.PERSON}, {}),
        ({}, {"project": "pier"}),
        ({}, {"scope": ("src/**",)}),
        ({}, {"expires_at": NOW}),
        ({}, {"confidence": 0.2}),
        ({"content": "a longer text that says more"}, {"content": "a text"}),
    ],
)
def test_the_one_that_stays_is_guarded_or_reaches_farther_or_says_more(stays, goes):
    newer, older = memory(number=2, **{"content": "x"} | stays), memory(number=1, **{"content": "x"} | goes)
    assert upkeep.in_order(newer, older) == upkeep.in_order(older, newer) == (newer, older)


def test_between_equals_the_older_one_stays():
    assert upkeep.in_order(memory(number=2), memory(number=1))[0].id == "mem_1"


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ({}, {"approved_by": "ada"}),
        ({}, {"writer_kind": WriterKind.PERSON}),
        ({}, {"priority": Priority.CRITICAL}),
        ({}, {"category": Category.POLICY}),
        ({"scope": ("src/**",)}, {}),
        ({"expires_at": NOW}, {}),
    ],
)
def test_nothing_takes_over_what_is_guarded_or_reaches_farther(known, other):
    assert not upkeep.may_take_over(memory(**known), memory(**other))
    assert upkeep.may_take_over(memory(), memory())


@pytest.mark.parametrize(
    ("mark", "due"),
    [
        (ConsolidationMark(), True),
        (ConsolidationMark(finished=NOW - timedelta(days=6, hours=23)), False),
        (ConsolidationMark(finished=NOW - timedelta(days=7)), True),
        (ConsolidationMark(begun=NOW - timedelta(minutes=59)), False),
        (ConsolidationMark(begun=NOW - timedelta(minutes=61)), True),
        (ConsolidationMark(begun=NOW - timedelta(minutes=5), finished=NOW - timedelta(days=8)), False),
        (ConsolidationMark(begun=NOW - timedelta(minutes=5), finished=NOW - timedelta(minutes=1)), False),
        (ConsolidationMark(begun=NOW + timedelta(milliseconds=5)), False),  # somebody was faster by a moment
        (ConsolidationMark(finished=NOW + timedelta(days=400)), True),  # written by a clock that ran ahead
        (ConsolidationMark(begun=NOW + timedelta(days=400)), True),
    ],
)
def test_it_is_due_after_a_week_unless_somebody_is_at_it(mark, due):
    assert weekly.is_due(mark, NOW) is due


def test_a_failure_is_known_by_its_words_and_not_by_its_numbers():
    one, other = (f"Error {number}: tide table 0x{number}f has no entry at 12:0{number}" for number in (1, 2))
    assert signature(one) == signature(other)


def test_failures_told_a_little_differently_are_one():
    told = [
        failure(1, "AssertionError the tide table has no entry for the northern pier"),
        failure(2, "AssertionError the tide table has no entry for the northern pier today", 1),
        failure(3, "the tide table has no entry for the northern pier (AssertionError)", 2),
        failure(4, "Connection refused by the lighthouse", 2),
    ]
    (found,) = recurring(told, 3, NOW)
    assert (found.times, sorted(found.ids)) == (3, ["out_1", "out_2", "out_3"])
    assert found.text == told[0].text


def test_what_recurs_does_not_depend_on_the_order_of_the_log():
    told = [failure(number, f"step {number} of the ferry pipeline timed out", number) for number in range(5)]
    assert recurring(told, 3, NOW) == recurring(told[::-1], 3, NOW)


def test_thousands_of_failures_that_share_common_words_are_told_apart():
    words = [f"word{chr(97 + at % 26)}{chr(97 + at // 26 % 26)}{chr(97 + at // 676)}x" for at in range(3000)]
    told = [
        failure(at, f"the pipeline broke while {word} and {words[-at]} ran", at % 30)
        for at, word in enumerate(words)
    ]
    assert recurring(told, 3, NOW) == []

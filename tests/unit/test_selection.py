"""Which memories a run is given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.model.context import Present, Warrant
from memory_layer.model.runs import RunTask
from memory_layer.model.vocabulary import Category, Priority, Status
from memory_layer.rules.runs import chosen

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
TASK = RunTask("make the engine faster", write_scope=("src/core/**",))


def memory(name, confidence=1.0, relevance=1.0, **more):
    values = {"warrant": Warrant(here=True), **more}
    of_today = (Category.GENERAL, Priority.NORMAL, 1, NOW, NOW)
    return Present(f"mem_{name}", *of_today, confidence=confidence, relevance=relevance, **values)


def names(memories, task=TASK):
    return [each.id.removeprefix("mem_") for each in chosen(memories, task, NOW)]


@pytest.mark.parametrize("status", [Status.STAGED, Status.ARCHIVED])
def test_only_active_memories_are_given(status):
    assert names([memory("a", status=status), memory("b")]) == ["b"]


def test_only_memories_that_expire_in_the_future_or_never_are_given():
    past, future = (NOW + timedelta(seconds=shift) for shift in (0, 1))

    assert names([memory("a", expires_at=past), memory("b", expires_at=future), memory("c")]) == ["b", "c"]


def test_memories_of_less_than_0_3_confidence_are_left_out():
    assert names([memory("a", 0.29), memory("b", 0.3)]) == ["b"]


def test_memories_whose_scope_or_tags_fit_the_write_scope_come_first():
    found = names(
        [
            memory("a", 1.0),
            memory("b", 0.3, tags=("src/core/**", "testing")),
            memory("c", 0.4, scope=("src/**",)),
            memory("d", 0.9, scope=("docs/**",)),
        ]
    )

    assert found == ["c", "b", "a", "d"]


def test_the_rest_goes_by_confidence_times_relevance():
    assert names([memory("a", 0.5, 0.5), memory("b", 0.4, 0.9), memory("c", 1.0, 0.2)]) == ["b", "a", "c"]


def test_ties_go_by_id():
    assert names([memory("c"), memory("a"), memory("b", 0.5, 1.0), memory("ab", 1.0, 0.5)]) == [
        "a",
        "c",
        "ab",
        "b",
    ]


def test_at_most_10_are_given_unless_said_otherwise():
    many = [memory(f"{number:02}") for number in range(30)]

    assert len(names(many)) == 10
    assert names(many, TASK._replace(most=2)) == ["00", "01"]


def test_what_is_included_comes_in_any_case_and_keeps_its_place():
    doubtful, old = memory("z", 0.1), memory("y", expires_at=NOW - timedelta(days=1))
    many = [memory(f"{number:02}") for number in range(12)]
    task = TASK._replace(include=("mem_z", "mem_y"), most=4)

    assert names([*many, doubtful, old], task) == ["00", "01", "y", "z"]
    assert names([doubtful, old, *many], task._replace(most=1)) == ["y", "z"]


def test_what_is_excluded_never_comes():
    assert names([memory("a"), memory("b")], TASK._replace(exclude=("mem_a",))) == ["b"]


MEMORIES = st.lists(
    st.builds(
        memory,
        st.text("abc", min_size=1, max_size=3),
        st.sampled_from([0.1, 0.29, 0.3, 0.5, 1.0]),
        st.sampled_from([0.0, 0.5, 1.0]),
        status=st.sampled_from(list(Status)),
        scope=st.sampled_from([(), ("src/**",), ("docs/**",)]),
        tags=st.sampled_from([(), ("core",), ("testing",)]),
        expires_at=st.sampled_from([None, NOW, NOW + timedelta(days=1)]),
    ),
    max_size=12,
    unique_by=lambda each: each.id,
)


@given(MEMORIES, st.randoms(use_true_random=False), st.integers(1, 6))
def test_the_order_in_which_memories_come_changes_nothing(memories, chance, most):
    task = TASK._replace(most=most, include=("mem_a",), exclude=("mem_b",))
    shuffled = list(memories)
    chance.shuffle(shuffled)

    assert chosen(shuffled, task, NOW) == chosen(memories, task, NOW)


@given(MEMORIES, st.integers(1, 6))
def test_a_larger_number_only_adds(memories, most):
    fewer, more = (chosen(memories, TASK._replace(most=each), NOW) for each in (most, most + 1))

    assert more[: len(fewer)] == fewer

"""How present a memory is, and what fades."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Category
from memory_layer.rules.lifecycle import FADED_BELOW, SAFE_DAYS, activation, activation_of, last_touched

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def ago(days):
    return NOW - timedelta(days=days)


def test_a_new_memory_has_its_categorys_weight():
    assert activation(Category.PITFALL, 1, NOW, NOW) == pytest.approx(1.4)
    assert activation(Category.GENERAL, 1, NOW, NOW) == pytest.approx(0.9)


def test_it_halves_every_ninety_days():
    assert activation(Category.DECISION, 1, ago(90), NOW) == pytest.approx(0.6)
    assert activation(Category.DECISION, 1, ago(180), NOW) == pytest.approx(0.3)


def test_confirmations_hold_it_up_by_their_logarithm():
    assert activation(Category.PREFERENCE, 4, ago(90), NOW) == pytest.approx(0.5 * (1 + math.log(4)))


@pytest.mark.parametrize("category", [Category.POLICY, Category.ARCHITECTURE])
def test_what_never_decays_keeps_its_weight(category):
    assert activation(category, 1, ago(10_000), NOW) == activation(category, 1, NOW, NOW)


def test_a_clock_that_runs_behind_makes_nothing_more_present_than_new():
    assert activation(Category.GENERAL, 1, NOW + timedelta(days=30), NOW) == pytest.approx(0.9)


@given(st.sampled_from(Category), st.integers(1, 1000), st.floats(0, SAFE_DAYS - 0.001))
def test_nothing_fades_within_the_safe_days(category, confirmations, days):
    assert activation(category, confirmations, ago(days), NOW) >= FADED_BELOW


@pytest.mark.parametrize(
    "field", ["created_at", "updated_at", "last_used_at", "last_recalled_at", "reinforced_at"]
)
def test_whatever_touches_a_memory_makes_it_present_again(field):
    times = {"created_at": ago(400), "updated_at": ago(400)}
    old = Memory(id="mem_a", content="x", content_hash="", **times)
    assert activation_of(old, NOW) < FADED_BELOW
    touched = old._replace(**{field: ago(1)})
    assert last_touched(touched) == ago(1)
    assert activation_of(touched, NOW) > FADED_BELOW

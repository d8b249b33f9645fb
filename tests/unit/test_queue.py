"""The rules of the review queue: places, offers and terms."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Memory
from memory_layer.model.review import Decision, Matter
from memory_layer.model.vocabulary import Category, Tier
from memory_layer.rules import lifecycle, review_queue
from tests.conftest import NOON

MEMORY = Memory("mem_a", "apples", "00", NOON, NOON)


@given(st.sampled_from(Matter), st.none() | st.text())
def test_a_place_is_read_back_as_it_was_written(kind, inside):
    assert review_queue.placed(review_queue.place(kind, inside)) == (kind, inside)


@given(st.text(max_size=40))
def test_any_other_text_is_no_place(text):
    with pytest.raises(InvalidInput, match=r"not a cursor"):
        review_queue.placed(f"!{text}")


@pytest.mark.parametrize("kind", Matter)
def test_every_kind_has_a_reason_in_words(kind):
    expired = MEMORY._replace(expires_at=NOON)

    assert review_queue.reason(kind, expired, MEMORY._replace(id="mem_b"))


def test_nothing_merges_with_what_is_gone():
    assert Decision.MERGE in review_queue.offers(Matter.QUESTION, MEMORY, MEMORY)
    assert Decision.MERGE not in review_queue.offers(Matter.QUESTION, MEMORY, None)


def test_what_is_no_fact_is_offered_neither_new_words_nor_a_merge():
    event, steps = (MEMORY._replace(tier=tier) for tier in (Tier.EPISODIC, Tier.PROCEDURAL))
    assert review_queue.offers(Matter.HELD, event, None) == (Decision.APPROVE, Decision.ARCHIVE)
    assert review_queue.offers(Matter.CONFLICT, MEMORY, event) == (Decision.KEEP, Decision.ARCHIVE)
    assert review_queue.offers(Matter.CONFLICT, steps, MEMORY) == (
        Decision.KEEP,
        Decision.SUPERSEDE,
        Decision.ARCHIVE,
    )


def test_of_a_pair_the_newer_one_is_first_whichever_way_the_link_points():
    newer = MEMORY._replace(id="mem_b", created_at=NOON + timedelta(days=1))

    assert (
        review_queue.newer_first(newer, MEMORY) == review_queue.newer_first(MEMORY, newer) == (newer, MEMORY)
    )


@pytest.mark.parametrize(
    ("category", "had", "days"),
    [
        (Category.WARNING, 5, 90),
        (Category.GENERAL, 7, 7),
        (Category.GENERAL, 0, 1),
        (Category.GENERAL, -3, 1),
    ],
)
def test_a_renewed_memory_gets_its_category_s_term_or_the_one_it_had(category, had, days):
    memory = MEMORY._replace(category=category, expires_at=NOON + timedelta(days=had))
    later = NOON + timedelta(days=10)

    assert lifecycle.renewed(memory, later).expires_at == later + timedelta(days=days)


def test_what_never_expires_has_nothing_to_renew():
    assert lifecycle.renewed(MEMORY, NOON) is MEMORY

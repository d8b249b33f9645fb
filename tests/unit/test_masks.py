"""Which memories of a segment may answer: what is replaced or expired gives way, to the microsecond."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Status
from memory_layer.store.index.masks import MaskFilters, allowed
from memory_layer.store.index.segment import GONE, JUDGED, NEVER, SUPERSEDED, built, gone, joined
from memory_layer.store.rows import to_micros
from memory_layer.text import scopes
from tests.conftest import NOON

NOW = to_micros(NOON) or 0
EVERY = tuple(Status)


def a_doc(row: int, *, flags: int = 0, expires: int = NEVER, status: Status = Status.ACTIVE) -> Any:
    return gone(row, 0)._replace(flags=flags, expires=expires, status=status.value)


def rows(segment: Any, filters: Filters, now: int = NOW) -> Any:
    wanted = MaskFilters(filters, None, None, now, scopes.matches)
    return segment.rows[allowed(segment, wanted)].tolist()


# replaced


@pytest.fixture
def replaced():
    return built(
        [
            a_doc(1),
            a_doc(2, flags=SUPERSEDED),
            a_doc(3, flags=SUPERSEDED | JUDGED),
            a_doc(4, flags=JUDGED),
            a_doc(5, flags=SUPERSEDED, status=Status.ARCHIVED),
            a_doc(6, flags=SUPERSEDED, status=Status.STAGED),
            a_doc(7, flags=GONE | SUPERSEDED),
        ]
    )


def test_what_is_replaced_answers_only_who_asks_for_it(replaced):
    assert rows(replaced, Filters()) == [1, 4]
    assert rows(replaced, Filters(superseded=True)) == [1, 2, 3, 4]


def test_being_replaced_holds_back_only_what_is_active(replaced):
    assert rows(replaced, Filters(statuses=(Status.ARCHIVED,))) == [5]
    assert rows(replaced, Filters(statuses=EVERY)) == [1, 4, 5, 6]
    assert rows(replaced, Filters(statuses=EVERY, superseded=True)) == [1, 2, 3, 4, 5, 6]


def test_who_asks_for_what_is_replaced_and_who_does_not_never_get_each_others_answer(replaced):
    for _ in range(2):  # the second time both are remembered
        assert rows(replaced, Filters()) == [1, 4]
        assert rows(replaced, Filters(superseded=True)) == [1, 2, 3, 4]


# expired


def test_a_memory_is_gone_at_the_very_moment_it_expires():
    alone = built([a_doc(1, expires=NOW)])

    assert rows(alone, Filters(), NOW - 1) == [1]
    assert rows(alone, Filters(), NOW) == []
    assert rows(alone, Filters(), NOW + 1) == []
    assert rows(alone, Filters(expired=True), NOW + 1) == [1]


def test_the_first_to_expire_is_not_overlooked_because_others_last():
    some = built([a_doc(1), a_doc(2, expires=NOW + 500), a_doc(3, expires=NOW), a_doc(4, expires=NOW + 9)])

    assert rows(some, Filters(), NOW - 1) == [1, 2, 3, 4]
    assert rows(some, Filters(), NOW) == [1, 2, 4]
    assert rows(some, Filters(), NOW + 9) == [1, 2]
    assert rows(some, Filters(), NOW + 500) == [1]
    assert rows(some, Filters(), NOW - 1) == [1, 2, 3, 4]


def test_a_joined_segment_knows_which_of_those_it_kept_expires_first():
    older, newer = built([a_doc(1, expires=NOW), a_doc(2)]), built([a_doc(3, expires=NOW + 5), a_doc(4)])
    both = joined([(older, older.rows > 0), (newer, newer.rows > 0)])
    kept = joined([(older, older.rows == 2), (newer, newer.rows > 0)])

    assert (older.soonest, newer.soonest) == (NOW, NOW + 5)
    assert (both.soonest, kept.soonest) == (NOW, NOW + 5)
    assert rows(both, Filters()) == [2, 3, 4]
    assert rows(kept, Filters(), NOW + 5) == [2, 4]


def test_being_expired_holds_back_only_what_is_active():
    some = built([a_doc(number, expires=NOW, status=status) for number, status in enumerate(EVERY)])

    assert [EVERY[row] for row in rows(some, Filters(statuses=EVERY))] == [Status.STAGED, Status.ARCHIVED]


def test_what_has_expired_since_a_moment_is_told_from_what_did_before_and_will_later():
    some = built([a_doc(1, expires=NOW - 10), a_doc(2, expires=NOW), a_doc(3, expires=NOW + 1), a_doc(4)])
    lately = Filters(expired=True, expired_since=NOON - timedelta(microseconds=10))

    assert rows(some, lately) == [2]
    assert rows(some, lately, NOW + 1) == [2, 3]

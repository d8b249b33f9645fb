"""What a store must do with vectors of several models, whatever it is made of."""

from __future__ import annotations

import numpy as np
import pytest

from memory_layer.ports.search import Made

TEXTS = ("apples", "pears and plums", "cherries in spring", "grapes from the south")
ONE = np.array([[1.0, 0.0]], np.float32)
THREE = np.array([[1.0, 0.0, 0.0]] * 3, np.float32)


@pytest.fixture(autouse=True)
def filled(put):
    for text in TEXTS:
        put(text)


def fill(store, fingerprint, pending, vectors):
    with store.writing():
        return store.vectors.put(fingerprint, [Made(each.id, vectors, each.content) for each in pending])


def pruned(store, fingerprint, limit):
    """How many steps it took."""
    after: str | None = None
    steps = 0
    while after is not None or not steps:
        with store.writing():
            after = store.vectors.prune(fingerprint, after, limit)
        steps += 1
    return steps


def test_what_waits_is_given_oldest_first_from_any_place(store):
    every = store.vectors.lacking("f", 10)

    assert [each.content for each in every] == list(TEXTS)
    assert store.vectors.lacking("f", 2, after=every[0].id) == every[1:3]
    assert store.vectors.lacking("f", 10, after=every[-1].id) == []
    assert store.vectors.count_lacking("f") == 4


def test_what_was_filled_once_is_not_filled_again(store):
    pending = store.vectors.lacking("f", 10)

    assert fill(store, "f", pending[:2], ONE) == 2
    assert fill(store, "f", pending, -ONE) == 2
    assert [each.vectors for each in store.vectors.generations()] == [4]
    assert store.vectors.count_lacking("f") == 0


def test_a_text_that_is_another_by_now_gets_no_vector(store):
    first, *_ = store.vectors.lacking("f", 10)

    assert fill(store, "f", [first._replace(content="apples and nuts")], ONE) == 0
    assert store.vectors.count_lacking("f") == 4


def test_another_run_goes_on_in_the_middle_of_what_waits(store):
    _, second, third, fourth = store.vectors.lacking("f", 10)

    assert store.vectors.lacking("f", 10, skip=2) == [third, fourth]
    assert store.vectors.count_lacking("f", after=second.id) == 2
    assert store.vectors.lacking("f", 10, after=second.id, skip=1) == [fourth]
    fill(store, "f", [fourth], ONE)
    assert store.vectors.count_lacking("f", after=second.id) == 1
    assert store.vectors.count_lacking("f", after=third.id) == 0
    assert store.vectors.lacking("f", 10, after=third.id) == []


def test_a_generation_is_counted_in_memories_vectors_and_bytes(store):
    pending = store.vectors.lacking("f", 10)
    fill(store, "old", pending, ONE)
    fill(store, "new", pending[:1], THREE)

    assert store.vectors.generations() == [("new", 1, 3, 3 * 6), ("old", 4, 4, 4 * 4)]


def test_dropping_takes_a_bounded_step_and_only_what_is_replaced(store):
    pending = store.vectors.lacking("f", 10)
    fill(store, "old", pending, ONE)
    fill(store, "new", pending[1:], THREE)

    assert pruned(store, "new", limit=2) == 3
    assert store.vectors.generations() == [("new", 3, 9, 9 * 6), ("old", 1, 1, 4)]
    assert [each.content for each in store.vectors.lacking("old", 10)] == list(TEXTS[1:])


def test_whatever_follows_the_changes_hears_of_new_and_dropped_vectors(store):
    pending = store.vectors.lacking("f", 10)
    fill(store, "old", pending, ONE)
    begun = store.sequence()
    fill(store, "new", pending[:3], ONE)
    filled = store.sequence()
    pruned(store, "new", limit=10)

    dropped = store.sequence()
    assert begun < filled < dropped
    pruned(store, "new", limit=10)
    assert store.sequence() == dropped

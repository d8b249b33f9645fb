"""What a store must do with vectors of several models, whatever it is made of."""

from __future__ import annotations

import numpy as np
import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import OnDuplicate
from memory_layer.ports.vectors import Made
from memory_layer.usecases.add import add

TEXTS = ("apples", "pears and plums", "cherries in spring", "grapes from the south")
ONE = np.array([[1.0, 0.0]], np.float32)
THREE = np.array([[1.0, 0.0, 0.0]] * 3, np.float32)


@pytest.fixture
def store(keyword_engine, agent):
    for text in TEXTS:
        add(keyword_engine, Draft(content=text, on_duplicate=OnDuplicate.KEEP), agent)
    return keyword_engine.store


def fill(store, fingerprint, pending, vectors):
    with store.writing():
        return store.vectors.fill_vectors(
            fingerprint, [Made(each.row, each.content, vectors) for each in pending]
        )


def pruned(store, fingerprint, rows):
    """How many steps it took."""
    after: int | None = 0
    steps = 0
    while after is not None:
        with store.writing():
            after = store.vectors.drop_other_vectors(fingerprint, after, rows)
        steps += 1
    return steps


def test_what_waits_is_given_oldest_first_from_any_place(store):
    every = store.vectors.without_vectors("f", 10)

    assert [each.content for each in every] == list(TEXTS)
    assert store.vectors.without_vectors("f", 2, after=every[0].row) == every[1:3]
    assert store.vectors.without_vectors("f", 10, after=every[-1].row) == []
    assert store.vectors.count_without_vectors("f") == 4


def test_what_was_filled_once_is_not_filled_again(store):
    pending = store.vectors.without_vectors("f", 10)

    assert fill(store, "f", pending[:2], ONE) == 2
    assert fill(store, "f", pending, -ONE) == 2
    assert [each.vectors for each in store.vectors.generations()] == [4]
    assert store.vectors.count_without_vectors("f") == 0


def test_a_text_that_is_another_by_now_gets_no_vector(store):
    first, *_ = store.vectors.without_vectors("f", 10)

    assert fill(store, "f", [first._replace(content="apples and nuts")], ONE) == 0
    assert store.vectors.count_without_vectors("f") == 4


def test_the_middle_of_what_waits_is_where_another_run_goes_on(store):
    _, second, third, fourth = store.vectors.without_vectors("f", 10)

    assert store.vectors.middle_without_vectors("f", 0) == third.row - 1
    assert store.vectors.middle_without_vectors("f", second.row) == fourth.row - 1
    fill(store, "f", [fourth], ONE)
    assert store.vectors.middle_without_vectors("f", second.row) == third.row - 1
    assert store.vectors.middle_without_vectors("f", third.row) == third.row


def test_a_generation_is_counted_in_memories_vectors_and_bytes(store):
    pending = store.vectors.without_vectors("f", 10)
    fill(store, "old", pending, ONE)
    fill(store, "new", pending[:1], THREE)

    assert store.vectors.generations() == [("new", 1, 3, 3 * 6), ("old", 4, 4, 4 * 4)]


def test_dropping_takes_a_bounded_step_and_only_what_is_replaced(store):
    pending = store.vectors.without_vectors("f", 10)
    fill(store, "old", pending, ONE)
    fill(store, "new", pending[1:], THREE)

    assert pruned(store, "new", rows=2) == 3
    assert store.vectors.generations() == [("new", 3, 9, 9 * 6), ("old", 1, 1, 4)]
    assert [each.content for each in store.vectors.without_vectors("old", 10)] == list(TEXTS[1:])


def test_whatever_follows_the_changes_hears_of_new_and_dropped_vectors(store):
    pending = store.vectors.without_vectors("f", 10)
    fill(store, "old", pending, ONE)
    begun = store.sequence()
    fill(store, "new", pending[:3], ONE)
    filled = store.sequence()
    pruned(store, "new", rows=10)

    assert filled - begun == 3
    assert store.sequence() - filled == 3
    pruned(store, "new", rows=10)
    assert store.sequence() - filled == 3

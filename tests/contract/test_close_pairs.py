"""Close pairs are found without comparing each memory with each, and what must not be compared is not."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.vocabulary import Category, Status, Tier, WriterKind
from memory_layer.ports import Edit
from memory_layer.ports.store import IndexedTerms, New
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import ledger

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ROBOT = Writer(name="robot", kind=WriterKind.AGENT, door="python", session="session-1")
WIDTH = 64
PIER, QUAY = (
    Project(name, f"git.example/{name}", name, aliases=(f"git.example/{name}",)) for name in ("pier", "quay")
)


@pytest.fixture
def store(open_store):
    made = open_store()
    with made.writing():
        for project in (PIER, QUAY):
            made.projects.save(project, NOON)
    return made


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def put(store, vectors, first=0, passages=1, **more):
    """Memories with these vectors; their ids."""
    new = []
    for number, vector in enumerate(vectors, first):
        text = f"memory {number}"
        memory = Memory(
            id=f"mem_{number:08d}",
            content=text,
            content_hash=content_hash(None, text),
            created_at=NOON,
            updated_at=NOON,
            **more,
        )
        new.append(
            New(memory, IndexedTerms(text, ""), 2, ("m", np.repeat(vector[None, :], passages, axis=0)))
        )
    with store.writing():
        ledger.create(store, new, Edit(ROBOT, "op_aaaa", "add", NOON))
    return [each.memory.id for each in new]


def found(store, above=0.9, since=0):
    return {
        (pair.one, pair.other): pair.cosine
        for some in store.search.close_pairs("m", above, since)
        for pair in some
    }


def twins():
    """Two vectors with a cosine of about 0.99."""
    chance = np.random.default_rng(1)
    one = unit(chance.standard_normal(WIDTH))
    return np.stack([one, unit(one + 0.14 * unit(chance.standard_normal(WIDTH)))])


def test_nearly_every_close_pair_is_found_and_no_other(store):
    chance = np.random.default_rng(0)
    vectors = unit(chance.standard_normal((1500, WIDTH)))
    vectors[1::10] = unit(vectors[::10] + 0.25 * unit(chance.standard_normal((150, WIDTH))))
    ids = put(store, vectors)
    cosines = vectors @ vectors.T
    exact = {(ids[a], ids[b]) for a, b in np.argwhere(np.triu(cosines, 1) > 0.9).tolist()}
    close = found(store)
    assert set(close) <= exact
    assert len(close) >= 0.98 * len(exact) >= 140
    assert all(
        cosine == pytest.approx(cosines[int(one[4:]), int(two[4:])], abs=0.01)
        for (one, two), cosine in close.items()
    )


def test_the_same_store_gives_the_same_pairs_in_the_same_order(store):
    put(store, unit(np.random.default_rng(2).standard_normal((300, WIDTH))))
    assert list(found(store, 0.2)) == list(found(store, 0.2)) != []


def test_memories_of_two_projects_are_not_compared_but_global_ones_are(store):
    one, two = twins()
    (here,) = put(store, [one], 0, project=PIER.key)
    put(store, [two], 1, project=QUAY.key)
    assert found(store) == {}
    (everywhere,) = put(store, [two], 2)
    assert (here, everywhere) in found(store)


def test_categories_are_compared_among_themselves_and_general_with_all(store):
    one, two = twins()
    put(store, [one], 0, category=Category.GOTCHA)
    put(store, [two], 1, category=Category.DECISION)
    assert found(store) == {}
    put(store, [two], 2, category=Category.GENERAL)
    assert len(found(store)) == 2


@pytest.mark.parametrize(
    "more", [{"status": Status.ARCHIVED}, {"status": Status.STAGED}, {"tier": Tier.EPISODIC}, {"passages": 2}]
)
def test_what_is_not_given_out_or_has_several_passages_is_not_compared(store, more):
    one, two = twins()
    put(store, [one], 0)
    put(store, [two], 1, **more)
    assert found(store) == {}


def test_only_pairs_with_something_new_are_told_again(store):
    one, two = twins()
    put(store, [one, two])
    since = store.sequence()
    assert found(store, since=since) == {}
    put(store, [one], 2)
    assert set(found(store, since=since)) == {
        ("mem_00000000", "mem_00000002"),
        ("mem_00000001", "mem_00000002"),
    }


def test_thousands_of_equal_vectors_do_not_make_millions_of_pairs(store):
    put(store, np.repeat(twins()[:1], 3000, axis=0))
    assert 3000 <= len(found(store)) <= 3000 * 16


def test_vectors_that_make_no_sense_are_passed_over(store):
    one, two = twins()
    put(
        store,
        [
            one,
            np.full(WIDTH, np.nan, np.float32),
            np.full(WIDTH, np.inf, np.float32),
            np.zeros(WIDTH, np.float32),
            two,
        ],
    )
    assert set(found(store)) == {("mem_00000000", "mem_00000004")}


def test_a_store_without_vectors_has_no_pairs(store):
    assert found(store) == {}
    assert list(store.search.close_pairs("another model", 0.9, 0)) == []

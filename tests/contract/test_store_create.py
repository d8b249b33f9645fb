"""Many memories at once: what every store promises about them."""

from __future__ import annotations

import numpy as np
import pytest

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Category, Reason, Status
from memory_layer.ports import Edit
from memory_layer.ports.search import Neighbourhood
from memory_layer.ports.store import New
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.remember.new_memory import known_texts, terms_of
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import new_id, scratch_store
from tests.conftest import NOON

PRINT = "model-1"


@pytest.fixture
def edit(agent):
    return Edit(agent, "op_1", "import", NOON)


def new(content, vectors=None, **fields):
    memory = Memory(
        id=new_id("mem"),
        content=content,
        content_hash=content_hash(None, content),
        created_at=NOON,
        updated_at=NOON,
        **fields,
    )
    return New(
        memory, terms_of(memory), 5, None if vectors is None else (PRINT, np.array(vectors, np.float32))
    )


def create(store, edit, *every):
    with store.writing():
        ledger.create(store, every, edit)
    return [each.memory for each in every]


def test_what_is_created_at_once_is_stored_exactly_and_in_order(store, edit):
    made = create(store, edit, new("one", worked=2), new("two", status=Status.STAGED, reason=Reason.REVIEW))

    assert store.memories.get([memory.id for memory in made]) == made
    assert [change.memory for change in chain.changes(store)] == [memory.id for memory in made]
    assert list(chain.chain_flaws(store)) == []


def test_it_is_found_by_its_words(store, edit):
    create(store, edit, new("the harbour is closed"), new("nothing of interest"))

    assert store.search.frequencies(["harbour"])[1] == {"harbour": 1}


def test_two_batches_follow_each_other_in_the_chain(store, edit):
    first = create(store, edit, new("one"), new("two"))
    second = create(store, edit, new("three"))

    assert [change.memory for change in chain.changes(store)] == [memory.id for memory in first + second]
    assert store.chain.head()[0] == 3
    assert list(chain.chain_flaws(store)) == []


def test_a_batch_that_fails_leaves_nothing(store, edit, id_is_taken):
    same = new("one")
    with pytest.raises(id_is_taken):
        create(store, edit, new("two"), same, same)

    assert list(store.memories.columns()) == []
    assert store.chain.head()[0] == 0


def test_creating_nothing_changes_nothing(store, edit):
    create(store, edit)

    assert store.chain.head()[0] == 0


def test_known_texts_are_found_by_their_hashes_live_ones_first(store, edit):
    old, live = create(store, edit, new("one", status=Status.ARCHIVED, reason=Reason.ASKED), new("one"))
    (archived,) = create(store, edit, new("two", status=Status.ARCHIVED, reason=Reason.ASKED))

    known = known_texts(store, [live.content_hash, archived.content_hash, content_hash(None, "three")])

    assert {key: memory.id for key, memory in known.items()} == {
        live.content_hash: live.id,
        archived.content_hash: archived.id,
    }
    assert old.content_hash == live.content_hash
    assert known_texts(store, []) == {}


def test_the_neighbours_of_each_are_those_it_would_have_alone(store, edit):
    chance = np.random.default_rng(3)
    vectors = chance.normal(size=(80, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kinds = [Category.GENERAL, Category.COMMAND, Category.FACT]
    every = [new(f"text {at}", vectors[at : at + 1], category=kinds[at % 3]) for at in range(80)]
    create(store, edit, *every)
    among = [
        Neighbourhood(None, None if at % 3 == 0 else kinds[at % 3], 0.1, every[at].memory.id, limit=4)
        for at in range(40)
    ]

    together = store.search.neighbours(vectors[:40], PRINT, among)

    alone = [store.search.neighbours(vectors[at : at + 1], PRINT, [among[at]])[0] for at in range(40)]
    assert [[memory.id for memory, _ in near] for near in together] == [
        [memory.id for memory, _ in near] for near in alone
    ]
    assert all(len(near) <= 4 for near in together)
    assert all(
        each.excluding not in {memory.id for memory, _ in near}
        for each, near in zip(among, together, strict=True)
    )


def test_only_older_ones_are_neighbours_if_asked_so(store, edit):
    one, two, three = (new(text, [[1.0, 0.0]]) for text in ("one", "two", "three"))
    create(store, edit, one, two, three)
    among = Neighbourhood(None, None, 0.5, two.memory.id, only_older=True)

    (near,) = store.search.neighbours(np.array([[1.0, 0.0]], np.float32), PRINT, [among])

    assert [memory.id for memory, _ in near] == [one.memory.id]


def test_a_scratch_store_works_the_same_and_leaves_no_file(edit, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with scratch_store() as scratch:
        made = create(scratch, edit, new("one"))
        assert read_memory(scratch, made[0].id) == made[0]

    assert list(tmp_path.iterdir()) == []

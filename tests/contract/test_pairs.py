"""What every store promises about pairs that a person should look at."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.history import Note
from memory_layer.model.memory import Link, Memory
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Attention, LinkKind, Reason, Status
from memory_layer.ports import Edit
from memory_layer.ports.search import Made
from memory_layer.ports.store import New
from memory_layer.rules.links import awaited
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.recall.vectors import likenesses
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import new_id
from tests.conftest import NOON

RELATES, CONFLICTS = LinkKind.RELATES_TO, LinkKind.CONFLICTS_WITH


@pytest.fixture
def edit(agent):
    return Edit(agent, "op_1", "link", NOON)


@pytest.fixture
def put(store, edit):
    def put_(content, **fields):
        memory = Memory(new_id("mem"), content, content_hash(None, content), NOON, NOON, **fields)
        with store.writing():
            staged = memory._replace(status=Status.STAGED, reason=Reason.WRITING)
            ledger.stage(store, New(staged, terms_of(memory), 5), NOON + timedelta(minutes=1))
            return ledger.save(store, memory, edit).id

    return put_


@pytest.fixture
def pair(store, edit):
    def pair_(source, target, kind=RELATES, review=True, minutes=0):
        link = Link(source, target, kind, NOON + timedelta(minutes=minutes))
        with store.writing():
            assert ledger.link(store, link, edit, review)
        return link

    return pair_


def ends(store, kind=RELATES, limit=10, after=None, **filters):
    page = store.links.pairs(kind, awaited(kind), Filters(**filters), NOON, limit, after)
    return [(source.id, target.id) for source, target in page.items]


def test_the_newest_pair_comes_first_and_pages_join_without_a_gap(store, put, pair):
    ids = [put(f"memory {number}") for number in range(8)]
    for place in range(7):
        pair(ids[place + 1], ids[place], minutes=place // 2)
    found, after = [], None
    while True:
        page = store.links.pairs(RELATES, awaited(RELATES), Filters(), NOON, 2, after)
        found += [(source.id, target.id) for source, target in page.items]
        after = page.next
        if after is None:
            break

    assert found == [(ids[place + 1], ids[place]) for place in range(6, -1, -1)]
    assert page.total == 7


def test_a_likeness_waits_when_asked_for_and_a_contradiction_always(store, put, pair, edit):
    one, two, three = (put(text) for text in ("apples", "pears", "plums"))
    pair(one, two, RELATES, review=False)
    pair(two, three, RELATES, review=True)
    conflict = pair(one, three, CONFLICTS, review=False)
    before = ends(store), ends(store, CONFLICTS)
    with store.writing():
        assert ledger.settle(store, conflict, Attention.GIVEN, edit)
        assert not ledger.settle(store, conflict, Attention.GIVEN, edit)

    assert before == ([(two, three)], [(one, three)])
    assert ends(store, CONFLICTS) == []
    assert store.links.of([one])[-1] == conflict._replace(attention=Attention.GIVEN)


def test_a_settled_link_is_noted_with_what_it_was_and_taken_back(store, put, pair, edit):
    link = pair(put("apples"), put("pears"))
    settle = edit._replace(operation="op_2", action="settle")
    with store.writing():
        ledger.settle(store, link, Attention.GIVEN, settle)
    (note,) = chain.notes_of(store, ["op_2"])
    with store.writing():
        ledger.take_back(store, note, edit._replace(operation="op_3"))

    assert [each.attention for each in store.links.of([link.source])] == [Attention.WANTED]
    assert [change.action for change in chain.changes(store)][-2:] == ["settle", "link"]
    assert list(chain.chain_flaws(store)) == []


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("change", ["archived", "expired", "superseded"])
def test_a_pair_waits_only_while_both_are_given_out(store, put, pair, edit, end, change):
    ids = put("apples"), put("pears")
    pair(*ids)
    with store.writing():
        memory = read_memory(store, ids[end])
        if change == "archived":
            ledger.save(store, memory._replace(status=Status.ARCHIVED, reason=Reason.ASKED), edit)
        elif change == "expired":
            ledger.save(store, memory._replace(expires_at=NOON), edit)
    if change == "superseded":
        pair(put("plums"), ids[end], LinkKind.SUPERSEDES, review=False)

    assert ends(store) == []


def test_named_memories_may_stand_at_either_end(store, put, pair):
    one, two, three = (put(text) for text in ("apples", "pears", "plums"))
    pair(one, two)
    pair(two, three)

    assert ends(store, ids=(one,)) == [(one, two)]
    assert ends(store, ids=(two,)) == [(two, three), (one, two)]


@pytest.mark.parametrize("place", ["nonsense", "WzEsMl0", "W10", "eyJhIjoxfQ"])
def test_a_place_that_is_none_is_refused_even_in_an_empty_list(store, place):
    with pytest.raises(InvalidInput, match="not a cursor"):
        store.links.pairs(RELATES, awaited(RELATES), Filters(), NOON, 10, place)


def test_a_link_that_is_not_there_cannot_be_settled(store, put, edit):
    link = Link(put("apples"), put("pears"), RELATES, NOON)

    with pytest.raises(NotFound), store.writing():
        ledger.settle(store, link, Attention.GIVEN, edit)


def test_likeness_is_the_cosine_of_single_passages_of_one_kind(store, put):
    one, two, long, other = (put(text) for text in ("apples", "pears", "a long text", "plums"))
    with store.writing():
        store.vectors.put("model-1", [Made(one, np.array([[1, 0, 0, 0]], dtype=np.float32))])
        store.vectors.put("model-1", [Made(two, np.array([[0.6, 0.8, 0, 0]], dtype=np.float32))])
        store.vectors.put("model-1", [Made(long, np.eye(2, 4, dtype=np.float32))])
        store.vectors.put("model-2", [Made(other, np.array([[1, 0, 0, 0]], dtype=np.float32))])
    found = likenesses(store, [(one, two), (two, one), (one, long), (one, other)])

    assert found.keys() == {(one, two), (two, one)}
    assert found[one, two] == found[two, one] == pytest.approx(0.6, abs=1e-3)


def test_filters_find_little_confidence_and_what_expired_lately(store, put):
    low = put("apples", confidence=0.29)
    put("pears", confidence=0.3)
    lately = put("plums", expires_at=NOON)
    put("figs", expires_at=NOON - timedelta(days=30))
    put("dates", expires_at=NOON + timedelta(seconds=1))

    def found(**filters):
        page = store.memories.page(Filters(**filters), NOON, "created", 10, None)
        return [memory.id for memory in page.items]

    assert found(below_confidence=0.3) == [low]
    assert found(expired=True, expired_since=NOON - timedelta(days=30)) == [lately]


def test_a_note_that_names_anything_but_counters_moves_nothing_else(store, put, edit):
    memory = put("apples")
    forged = dict.fromkeys(("use_count", "approved_by", "use_count = 9, content"), 1)
    with store.writing():
        ledger.take_back(store, Note(1, {"memory": memory, "before": forged, "after": forged}), edit)
        ledger.take_back(store, Note(1, {"memory": memory, "before": {}, "after": {}}), edit)

    after = read_memory(store, memory)
    assert (after.use_count, after.approved_by, after.content) == (0, None, "apples")

"""What every store promises about vectors taken away, links on somebody's word, and forgetting."""

from __future__ import annotations

import numpy as np

from memory_layer.model.memory import Link
from memory_layer.model.query import Filters, Given, Mode, Recall
from memory_layer.model.vocabulary import LinkKind, Reason, Status
from memory_layer.ports import Edit
from memory_layer.ports.log import RecallFilter
from memory_layer.ports.search import Made
from memory_layer.ports.store import Entries, IndexedTerms
from memory_layer.rules import lifecycle
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.recall.vectors import matching
from memory_layer.usecases.remember.new_memory import known_text
from memory_layer.usecases.who.lookup import read_memory
from tests.conftest import NOON
from tests.passages import passages_of


def forget(store, memory, agent):
    with store.writing():
        place = lifecycle.forgotten(memory, NOON)
        return ledger.forget(
            store,
            place._replace(content_hash=content_hash(None, f"\0{memory.id}")),
            Edit(agent, "op_2", "forget", NOON),
        )


def test_vectors_come_back_as_they_were_and_can_be_taken_away(store, put):
    memory, vectors = put("apples"), np.eye(2, 4, dtype=np.float32)
    with store.writing():
        store.vectors.put("model-1", [Made(memory.id, vectors)])
        store.vectors.put("model-2", [Made(memory.id, vectors[:1])])
    kept = passages_of(store, memory.id, "model-1")
    seen = store.sequence()
    with store.writing():
        store.vectors.drop([memory.id])

    assert np.array_equal(kept, vectors)
    assert passages_of(store, memory.id, "model-1") is None
    assert passages_of(store, memory.id, "model-2") is None
    assert store.sequence() > seen


def test_saving_takes_the_number_of_tokens_only_when_told(store, put, agent):
    memory = put("apples")
    edit = Edit(agent, "op_2", "edit", NOON)
    with store.writing():
        ledger.save(store, memory, edit)
    (before,) = store.memories.totals(Filters(), NOON)
    with store.writing():
        ledger.save(store, memory, edit, tokens=7)

    assert [before.tokens, *(each.tokens for each in store.memories.totals(Filters(), NOON))] == [5, 7]


def test_a_link_is_added_and_removed_once_with_a_line_each(store, put, agent):
    one, two = put("apples"), put("pears")
    link, edit = Link(one.id, two.id, LinkKind.RELATES_TO, NOON), Edit(agent, "op_2", "link", NOON)
    with store.writing():
        answers = [ledger.link(store, link, edit), ledger.link(store, link, edit)]
        answers += [ledger.unlink(store, link, edit), ledger.unlink(store, link, edit)]

    assert answers == [True, False, True, False]
    assert store.links.of([one.id]) == []
    assert store.chain.head()[0] == 4
    assert list(chain.chain_flaws(store)) == []


def test_the_answers_that_gave_a_memory_out_are_counted(store, put):
    memory = put("apples")
    with store.writing():
        for number in range(2):
            store.vectors.put_question("fruit", NOON)
            recall = Recall(
                id=f"rec_{number}",
                at=NOON,
                query="fruit",
                kind="search",
                mode=Mode.KEYWORD,
                ranker="balanced",
                writer="tester",
                session="s",
                project=None,
                memories=1,
                hits=(Given(memory, 1.0, {}),),
            )
            store.log.add_recall(recall)

    assert len(store.log.recalls(RecallFilter(memory=memory.id))) == 2
    assert len(store.log.recalls(RecallFilter(memory="mem_nothing"))) == 0


def test_copies_are_found_through_any_number_of_merges(store, put):
    same = put("Apples.", status=Status.ARCHIVED, reason=Reason.ASKED)
    last = put("apples")
    middle = put("apples, too", status=Status.ARCHIVED, reason=Reason.MERGED, reason_detail=last.id)
    first = put("apples, first", status=Status.ARCHIVED, reason=Reason.MERGED, reason_detail=middle.id)
    skipped = put("an apple", status=Status.ARCHIVED, reason=Reason.SKIPPED, reason_detail=last.id)
    put("pears", status=Status.ARCHIVED, reason=Reason.ASKED)

    assert store.memories.copies_of(last.id) == [same.id, middle.id, first.id, skipped.id]
    assert store.memories.copies_of(first.id) == []


def test_forgetting_leaves_an_empty_place_and_a_chain_that_holds(store, put, agent):
    memory = put("apples", tags=("fruit",))
    with store.writing():
        ledger.save(store, memory._replace(content="red apples"), Edit(agent, "op_2", "edit", NOON))
    forgotten = forget(store, read_memory(store, memory.id), agent)

    assert forgotten.reason is Reason.FORGOTTEN
    assert forgotten.version == 3
    assert not any(entry.payload for entry in store.chain.entries(Entries(payloads=True)))
    assert matching(store, ["appl", "apples", "fruit"], Filters(statuses=tuple(Status)), NOON, 5) == {}
    assert list(chain.chain_flaws(store)) == []
    assert known_text(store, memory.content_hash) is None


def test_terms_of_nothing_are_allowed(store, put, agent):
    memory = put("apples")
    with store.writing():
        saved = ledger.save(store, memory, Edit(agent, "op_2", "edit", NOON), IndexedTerms("", ""), 0)

    assert saved.version == 2

"""Several items of the review queue decided in one way: all of them in one operation, or none."""

from __future__ import annotations

import pytest

from memory_layer.errors import ChangedMeanwhile, InvalidInput, NotAllowed
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters
from memory_layer.model.review import Decision, Matter
from memory_layer.model.vocabulary import Category, Status
from memory_layer.usecases.govern.decide_alike import decide_alike
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.govern.undo import UndoScope, undo
from memory_layer.usecases.look_up.browse import show
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.edit import tag


@pytest.fixture
def held(keyword_engine, agent):
    texts = ("Never deploy on a Friday", "Every release has a note", "Keys are kept in the vault")
    return [add(keyword_engine, Draft(each, category=Category.POLICY), agent).id for each in texts]


def statuses(engine, ids, person):
    return [show(engine, each, person, True).memory.status for each in ids]


def test_one_decision_about_several_is_one_operation_that_is_undone_as_a_whole(keyword_engine, held, person):
    done = decide_alike(keyword_engine, held, Matter.HELD, Decision.APPROVE, (), person)
    after = statuses(keyword_engine, held, person)
    undo(keyword_engine, person, done[0].operation, UndoScope(None))

    assert len({each.operation for each in done}) == 1
    assert after == [Status.ACTIVE] * 3
    assert statuses(keyword_engine, held, person) == [Status.STAGED] * 3


def test_nothing_is_decided_if_one_of_them_was_changed_or_decided_meanwhile(keyword_engine, held, person):
    seen = review(keyword_engine, Filters(), [Matter.HELD]).items
    tag(keyword_engine, held[1], ["urgent"], person)

    with pytest.raises(ChangedMeanwhile):
        decide_alike(keyword_engine, held, Matter.HELD, Decision.APPROVE, seen, person)
    assert statuses(keyword_engine, held, person) == [Status.STAGED] * 3

    decide_alike(keyword_engine, held[:1], Matter.HELD, Decision.ARCHIVE, (), person)
    with pytest.raises(ChangedMeanwhile):
        decide_alike(keyword_engine, held, Matter.HELD, Decision.APPROVE, (), person)


def test_an_agent_approves_nothing_this_way_either(keyword_engine, held, agent, person):
    with pytest.raises(NotAllowed):
        decide_alike(keyword_engine, held, Matter.HELD, Decision.APPROVE, (), agent)
    assert statuses(keyword_engine, held, person) == [Status.STAGED] * 3


@pytest.mark.parametrize(
    ("kind", "decision"), [(Matter.CONFLICT, Decision.ARCHIVE), (Matter.HELD, Decision.EDIT)]
)
def test_pairs_and_new_words_need_a_look_of_their_own(keyword_engine, held, person, kind, decision):
    with pytest.raises(InvalidInput, match="no pairs"):
        decide_alike(keyword_engine, held, kind, decision, (), person)

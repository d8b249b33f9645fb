"""The orders s4 and s1, computed by hand from their designs."""

from __future__ import annotations

import pytest

from memory_layer.model.context import ContextLayer, ContextOrder, ContextQuery
from memory_layer.model.memory import Draft
from memory_layer.model.query import Query, Reach
from memory_layer.model.runs import Composing, PromptParts, RunTask
from memory_layer.model.vocabulary import Category, Priority
from memory_layer.ports.log import RecallFilter
from memory_layer.usecases.give.compose import compose
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.learn.run import start
from memory_layer.usecases.look_up.recalls import recall
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import reinforce
from tests.places import HERE

AROUND = ContextScope(Reach.PROJECT, HERE)


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def kept(engine, person):
    def kept_(text, category=Category.FACT, **fields):
        return add(engine, Draft(text, category, **fields), person, HERE).id

    return kept_


@pytest.fixture
def given(engine, agent):
    def given_(order, **wanted):
        query = ContextQuery(order=ContextOrder(order), **{"peek": True, **wanted})
        return context(engine, query, agent, AROUND)

    return given_


def scores(found):
    return {line.memory.id: line.score for line in found.lines}


def test_s4_multiplies_type_weight_decay_and_a_linear_count_of_recalls(engine, agent, kept, given, clock):
    once = kept("the port is 8081", Category.FACT)
    thrice = kept("the queue deadlocks", Category.PITFALL)
    for _ in range(2):
        search(engine, Query("queue deadlocks", limit=1), agent)
    clock.pass_(days=90)

    # fact: 0.9 x 0.5 ^ (90 / 90) x (1 + 0 recalls); pitfall: 1.4 x 0.5 x (1 + 2 recalls)
    assert scores(given("s4")) == {once: pytest.approx(0.45), thrice: pytest.approx(2.1)}
    assert [line.memory.id for line in given("s4").lines] == [thrice, once]


def test_the_count_of_s4_is_the_number_of_recalls_in_the_log(engine, agent, kept, given):
    memory = kept("the port is 8081", Category.FACT)
    for question in ("port 8081", "port"):
        search(engine, Query(question), agent)
    given("s4", peek=False)

    with engine.store.reading():
        logged = engine.store.log.recalls(RecallFilter(memory=memory))
    assert scores(given("s4")) == {memory: pytest.approx(0.9 * (1 + len(logged)))}
    assert len(logged) == 3


def test_remember_this_resets_the_timer_of_s4_and_counts_nothing(engine, person, kept, given, clock):
    memory = kept("the port is 8081", Category.FACT)
    clock.pass_(days=90)
    reinforce(engine, [memory], person)

    assert scores(given("s4")) == {memory: pytest.approx(0.9)}


def test_s4_fades_policies_too_and_leaves_out_what_is_below_03(kept, given, clock):
    kept("a policy of medium priority", Category.POLICY, priority=Priority.MEDIUM)
    kept("the port is 8081")
    clock.pass_(days=200)  # 1.5 x 0.5 ^ (200 / 90) = 0.32; 0.9 x 0.5 ^ (200 / 90) = 0.19

    assert list(scores(given("s4")).values()) == [pytest.approx(0.3215, abs=1e-3)]
    clock.pass_(days=10)
    assert given("s4").lines == ()


def test_s4_fills_the_budget_with_a_then_b_then_c(kept, given):
    rules = [
        kept(f"layer {number} knows only layer {number + 1}", Category.ARCHITECTURE) for number in range(40)
    ]
    kept("the upload retries three times" + " and waits a little longer before each of them" * 4)

    found = given("s4", task="upload retries", budget=300)

    assert {line.layer for line in found.lines} == {ContextLayer.BASELINE}
    assert len(found.lines) < len(rules)


def test_s1_takes_the_write_scope_first_then_confidence_times_relevance_then_the_id(kept, given):
    low = kept("0.45", confidence=0.9, relevance=0.5)
    high = kept("0.6", confidence=0.6)
    scoped = kept("0.3 in the scope", confidence=0.3, scope=("src/core/**",))
    tagged = kept("0.4 by its tag", confidence=0.4, tags=("src/core/**",))
    kept("0.29", confidence=0.29)
    twins = sorted(kept(f"0.5, number {number}", confidence=0.5) for number in range(2))

    found = given("s1", paths=("src/core/a.py",))

    assert [line.memory.id for line in found.lines] == [tagged, scoped, high, *twins, low]
    assert scores(found)[low] == pytest.approx(0.45)


def test_s1_is_limited_to_ten(kept, given):
    ids = sorted(kept(f"memory {number}") for number in range(14))

    assert [line.memory.id for line in given("s1").lines] == ids[:10]


@pytest.mark.parametrize("order", list(ContextOrder))
def test_contexts_prompts_and_runs_record_the_order_and_select_the_same(engine, agent, kept, order):
    kept("Uploads are cut into parts of 1 MB", Category.GOTCHA)
    kept("Never upload to production by hand", Category.POLICY)
    kept("Uploads go to the northern bucket", confidence=0.5)
    task = "cut uploads to the northern bucket into parts"

    told = context(engine, ContextQuery(task=task, order=order), agent, AROUND)
    prompt = compose(engine, Composing(PromptParts(), RunTask(task, order=order)), agent, HERE)
    begun = start(engine, RunTask(task, order=order), agent, HERE)

    recorded = [recall(engine, str(each)) for each in (told.recall, prompt.recall, begun.recall)]
    assert [each.ranker for each in recorded] == [order.value] * 3
    assert [sorted(hit.memory.id for hit in each.hits) for each in recorded] == [
        sorted(hit.memory.id for hit in recorded[0].hits)
    ] * 3
    assert len(recorded[0].hits) == 3

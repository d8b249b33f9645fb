"""What failed too often, the last time too: marked where it is found, and given to nobody who did not ask."""

from __future__ import annotations

import pytest

from memory_layer.doors import wire
from memory_layer.model.context import AgentAction, ContextQuery
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Query, Reach
from memory_layer.model.review import Matter
from memory_layer.model.runs import Composing, PromptParts, Recipe, RunTask
from memory_layer.model.vocabulary import Category, Outcome, Status
from memory_layer.usecases.give.compose import compose
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.give.warn import warn
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.learn.procedures import save
from memory_layer.usecases.learn.run import start
from memory_layer.usecases.look_up.browse import list_memories, show, stats
from memory_layer.usecases.look_up.recalls import text_given
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.lookup import read_memory
from tests.places import HERE

QUESTION = "how is the cache cleared before a deploy"
TEXT = "Before `make deploy` the cache has to be cleared by hand"
AROUND = ContextScope(Reach.PROJECT, HERE)
TASK = RunTask(QUESTION)


@pytest.fixture
def memory(keyword_engine, agent):
    return learned(keyword_engine, agent)


def learned(engine, writer):
    return add(engine, Draft(content=TEXT, category=Category.GOTCHA), writer, HERE).id


def report(engine, memory, writer, *results, question=QUESTION):
    """Report by as many sessions as there are results."""
    number = read_memory(engine.store, memory).use_count
    for place, result in enumerate(results):
        session = writer._replace(session=f"session {number + place}")
        record_outcome(engine, [memory], OutcomeReport(Outcome(result), query=question), session)


def unasked(engine, writer):
    """Everything that each verb gives without having been asked for it."""
    asked = ContextQuery(task=QUESTION, peek=True)
    warned = warn(engine, AgentAction(command="make deploy"), writer, AROUND, repeat=True)
    composed = compose(engine, Composing(PromptParts(), TASK, peek=True), writer, HERE)
    return {
        "context": context(engine, asked, writer, AROUND).text,
        "context without a task": context(engine, ContextQuery(peek=True), writer, AROUND).text,
        "warning": warned.text,
        "compose": composed.text,
        "run": start(engine, TASK, writer, HERE).text or "",
    }


def giving(engine, writer):
    return {verb for verb, text in unasked(engine, writer).items() if TEXT in text}


def test_what_failed_twice_is_given_by_no_verb_and_marked_where_it_is_found(keyword_engine, agent, memory):
    assert len(giving(keyword_engine, agent)) == 5
    report(keyword_engine, memory, agent, "failed", "failed")

    assert giving(keyword_engine, agent) == set()
    assert read_memory(keyword_engine.store, memory).status is Status.ACTIVE
    found = search(keyword_engine, Query(QUESTION, peek=True), agent)
    assert [(hit.memory.id, hit.failing) for hit in found.hits] == [(memory, True)]
    assert wire.found(found)["hits"][0]["failing"] is True
    assert wire.details(show(keyword_engine, memory, agent, peek=True))["failing"] is True
    assert wire.page(list_memories(keyword_engine, Filters()))["failing"] == [memory]


@pytest.mark.parametrize("result", ["worked", "partial"])
def test_what_did_not_fail_the_last_time_is_not_failing(keyword_engine, agent, memory, result):
    report(keyword_engine, memory, agent, "failed", "failed", "failed", result)

    assert {"context", "warning"} <= giving(keyword_engine, agent)
    assert not show(keyword_engine, memory, agent, peek=True).failing


@pytest.mark.parametrize("question", [QUESTION, None], ids=["precise", "vague"])
def test_a_precise_report_protects_a_bad_memory_no_better_than_a_vague_one(
    keyword_engine, agent, memory, question
):
    report(keyword_engine, memory, agent, "failed", question=question)
    assert "warning" in giving(keyword_engine, agent)

    report(keyword_engine, memory, agent, "failed", question=question)
    assert giving(keyword_engine, agent) == set()


def test_a_score_that_has_drifted_up_is_given_again(keyword_engine, agent, clock, memory):
    report(keyword_engine, memory, agent, "failed", "failed")
    clock.pass_(days=45)

    assert "warning" in giving(keyword_engine, agent)


def test_the_setting_can_be_lower_or_off(keyword_engine, agent, memory):
    report(keyword_engine, memory, agent, "failed", "failed")
    for below in (-0.7, None):
        lenient = keyword_engine._replace(settings=keyword_engine.settings._replace(withhold_below=below))
        assert "warning" in giving(lenient, agent)
        assert not list_memories(lenient, Filters()).failing


def test_what_a_person_guards_stays_marked_and_goes_to_review(keyword_engine, agent, person):
    memory = learned(keyword_engine, person)
    report(keyword_engine, memory, agent, "failed", "failed")

    texts = unasked(keyword_engine, agent)
    assert all("needs review" in text for text in texts.values()), texts
    assert show(keyword_engine, memory, person).failing
    waiting = review(keyword_engine, Filters())
    assert [(each.kind, each.memory.id) for each in waiting.items] == [(Matter.FAILING, memory)]


def test_a_prompt_with_a_marked_line_is_reproduced_exactly(keyword_engine, agent, person):
    memory = learned(keyword_engine, person)
    report(keyword_engine, memory, agent, "failed", "failed")

    given = compose(keyword_engine, Composing(PromptParts(), TASK), agent, HERE)
    assert given.recall
    assert text_given(keyword_engine, given.recall).same


def test_a_procedure_that_failed_still_warns(keyword_engine, agent):
    save(keyword_engine, Recipe("deploy", ("run `make deploy`",)), agent, HERE)
    (memory,) = list_memories(keyword_engine, Filters()).items
    report(keyword_engine, memory.id, agent, "failed", "failed")

    assert "make deploy" in unasked(keyword_engine, agent)["warning"]


def test_the_score_that_is_shown_is_the_one_that_counts(keyword_engine, agent, clock):
    texts = ["cache in Redis", "queue in Kafka", "mail by Postfix"]
    loved, liked, hated = (add(keyword_engine, Draft(content=text), agent).id for text in texts)
    report(keyword_engine, loved, agent, *["worked"] * 4)
    report(keyword_engine, hated, agent, "failed", "failed")
    clock.pass_(days=60)
    report(keyword_engine, liked, agent, "worked", "worked", "worked")

    scores = {loved: 0.4, liked: 0.6, hated: -0.3}
    page = list_memories(keyword_engine, Filters(), sort="score")
    assert {each.id: each.outcome_score for each in page.items} == pytest.approx(scores)
    assert [each.id for each in page.items] == [liked, loved, hated]
    for each, score in scores.items():
        assert show(keyword_engine, each, agent, peek=True).memory.outcome_score == pytest.approx(score)
    hit = search(keyword_engine, Query("cache in Redis", peek=True), agent).hits[0]
    assert wire.hit(hit)["outcome_score"] == pytest.approx(0.4)
    totals = stats(keyword_engine, Filters())
    assert (totals.high, totals.low) == (1, 0)
    assert totals.average_outcome == pytest.approx(0.7 / 3)


def test_the_pages_of_a_list_by_score_hold_everything_once_while_scores_drift(keyword_engine, agent, clock):
    for number in range(5):
        memory = add(keyword_engine, Draft(content=f"tip number {number}"), agent).id
        report(keyword_engine, memory, agent, *["worked"] * (number // 2 + 1))
    clock.pass_(days=40)
    seen, after = [], None
    while True:
        page = list_memories(keyword_engine, Filters(), sort="score", limit=2, after=after)
        seen += [each.content for each in page.items]
        if (after := page.next) is None:
            break
        clock.pass_(hours=5)

    assert seen == [f"tip number {number}" for number in (4, 3, 2, 1, 0)]


def test_a_repeated_report_shows_the_score_that_counts(keyword_engine, agent, clock, memory):
    again = OutcomeReport(Outcome.WORKED, event_id="once")
    record_outcome(keyword_engine, [memory], again, agent)
    clock.pass_(days=60)

    (judged,) = record_outcome(keyword_engine, [memory], again, agent)
    assert judged.repeated
    assert judged.outcome_score == pytest.approx(0.1)

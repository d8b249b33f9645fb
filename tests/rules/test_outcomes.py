"""What the first design says about outcomes, sentence by sentence, through the shipped use cases."""

from __future__ import annotations

import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Query
from memory_layer.model.vocabulary import Outcome, Reason, Status
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.look_up.browse import stats
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import restore
from memory_layer.usecases.who.lookup import read_memory

WORKED, FAILED, PARTIAL = map(OutcomeReport, (Outcome.WORKED, Outcome.FAILED, Outcome.PARTIAL))


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def memory(engine, agent):
    return add(engine, Draft("Use Redis for caching"), agent).id


@pytest.fixture
def report(engine, agent, clock, memory):
    """Report on the memory, each time in a session of its own and a minute later; the score."""

    def report_(*reports):
        for number, each in enumerate(reports):
            clock.pass_(minutes=1)
            session = agent._replace(session=f"{clock().isoformat()} {number}")
            record_outcome(engine, [memory], each, session)
        return read_memory(engine.store, memory).outcome_score

    return report_


def test_an_outcome_score_starts_at_0(engine, memory):
    assert read_memory(engine.store, memory).outcome_score == 0.0


def test_worked_is_plus_02(report):
    assert report(WORKED) == pytest.approx(0.2)


def test_failed_is_minus_03(report):
    assert report(FAILED) == pytest.approx(-0.3)


def test_partial_is_plus_005(report):
    assert report(PARTIAL) == pytest.approx(0.05)


def test_the_score_is_clamped_to_1(report):
    assert report(*[WORKED] * 5) == 1.0
    assert report(WORKED) == 1.0


def test_the_score_is_clamped_to_minus_1(report):
    assert report(*[FAILED] * 3) == pytest.approx(-0.9)
    assert report(FAILED, FAILED) == -1.0


def test_an_outcome_adds_1_to_the_use_count(engine, memory, report):
    report(WORKED, PARTIAL, FAILED)

    assert read_memory(engine.store, memory).use_count == 3


def test_failed_twice_is_minus_06_and_effectively_hidden_from_results(engine, agent, memory, report):
    assert search(engine, Query("redis caching"), agent).hits

    assert report(FAILED, FAILED) == pytest.approx(-0.6)
    assert not search(engine, Query("redis caching"), agent).hits


def test_worked_and_then_failed_is_minus_01(report):
    assert report(WORKED, FAILED) == pytest.approx(-0.1)


def test_scores_below_minus_05_are_archived_and_not_deleted(engine, agent, memory, report):
    report(FAILED, FAILED)

    found = search(engine, Query("redis caching", Filters(statuses=(Status.ARCHIVED,))), agent)
    assert [(hit.memory.id, hit.memory.reason) for hit in found.hits] == [(memory, Reason.OUTCOME)]
    assert restore(engine, [memory], agent)[0].status is Status.ACTIVE


def test_a_score_of_exactly_minus_05_is_not_archived(engine, memory, report):
    assert report(WORKED, FAILED, FAILED, *[PARTIAL] * 4, FAILED) == pytest.approx(-0.5)
    assert read_memory(engine.store, memory).status is Status.ACTIVE


@pytest.mark.parametrize(("days", "score"), [(29, 0.4), (30, 0.4), (60, 0.2), (90, 0.1)])
def test_a_memory_unused_for_30_days_drifts_toward_0_by_half_in_another_30(
    engine, clock, report, days, score
):
    report(WORKED, WORKED)
    clock.pass_(days=days)

    assert report(PARTIAL) == pytest.approx(score + 0.05, abs=1e-4)  # the report comes a minute later


def test_always_partial_does_not_climb_to_a_high_score_when_it_is_seldom_used(clock, report):
    for _ in range(40):
        clock.pass_(days=60)
        report(PARTIAL)

    assert report(PARTIAL) < 0.16


def test_max_3_failed_ratings_an_hour_from_the_same_session(engine, agent, clock):
    memories = [
        add(engine, Draft(f"note number {name}"), agent).id for name in ("one", "two", "three", "four")
    ]

    counted = [record_outcome(engine, [each], FAILED, agent)[0].counted for each in memories]
    assert counted == [True, True, True, False]
    assert [read_memory(engine.store, each).outcome_score for each in memories] == pytest.approx(
        [-0.3, -0.3, -0.3, 0]
    )

    clock.pass_(minutes=61)
    assert record_outcome(engine, [memories[3]], FAILED, agent)[0].counted


def test_another_session_has_3_failed_ratings_of_its_own(engine, agent):
    memories = [
        add(engine, Draft(f"note number {name}"), agent).id for name in ("one", "two", "three", "four")
    ]
    record_outcome(engine, memories[:3], FAILED, agent)

    other = agent._replace(session="another")
    assert record_outcome(engine, [memories[3]], FAILED, other)[0].counted


def test_five_memories_marked_failed_in_frustration_count_as_3(engine, agent):
    memories = [add(engine, Draft(f"note {word}"), agent).id for word in ("a1", "b2", "c3", "d4", "e5")]

    judged = record_outcome(engine, memories, FAILED, agent)
    assert [each.counted for each in judged] == [True, True, True, False, False]


def test_a_failure_with_evidence_is_exempt_from_the_limit_of_3(engine, agent):
    memories = [add(engine, Draft(f"note {word}"), agent).id for word in ("a1", "b2", "c3", "d4")]
    proven = OutcomeReport(Outcome.FAILED, evidence="pytest exit code 1")

    assert all(record_outcome(engine, [each], proven, agent)[0].counted for each in memories)


def test_there_is_no_limit_on_worked(engine, agent):
    memories = [add(engine, Draft(f"note {number} of many"), agent).id for number in range(12)]

    judged = record_outcome(engine, memories, WORKED, agent)
    assert all(each.counted and each.outcome_score == pytest.approx(0.2) for each in judged)


def test_stats_call_scores_above_05_high_and_below_minus_05_low(engine, agent, clock):
    texts = ("three times worked", "once worked", "restored after two failures")
    high, _, low = [add(engine, Draft(text), agent).id for text in texts]
    for _ in range(3):
        record_outcome(engine, [high], WORKED, agent)
    record_outcome(engine, [low], FAILED, agent)
    record_outcome(engine, [low], FAILED, agent)
    restore(engine, [low], agent)

    found = stats(engine, Filters())
    assert (found.high, found.neutral, found.low) == (1, 1, 1)


def test_a_score_of_exactly_05_is_neutral(engine, report):
    assert report(WORKED, WORKED, PARTIAL, PARTIAL) == pytest.approx(0.5)
    assert stats(engine, Filters()).neutral == 1


def test_stats_count_what_fell_below_minus_05_as_archived_by_outcome(engine, report):
    report(FAILED, FAILED)

    found = stats(engine, Filters())
    assert (found.archived, found.archived_by_outcome, found.active) == (1, 1, 0)

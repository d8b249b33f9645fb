"""A memory's relevance follows what was reported of it: slowly, shown, and to be taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.model.changes import Changes, Moved
from memory_layer.model.memory import Draft
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.runs import Finish, RunResult, RunTask
from memory_layer.model.vocabulary import Outcome, Status
from memory_layer.ports import Edit
from memory_layer.rules.lifecycle import adjusted_relevance
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.history import history, revert
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.learn.relevance import follow_evidence
from memory_layer.usecases.learn.run import finish, start
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.who.lookup import read_memory
from tests.conftest import NOON

WORKED, PARTIAL, FAILED = Outcome.WORKED, Outcome.PARTIAL, Outcome.FAILED


@pytest.fixture
def engine(keyword_engine):
    """Nothing is archived here, so that what fails stays in sight."""
    return keyword_engine._replace(settings=keyword_engine.settings._replace(archive_below=None))


@pytest.fixture
def memory(engine, agent):
    return add(engine, Draft("The upload retries three times"), agent).id


@pytest.fixture
def told(engine, agent, memory, clock):
    """Report on the memory, each time in another session and an hour later."""

    def told_(*results, session=None):
        for result in results:
            clock.pass_(hours=1)
            writer = agent._replace(session=session or f"session of {clock().isoformat()}")
            query = f"question of {clock().isoformat()}"
            record_outcome(engine, [memory], OutcomeReport(result, query=query), writer)

    return told_


@pytest.fixture
def ended(engine, agent, memory):
    """End a run that used the memory."""

    def ended_(result=RunResult.FAILED):
        run = start(engine, RunTask("make uploads faster", include=(memory,)), agent)
        return finish(engine, run.id, Finish(result, used=(memory,)), agent)

    return ended_


def relevance(engine, memory):
    return read_memory(engine.store, memory).relevance


def test_the_end_of_a_run_moves_the_relevance_of_what_it_used_toward_its_reports(engine, memory, told, ended):
    told(FAILED, FAILED, FAILED)
    done = ended()

    assert done.moved == (Moved(memory, 1.0, 0.9625),)
    assert relevance(engine, memory) == 0.9625


def test_a_second_end_at_once_moves_nothing(engine, memory, told, ended):
    told(FAILED, FAILED, FAILED)
    ended()

    assert ended().moved == ()
    assert relevance(engine, memory) == 0.9625


def test_the_same_reports_count_once_however_much_time_passes(engine, memory, told, ended, clock):
    told(FAILED, FAILED, FAILED)
    ended()
    clock.pass_(days=30)

    assert ended().moved == ()


def test_it_moves_at_most_005_a_week(engine, memory, told, ended, clock):
    told(*[FAILED] * 30)
    assert 0.95 <= ended().moved[0].relevance < 0.96
    told(*[FAILED] * 30)
    clock.pass_(days=4)
    assert ended().moved == ()

    clock.pass_(days=3)
    assert 0.90 <= ended().moved[0].relevance < 0.92


def test_each_step_waits_a_week_after_the_one_before(engine, memory, told, ended, clock):
    for _ in range(2):
        told(FAILED, FAILED, FAILED)
        assert ended().moved
        clock.pass_(days=7)
    told(FAILED, FAILED, FAILED)
    assert ended().moved

    clock.pass_(days=6)
    told(FAILED, FAILED, FAILED)
    assert ended().moved == ()


def test_it_needs_3_counted_reports(engine, memory, told, ended):
    told(FAILED, FAILED)
    assert ended().moved == ()

    told(FAILED)
    assert ended().moved


def test_it_needs_reports_from_2_sessions(engine, memory, told, ended):
    told(FAILED, FAILED, FAILED, session="one angry session")
    assert ended().moved == ()

    told(FAILED)
    assert ended().moved


def test_a_report_that_did_not_count_says_nothing():
    reports = [_event(FAILED, number)._replace(counted=number < 2) for number in range(5)]

    assert adjusted_relevance(1.0, reports, None, NOON) == 1.0


def test_what_was_lowered_rises_again_with_what_worked(engine, memory, told, ended, clock):
    told(FAILED, FAILED, FAILED)
    ended()
    clock.pass_(days=7)
    told(WORKED, WORKED, WORKED)

    assert ended(RunResult.WORKED).moved == (Moved(memory, 0.9625, 1.0),)


def test_partial_reports_alone_move_nothing(engine, memory, told, ended):
    told(PARTIAL, PARTIAL, PARTIAL, PARTIAL)

    assert ended().moved == ()


def test_history_shows_each_move(engine, memory, told, ended):
    told(FAILED, FAILED, FAILED)
    ended()

    newest = history(engine, memory).versions[0]
    assert newest.action == "relevance"
    assert [(each.field, each.old, each.new) for each in newest.changes] == [("relevance", 1.0, 0.9625)]


def test_undo_takes_it_back_with_the_rest_of_the_end_and_it_is_not_moved_again(
    engine, agent, memory, told, ended, clock
):
    told(FAILED, FAILED, FAILED)
    ended()
    undo(engine, agent)
    now = read_memory(engine.store, memory)
    assert (now.relevance, now.confidence) == (1.0, 0.8)

    clock.pass_(days=30)
    assert ended().moved == ()


def test_revert_takes_it_back_and_only_new_reports_count(engine, agent, memory, told, ended, clock):
    told(FAILED, FAILED, FAILED)
    ended()
    revert(engine, memory, 1, agent)
    assert relevance(engine, memory) == 1.0
    clock.pass_(days=30)
    assert ended().moved == ()

    told(FAILED, FAILED, FAILED)
    assert ended().moved


def test_what_a_person_set_stands_until_3_new_reports(engine, person, memory, told, ended, clock):
    told(WORKED, WORKED, WORKED)
    edit(engine, memory, Changes(relevance=0.5), person)
    clock.pass_(days=8)
    assert ended().moved == ()

    told(WORKED, WORKED, WORKED)
    assert ended(RunResult.WORKED).moved == (Moved(memory, 0.5, 0.5375),)


def test_an_agent_takes_its_own_end_back_even_where_a_person_guards_the_memory(engine, agent, person, clock):
    guarded = add(engine, Draft("Never deploy on a Friday"), person).id
    for number in range(3):
        report = OutcomeReport(FAILED, query=f"question {number}")
        record_outcome(engine, [guarded], report, agent._replace(session=f"session {number}"))
    run = start(engine, RunTask("deploy"), agent)
    ended = finish(engine, run.id, Finish(RunResult.FAILED, used=(guarded,)), agent)
    assert (ended.moved, read_memory(engine.store, guarded).confidence) == ((), 0.9)
    undo(engine, agent)

    assert (relevance(engine, guarded), read_memory(engine.store, guarded).confidence) == (1.0, 1.0)


def test_a_setting_switches_it_off(engine, agent, memory, told):
    told(FAILED, FAILED, FAILED)
    still = engine._replace(settings=engine.settings._replace(relevance_step=None))
    run = start(still, RunTask("make uploads faster", include=(memory,)), agent)

    assert finish(still, run.id, Finish(RunResult.FAILED, used=(memory,)), agent).moved == ()
    assert relevance(engine, memory) == 1.0


def test_what_was_reported_on_is_moved_once_and_nothing_else(engine, agent, memory, told):
    untried = add(engine, Draft("Nobody has tried this"), agent).id
    gone = add(engine, Draft("This is in the archive"), agent).id
    told(FAILED, FAILED, FAILED)
    for number in range(3):
        record_outcome(engine, [gone], OutcomeReport(FAILED), agent._replace(session=f"session {number}"))
    with engine.store.writing():
        archived = read_memory(engine.store, gone)._replace(status=Status.ARCHIVED)
        ledger.save(engine.store, archived, Edit(agent, "op_archive", "archive", engine.now()))
    edit, every = Edit(agent, "op_run", "run", engine.now()), [untried, gone, memory]

    assert follow_evidence(engine, edit, every) == [Moved(memory, 1.0, 0.9625)]
    assert follow_evidence(engine, edit, every) == []


def _event(result, number, at=NOON):
    return OutcomeEvent(
        f"out_{number}", "mem_a", result, True, at, f"session {number}", "a", f"question {number}"
    )


@given(st.floats(0, 1), st.lists(st.sampled_from(Outcome), max_size=40))
def test_it_stays_between_01_and_1_and_never_steps_further_than_005(start_at, results):
    reports = [_event(result, number) for number, result in enumerate(results)]
    after = adjusted_relevance(start_at, reports, None, NOON)

    assert min(0.1, start_at) - 1e-4 <= after <= 1.0
    assert abs(after - start_at) <= 0.05 + 1e-4


@given(st.floats(0.1, 1), st.lists(st.sampled_from(Outcome), min_size=3, max_size=40))
def test_one_more_worked_never_gives_less_and_one_more_failed_never_more(start_at, results):
    reports = [_event(result, number) for number, result in enumerate(results)]
    plain = adjusted_relevance(start_at, reports, None, NOON)

    assert adjusted_relevance(start_at, [*reports, _event(WORKED, 99)], None, NOON) >= plain
    assert adjusted_relevance(start_at, [*reports, _event(FAILED, 99)], None, NOON) <= plain


@given(st.integers(0, 20), st.integers(0, 20))
def test_reports_before_it_was_set_and_within_a_week_of_it_say_nothing(before, days):
    set_at = NOON - timedelta(days=days)
    reports = [_event(FAILED, number, set_at - timedelta(hours=number)) for number in range(before)]

    assert adjusted_relevance(0.5, reports, set_at, NOON) == 0.5

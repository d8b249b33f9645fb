"""The doctor and the counters: whatever the program itself does to them is no damage, and what others do is found."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memory_layer.model.imports import ForeignMemory, Past
from memory_layer.model.memory import Draft
from memory_layer.model.review import Choice, Decision
from memory_layer.model.upkeep import State
from memory_layer.model.vocabulary import LinkKind, Outcome, Reason, Relation
from memory_layer.settings import load
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.govern.undo import operations, undo
from memory_layer.usecases.learn.outcome import BURST_HOURS, OutcomeReport, record_outcome
from memory_layer.usecases.look_up.browse import show
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive, reinforce, restore
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.remember.relation import add_settled
from memory_layer.usecases.transfer.bulk_add import take_in
from memory_layer.usecases.transfer.export import export_to_file
from memory_layer.usecases.transfer.import_export import import_export
from memory_layer.usecases.upkeep.doctor import examine, treat
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import open_engine, practice


@pytest.fixture
def known(keyword_engine, agent):
    return add(keyword_engine, Draft(content="The ledger is kept in hall two"), agent).id


@pytest.fixture
def office(keyword_engine, clock):
    return practice(keyword_engine.settings, "python")._replace(now=clock)


def reported(engine, memory_id, writer, *results):
    """Report these results; the operations that did it, oldest first."""
    done = []
    for result in results:
        record_outcome(engine, [memory_id], OutcomeReport(Outcome(result)), writer)
        done.append(operations(engine, limit=1)[0].id)
    return done


def alarms(office):
    return [(check.name, check.detail) for check in examine(office).checks if check.is_wrong]


def plant(office, statement):
    with closing(sqlite3.connect(office.vault.database, isolation_level=None)) as db:
        db.execute(statement)


def test_an_outcome_that_was_taken_back_is_no_damage(keyword_engine, office, agent, known):
    reported(keyword_engine, known, agent, "worked")
    undo(keyword_engine, agent)

    assert read_memory(keyword_engine.store, known).use_count == 0
    assert alarms(office) == []


def test_one_in_the_middle_taken_back_and_given_again_is_no_damage(
    keyword_engine, office, agent, known, clock
):
    first, *_ = reported(keyword_engine, known, agent, "worked", "failed", "failed", "failed")
    taken_back = undo(keyword_engine, agent, first).operation
    assert alarms(office) == []
    clock.pass_(days=50)
    reported(keyword_engine, known, agent, "failed")
    assert alarms(office) == []
    undo(keyword_engine, agent, taken_back)

    assert read_memory(keyword_engine.store, known).worked == 1
    assert alarms(office) == []


def test_failures_in_a_burst_taken_back_are_no_damage(keyword_engine, office, agent, known, clock):
    burst = reported(keyword_engine, known, agent, *["failed"] * 5)
    assert alarms(office) == []
    for operation in (burst[4], burst[1]):
        undo(keyword_engine, agent, operation)
        assert alarms(office) == []
    clock.pass_(hours=BURST_HOURS + 1)
    reported(keyword_engine, known, agent, "failed")

    assert alarms(office) == []


def test_looking_between_reports_that_are_taken_back_is_no_damage(
    keyword_engine, office, agent, person, known, clock
):
    first, _ = reported(keyword_engine, known, agent, "worked", "worked")
    clock.pass_(days=90)
    show(keyword_engine, known, person)
    undo(keyword_engine, agent, first)
    clock.pass_(days=90)
    show(keyword_engine, known, agent)

    assert alarms(office) == []


def test_confirming_and_taking_it_back_hides_no_damage(keyword_engine, office, agent, person, known):
    reported(keyword_engine, known, agent, "worked")
    reinforce(keyword_engine, [known], person)
    undo(keyword_engine, person)
    assert alarms(office) == []
    plant(office, "update memory set outcome_score = 0.9")

    assert [name for name, _ in alarms(office)] == ["counters"]


def test_a_forgotten_memory_keeps_its_counters(keyword_engine, office, agent, person, known):
    reported(keyword_engine, known, agent, "worked", "failed")
    forget(keyword_engine, [known], person)

    assert read_memory(keyword_engine.store, known).worked == 1
    assert alarms(office) == []


def test_a_memory_whose_creation_was_taken_back_and_its_text_said_again_are_no_damage(
    keyword_engine, office, agent, known
):
    reported(keyword_engine, known, agent, "worked")
    created = chain.changes(keyword_engine.store, known)
    undo(keyword_engine, agent, created[0].operation)
    again = add(keyword_engine, Draft(content="The ledger is kept in hall two"), agent)

    assert read_memory(keyword_engine.store, known).reason is Reason.UNDONE
    assert again.id != known
    assert alarms(office) == []
    undo(keyword_engine, agent)  # two in the archive that say the same
    assert alarms(office) == []


@pytest.mark.parametrize("decision", ["keep", "archive"])
def test_a_pair_that_somebody_decided_about_is_no_damage(
    keyword_engine, office, agent, person, known, decision
):
    other = add(keyword_engine, Draft(content="The ledger is kept in hall three"), agent).id
    link(keyword_engine, known, LinkKind.CONFLICTS_WITH, other, agent)
    decide(keyword_engine, Choice(known, Decision(decision), other), person)
    assert alarms(office) == []
    undo(keyword_engine, person)

    assert alarms(office) == []


def test_a_text_that_is_stored_and_merged_at_once_is_no_damage(keyword_engine, office, agent, known, clock):
    def ticking():
        clock.pass_(milliseconds=1)
        return clock()

    running = keyword_engine._replace(now=ticking)
    add_settled(running, Draft(content="Hall two has the ledger"), agent, None, Relation.SAME, known)

    assert alarms(office) == []


def test_a_clock_that_was_set_back_is_no_damage(keyword_engine, office, agent, known, clock):
    clock.pass_(days=-400)
    archive(keyword_engine, [known], agent)

    assert alarms(office) == []


@pytest.mark.parametrize("blank", [True, False], ids=["restored", "added"])
def test_an_export_brings_its_counters_with_their_reports(
    keyword_engine, agent, person, known, clock, tmp_path, blank
):
    forgotten = add(keyword_engine, Draft(content="The sextant is lent out"), agent).id
    first, *_ = reported(keyword_engine, known, agent, "worked", "failed", "partial")
    reported(keyword_engine, forgotten, agent, "worked")
    undo(keyword_engine, agent, first)
    forget(keyword_engine, [forgotten], person)
    clock.pass_(days=60)
    show(keyword_engine, known, agent)
    file = tmp_path / "all.jsonl"
    export_to_file(keyword_engine, file)
    settings = load({"MEM_HOME": str(tmp_path / "new"), "HOME": str(tmp_path)}, cwd=tmp_path)
    office = practice(settings, "python")
    with open_engine(settings, "python") as other:
        if not blank:
            add(other, Draft(content="Ferries leave at noon"), agent)
        import_export(other, file, person)
        assert read_memory(other.store, known).failed == 1
        assert alarms(office) == []
        record_outcome(other, [known], OutcomeReport(Outcome.WORKED), agent)
        assert alarms(office) == []
        undo(other, agent)

    assert alarms(office) == []


def test_reports_brought_from_another_program_and_taken_back_are_no_damage(
    keyword_engine, office, person, clock
):
    past = Past(worked=3, failed=1, judged_at=clock(), use_count=7, recall_count=9)
    item = ForeignMemory(where="list:1", draft=Draft(content="The sextant is lent out"), past=past)
    report = take_in(keyword_engine, [item], person, lambda item: None, source="test")
    assert alarms(office) == []
    taken_back = undo(keyword_engine, person, report.operation)
    assert alarms(office) == []
    restore(keyword_engine, [taken_back.memories[0].id], person)

    assert alarms(office) == []


def test_a_wrong_counter_is_found_beside_reports_that_were_taken_back(keyword_engine, office, agent, known):
    reported(keyword_engine, known, agent, "worked", "worked", "worked")
    undo(keyword_engine, agent)
    plant(office, "update memory set worked = 3")
    check = next(check for check in treat(office).checks if check.name == "counters")

    assert check.state is State.REPAIRED
    assert read_memory(keyword_engine.store, known).worked == 2


def test_a_corrected_counter_is_noted_and_can_be_taken_back(keyword_engine, office, agent, person, known):
    reported(keyword_engine, known, agent, "worked")
    plant(office, "update memory set worked = 0, outcome_score = 0")
    treat(office)
    assert (read_memory(keyword_engine.store, known).worked, alarms(office)) == (1, [])
    (operation,) = operations(keyword_engine, limit=1)
    undo(keyword_engine, person, operation.id)

    assert (operation.actions, operation.memories) == ((("repair", 1),), (known,))
    assert read_memory(keyword_engine.store, known).worked == 0

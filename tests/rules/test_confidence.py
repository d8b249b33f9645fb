"""What the second design says about confidence and approval, sentence by sentence."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput, NotAllowed
from memory_layer.model.memory import Draft
from memory_layer.model.runs import Finish, RunResult, RunTask
from memory_layer.model.vocabulary import Reason, Source, Status
from memory_layer.usecases.learn.run import finish, start
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve
from memory_layer.usecases.who.lookup import read_memory


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def kept(engine, agent):
    def kept_(text="Also check the configuration", writer=agent, **fields):
        return read_memory(engine.store, add(engine, Draft(text, **fields), writer).id)

    return kept_


@pytest.fixture
def ended(engine, agent):
    """End a run that used one memory, and read the memory."""

    def ended_(memory, result):
        run = start(engine, RunTask("a task", include=(memory.id,)), agent)
        finish(engine, run.id, Finish(result, used=(memory.id,)), agent)
        return read_memory(engine.store, memory.id)

    return ended_


def test_human_registered_memories_have_confidence_1(kept, person):
    assert kept(writer=person).confidence == 1.0


def test_memories_extracted_from_run_results_have_confidence_05(engine, agent):
    run = start(engine, RunTask("a task"), agent)
    (note,) = finish(
        engine, run.id, Finish(RunResult.WORKED, notes=("Empty the cache first",)), agent
    ).learned

    memory = read_memory(engine.store, note.id)
    assert (memory.source, memory.confidence, memory.source_run_id) == (Source.RUN, 0.5, run.id)


def test_auto_learned_memories_start_with_confidence_03(kept):
    assert kept(source=Source.LEARNING).confidence == 0.3


def test_auto_extracted_memories_get_07_to_09(kept):
    assert kept("one", source=Source.CAPTURE).confidence == 0.7
    assert kept("two", source=Source.IMPORT).confidence == 0.8
    assert kept("three").confidence == 0.8


@pytest.mark.parametrize("source", list(Source))
def test_a_caller_may_give_less_confidence_and_never_more_than_the_source_has(kept, person, source):
    most = kept("as it is", writer=person, source=source).confidence

    assert kept("more", writer=person, source=source, confidence=1.0).confidence == most
    assert kept("less", writer=person, source=source, confidence=0.1).confidence == 0.1


@pytest.mark.parametrize("confidence", [-0.01, 1.01])
def test_confidence_lies_between_0_and_1(kept, confidence):
    with pytest.raises(InvalidInput):
        kept(confidence=confidence)


def test_human_approval_raises_confidence_to_1_and_records_who_and_when(engine, kept, person, clock):
    memory = kept(source=Source.LEARNING)
    (approved,) = approve(engine, [memory.id], person)

    assert (approved.confidence, approved.approved_by, approved.approved_at) == (1.0, "ada", clock())


def test_only_a_human_approves(engine, kept, agent):
    memory = kept(source=Source.LEARNING)

    with pytest.raises(NotAllowed):
        approve(engine, [memory.id], agent)
    assert read_memory(engine.store, memory.id).confidence == 0.3


def test_a_run_referencing_a_memory_succeeds_and_it_gains_01(kept, ended):
    assert ended(kept(), RunResult.WORKED).confidence == pytest.approx(0.9)


def test_success_raises_confidence_to_at_most_1(kept, ended, person):
    assert ended(kept(writer=person), RunResult.WORKED).confidence == 1.0


def test_a_run_referencing_a_memory_fails_and_it_loses_01(kept, ended):
    assert ended(kept(), RunResult.FAILED).confidence == pytest.approx(0.7)


def test_failure_lowers_confidence_to_at_least_0(kept, ended):
    assert ended(kept(confidence=0.05), RunResult.FAILED).confidence == 0.0


def test_confidence_below_02_deactivates_a_memory(kept, ended):
    memory = ended(kept(source=Source.LEARNING), RunResult.FAILED)
    assert (memory.confidence, memory.status) == (pytest.approx(0.2), Status.ACTIVE)

    memory = ended(memory, RunResult.FAILED)
    assert (memory.confidence, memory.status, memory.reason) == (
        pytest.approx(0.1),
        Status.ARCHIVED,
        Reason.CONFIDENCE,
    )


def test_a_run_that_referenced_nothing_moves_no_confidence(engine, agent, kept):
    memory = kept()
    run = start(engine, RunTask("a task"), agent)
    done = finish(engine, run.id, Finish(RunResult.FAILED), agent)

    assert done.notice
    assert read_memory(engine.store, memory.id).confidence == 0.8


def test_approval_brings_back_what_confidence_below_02_deactivated(engine, kept, ended, person):
    memory = ended(ended(kept(source=Source.LEARNING), RunResult.FAILED), RunResult.FAILED)
    (approved,) = approve(engine, [memory.id], person)

    assert (approved.status, approved.confidence) == (Status.ACTIVE, 1.0)

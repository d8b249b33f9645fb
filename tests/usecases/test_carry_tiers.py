"""Events and procedures carried to another store: the chains whole, or begun anew and said so."""

from __future__ import annotations

import io

import pytest

from memory_layer.model.episodes import EpisodeKind, Event, HandoffParts
from memory_layer.model.memory import Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.runs import Recipe
from memory_layer.model.vocabulary import Outcome, Status
from memory_layer.ports.log import EventFilter
from memory_layer.usecases.govern.audit import verify
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn.episodes import hand_off, last_handoff, record, timeline
from memory_layer.usecases.learn.procedures import done, procedure, procedures, save
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.transfer.export import MARKDOWN, export
from memory_layer.usecases.transfer.import_export import import_export
from memory_layer.usecases.upkeep.doctor import examine
from memory_layer.wiring import practice
from tests.carried import beside, everything, exported

HARBOUR = Project(id="harbour", key="git.example/harbour", name="harbour", aliases=("git.example/harbour",))


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def other(engine, tmp_path):
    made = beside(engine, tmp_path / "other.db")
    yield made
    made.store.close()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "all.jsonl"


@pytest.fixture
def told(engine, agent, person, clock):
    """Four events of one session, the second of them forgotten, a handoff and a procedure; the ids of the events."""
    ids = []
    for number in range(4):
        clock.pass_(minutes=1)
        ids.append(record(engine, Event(f"Step {number}", EpisodeKind.ACTION), agent, HARBOUR).id)
    forget(engine, ids[1:2], person)
    hand_off(engine, HandoffParts("over to you", next=("paint it",)), agent, HARBOUR)
    save(engine, Recipe("Paint", ("sand", "paint")), agent, HARBOUR)
    done(engine, "paint", Outcome.WORKED, agent, HARBOUR)
    return ids


def chain(engine):
    return [
        tuple(row) for row in engine.store.connection.rows("select * from episode order by session, number")
    ]


def heads(engine):
    return [tuple(row) for row in engine.store.connection.rows("select * from episode_head order by session")]


def numbers(engine):
    return [(each.session, each.number) for each in timeline(engine, EventFilter()).items]


def test_a_whole_import_restores_the_chains_byte_for_byte(engine, other, file, person, told):
    file.write_bytes(exported(engine))
    import_export(other, file, person)
    assert (chain(other), heads(other)) == (chain(engine), heads(engine))
    assert exported(other) == file.read_bytes()
    assert verify(other).intact
    assert last_handoff(other, HARBOUR) == last_handoff(engine, HARBOUR)
    assert procedure(other, "paint", HARBOUR) == procedure(engine, "paint", HARBOUR)


def test_a_restored_session_goes_on_where_it_was(engine, other, file, agent, person, told):
    file.write_bytes(exported(engine))
    import_export(other, file, person)
    assert record(other, Event("One more"), agent, HARBOUR).number == 6
    assert verify(other).intact


def test_into_a_store_that_holds_something_events_come_at_the_end_of_their_sessions(
    engine, other, file, agent, person, told
):
    record(other, Event("Here first"), agent)
    file.write_bytes(exported(engine))
    report = import_export(other, file, person)
    assert dict(report.notes)["events"].startswith("4 events were appended to their sessions here")
    assert sorted(numbers(other)) == [("session-1", number) for number in range(1, 6)]
    assert verify(other).intact


def test_a_part_of_a_store_comes_in_with_chains_of_its_own(engine, other, file, agent, person, told):
    record(engine, Event("Of no project"), agent)
    out = io.BytesIO()
    export(engine, out, chosen=Filters(reach=Reach.PROJECT, project="harbour", statuses=tuple(Status)))
    file.write_bytes(out.getvalue())
    import_export(other, file, person)
    assert b'"type":"episode"' not in out.getvalue()
    assert numbers(other) == [("session-1", number) for number in range(1, 5)]
    assert [each.memory.content for each in timeline(other, EventFilter()).items[:3]] == [
        "Step 0",
        "Step 2",
        "Step 3",
    ]
    assert verify(other).intact


def test_an_agent_brings_events_and_the_chain_says_what_came_in(engine, other, file, agent, person, told):
    record(engine, Event("By a person"), person)
    file.write_bytes(exported(engine))
    import_export(other, file, agent)
    assert verify(other).intact
    assert len(numbers(other)) == 5


def test_a_second_import_knows_events_by_their_ids_whatever_numbers_they_got(
    engine, other, file, agent, person, told
):
    record(other, Event("Here first"), agent)
    file.write_bytes(exported(engine))
    import_export(other, file, person)
    before = everything(other)
    again = import_export(other, file, person)
    assert (again.added, [each.why for each in again.skipped]) == (
        0,
        ["it was forgotten; there is nothing left to import"],
    )
    assert everything(other) == before


def test_an_undone_import_that_comes_again_keeps_its_numbers(engine, other, file, agent, person, told):
    record(other, Event("Here first"), agent)
    file.write_bytes(exported(engine))
    import_export(other, file, person)
    before = chain(other)
    undo(other, person)
    assert import_export(other, file, person).added == 5
    assert chain(other) == before
    assert verify(other).intact


def test_a_dry_run_tells_the_same_and_numbers_nothing(engine, other, file, agent, person, told):
    record(other, Event("Here first"), agent)
    file.write_bytes(exported(engine))
    dry = import_export(other, file, person, dry_run=True)
    assert (numbers(other), len(chain(other))) == ([("session-1", 1)], 1)
    assert dry == import_export(other, file, person)._replace(dry_run=True, operation=None)


def test_a_procedure_whose_name_is_taken_here_is_not_doubled(engine, other, file, agent, person, told):
    save(other, Recipe("PAINT", ("buy paint",)), agent, HARBOUR)
    file.write_bytes(exported(engine))
    import_export(other, file, person)
    assert [each.steps for each in procedures(other, Filters()).items] == [("buy paint",)]


def test_a_broken_chain_is_not_carried_on_as_if_it_were_whole(engine, other, file, person, told):
    from memory_layer.errors import InvalidInput

    with engine.store.writing():
        engine.store.connection.run("delete from episode where session = 'session-1' and number = 5")
    file.write_bytes(exported(engine))
    with pytest.raises(InvalidInput, match="is an event without a session"):
        import_export(other, file, person)
    assert import_export(other, file, person, without_history=True).added == 5
    assert verify(other).intact


def test_the_doctor_finds_nothing_wrong_with_them(engine, settings, told):
    engine.store.close()
    looked = examine(practice(settings, "python"))
    assert [check.detail for check in looked.checks if check.state.value not in ("ok", "notice")] == []


def test_the_doctor_tells_a_lost_chain_and_does_not_make_it_anew(engine, settings, told):
    from memory_layer.usecases.upkeep.doctor import treat

    with engine.store.writing():
        engine.store.connection.run("delete from episode where number = 3")
    engine.store.close()
    treated = treat(practice(settings, "python"))
    audit = next(check for check in treated.checks if check.name == "audit")
    assert "event 3 is missing" in audit.detail


def test_people_read_events_with_their_kind_and_time_and_procedures_with_their_steps(engine, told):
    out = io.BytesIO()
    export(engine, out, format=MARKDOWN)
    page = out.getvalue().decode()
    assert "Step 0" in page
    assert "event 1 of session session-1: action, 2026-03-02 12:01 UTC" in page
    assert "1. sand\n2. paint" in page
    assert "procedure" in page


def test_what_is_saved_of_a_damaged_file_brings_its_chains(engine, told, tmp_path):
    from memory_layer.store.sqlite.files.salvage import salvage

    before = chain(engine), heads(engine)
    saved = tmp_path / "saved.db"
    salvage(engine.settings.database_path, saved, 5)
    other = beside(engine, saved)
    assert (chain(other), heads(other)) == before
    assert verify(other).intact
    other.store.close()

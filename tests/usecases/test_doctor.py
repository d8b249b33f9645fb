"""The doctor and what a store says: each kind of damage is found, described, repaired or honestly refused."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.upkeep import State
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.ports import Edit
from memory_layer.ports.store import New
from memory_layer.text.compare import duplicates
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.usecases.upkeep import checks, doctor
from memory_layer.usecases.upkeep.doctor import examine, treat
from memory_layer.usecases.upkeep.embed import embed_missing
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import practice
from tests.doctored import (
    check_repaired,
    contents,
    copy_of,
    found,
    planted,
    snapshot,
    state_of,
    told,
    with_model,
    wrong,
)
from tests.hashed import Hashed
from tests.passages import passages_of


def test_a_sound_store_is_well_and_untouched(office):
    before = snapshot(office.vault.database.parent)
    diagnosis = examine(office)

    assert wrong(diagnosis) == set()
    assert {check.state for check in diagnosis.checks} <= {State.OK, State.NOTICE}
    assert treat(office).copy is None
    assert snapshot(office.vault.database.parent) == before


def test_metadata_in_any_order_is_no_damage(office, agent):
    with office.open_engine() as engine:
        given = Draft(content="The quay has two cranes", metadata={"zone": "west", "area": ["north", "aft"]})
        add(engine, given, agent)

    assert wrong(examine(office)) == set()


def test_every_check_has_a_line_of_its_own(office):
    names = [check.name for check in examine(office).checks]

    assert len(names) == len(set(names))
    assert {each.name for each in checks.CHECKS} < set(names)


def test_without_a_store_nothing_is_wrong_and_none_is_made(settings):
    diagnosis = examine(practice(settings, "python"))

    assert wrong(diagnosis) == set()
    assert diagnosis.opens
    assert not settings.database_path.exists()


DAMAGES = {
    "words are missing": ("words", ["delete from memory_terms where row = 3"]),
    "words are not the text's": ("words", ["update memory_terms set body = 'nonsense' where row = 4"]),
    "a trigger is missing": ("schema", ["drop trigger memory_terms_update"]),
    "a trigger does something else": (
        "schema",
        [
            "drop trigger memory_terms_update",
            "create trigger memory_terms_update after update on memory_terms begin select 1; end",
        ],
    ),
    "an index is missing": ("schema", ["drop index memory_live_text"]),
    "the full-text table is missing": ("schema", ["drop table memory_fts"]),
    "the table of words is missing": ("schema", ["drop table memory_terms"]),
    "the full text forgot a row": (
        "full_text",
        [
            "insert into memory_fts (memory_fts, rowid, body, labels)"
            " select 'delete', row, body, labels from memory_terms where row = 5"
        ],
    ),
    "the full text knows what is not there": (
        "full_text",
        ["insert into memory_fts (rowid, body, labels) values (77, 'ghost', 'story')"],
    ),
    "the full text's own data is nonsense": (
        "full_text",
        ["update memory_fts_data set block = x'0102030405' where id > 100"],
    ),
    "a link leads nowhere": ("references", ["insert into link values (1, 999, 'relates_to', 0, 0)"]),
    "a vector belongs to nobody": (
        "references",
        ["insert into embedding values (9, 'old')", "insert into vector values (9, 998, 0, zeroblob(768))"],
    ),
    "a run was given what nobody knows": (
        "references",
        [
            "insert into run values (9, 'run_lost', 998, '[]', '[]', '[]', null, null, null)",
            "insert into run_used values (9, 999)",
        ],
    ),
    "a report names a question that is gone": ("references", ["delete from query"]),
    "a hash is not the text's": ("hashes", ["update memory set content_hash = zeroblob(32) where row = 6"]),
    "a counter is wrong": ("counters", ["update memory set worked = 0 where row = 1"]),
    "a kept count is wrong": ("counts", ["update memory_count set memories = memories + 1"]),
    "a count of tags is missing": ("counts", ["delete from tag_count"]),
    "a tag names what does not carry it": ("counts", ["insert into memory_tag values ('ghost', 1)"]),
    "a day has a count too many": ("counts", ["insert into day_count values (1, 0, 'given', 7)"]),
    "the table of counts is missing": ("schema", ["drop table memory_count"]),
    "a score is wrong": ("counters", ["update memory set outcome_score = -0.9 where row = 1"]),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found_described_and_repaired(office, name):
    check, statements = DAMAGES[name]
    before = contents(office)
    planted(office, *statements)

    check_repaired(office, check, before)
    assert found(office, "polished sextant")[0] == found(office, "sextant")[0]


@pytest.mark.parametrize("name", DAMAGES)
def test_an_examination_changes_nothing(office, name):
    planted(office, *DAMAGES[name][1])
    before = snapshot(office.vault.database.parent)
    examine(office)

    assert snapshot(office.vault.database.parent) == before


def test_a_repair_keeps_the_store_as_it_was_and_names_it(office):
    planted(office, "update memory_terms set body = 'nonsense' where row = 4")
    copy = copy_of(treat(office))

    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("select body from memory_terms where row = 4").fetchone() == ("nonsense",)


def test_a_repaired_hash_leaves_the_history_as_it_was(office):
    with office.open_engine() as engine:
        head = engine.store.chain.head()
    planted(office, "update memory set content_hash = zeroblob(32) where row = 6")
    treat(office)

    with office.open_engine() as engine:
        assert engine.store.chain.head() == head


def test_a_text_changed_behind_the_history_gets_its_hash_and_no_entry_that_would_cover_it_up(office, ids):
    planted(office, "update memory set content = 'The ledger is red' where row = 3")
    with office.open_engine() as engine:
        head = engine.store.chain.head()
    treated = treat(office)

    assert state_of(treated, "hashes").state is State.REPAIRED
    for diagnosis in (treated, examine(office)):
        assert (
            f"first at entry 3: {ids[2]} does not match audit entry 3" in state_of(diagnosis, "audit").detail
        )
    with office.open_engine() as engine:
        assert read_memory(engine.store, ids[2]).content == "The ledger is red"
        assert engine.store.chain.head() == head


def test_a_wrong_hash_that_the_history_vouches_for_is_repaired_as_a_new_version(office, ids, agent):
    with office.open_engine() as engine, engine.store.writing():
        memory = read_memory(engine.store, ids[1])
        edit = Edit(agent, "op_1", "edit", memory.updated_at)
        ledger.save(engine.store, memory._replace(content_hash="00" * 32), edit, terms_of(memory), 1)
    treated = treat(office)

    assert wrong(treated) == set()
    with office.open_engine() as engine:
        assert [change.action for change in chain.changes(engine.store, ids[1])][-1] == "repair"


def test_two_live_memories_with_one_text_are_left_to_a_person(office, ids):
    planted(
        office,
        "update memory set content = (select content from memory where row = 1) where row = 3",
    )
    treated = treat(office)

    assert state_of(treated, "hashes").state is State.CANNOT_REPAIR
    assert ids[2] in state_of(treated, "hashes").detail
    assert len(contents(office)) == len(ids)


def test_counters_that_know_more_than_the_log_are_left_alone(office, ids):
    planted(office, "update memory set worked = 5, use_count = 9 where row = 1")
    treated = treat(office)

    assert state_of(treated, "counters").state is State.CANNOT_REPAIR
    assert "no telling which is right" in state_of(treated, "counters").detail
    with office.open_engine() as engine:
        assert read_memory(engine.store, ids[0]).worked == 5


def test_a_score_that_uses_outside_the_log_may_have_moved_is_no_damage(office):
    planted(office, "update memory set outcome_score = 0.11, use_count = 4 where row = 1")

    assert wrong(examine(office)) == set()


def test_a_leftover_is_reported_and_finished_only_on_request(office, ids):
    with office.open_engine() as engine:
        left = read_memory(engine.store, ids[0])._replace(
            id=engine.new_id("mem"),
            content="A half-written fact about porcelain",
            content_hash=duplicates.content_hash(None, "A half-written fact about porcelain"),
            project=None,
            status=Status.STAGED,
            reason=Reason.WRITING,
        )
        with engine.store.writing():
            past = datetime.now(UTC) - timedelta(seconds=1)
            ledger.stage(engine.store, New(left, terms_of(left), 1), past)
    before = snapshot(office.vault.database.parent)

    assert state_of(examine(office), "leftovers").found == 1
    assert snapshot(office.vault.database.parent) == before
    assert state_of(treat(office), "leftovers").state is State.REPAIRED
    assert found(office, "porcelain") == [left.id]


@pytest.mark.model
def test_memories_without_vectors_get_them(seeing, ids):
    before = contents(seeing)
    assert state_of(examine(seeing), "vectors").found == len(ids)

    check_repaired(seeing, "vectors", before)


@pytest.mark.model
@pytest.mark.parametrize(
    "numbers", ["zeroblob(768)", "zeroblob(10)", "zeroblob(767)", "randomblob(768)"], ids=str
)
def test_a_vector_that_cannot_be_compared_is_made_again(seeing, embedder, ids, numbers):
    treat(seeing)
    with seeing.open_engine() as engine:
        good = passages_of(engine.store, ids[2], embedder.fingerprint)
    planted(seeing, f"update vector set numbers = {numbers} where memory = 3")
    check_repaired(seeing, "vectors", contents(seeing))

    with seeing.open_engine() as engine:
        assert np.allclose(passages_of(engine.store, ids[2], embedder.fingerprint), good, atol=1e-3)


@pytest.mark.model
def test_vectors_of_another_model_are_replaced(seeing, embedder):
    treat(seeing)
    planted(seeing, "update embedding set fingerprint = 'somebody-elses'")
    check_repaired(seeing, "vectors", contents(seeing))

    with closing(sqlite3.connect(seeing.vault.database)) as db:
        used = db.execute(
            "select distinct fingerprint from vector v join embedding e on e.row = v.embedding"
        ).fetchall()
    assert used == [(embedder.fingerprint,)]


@pytest.mark.model
def test_vectors_of_a_smaller_model_are_dropped_and_not_called_damaged(seeing, ids):
    smaller = Hashed()
    treat(seeing)
    with with_model(seeing, smaller) as engine:
        embed_missing(engine)
    check = state_of(examine(seeing), "vectors")

    assert (check.found, check.is_wrong) == (len(ids), True)
    assert "another model" in check.detail
    assert "`mem embed --prune`" in (check.fix or "")
    check_repaired(seeing, "vectors", contents(seeing))


def test_without_a_model_vectors_of_the_wrong_size_are_still_found(office, seeing):
    treat(seeing)
    planted(office, "update vector set numbers = zeroblob(10) where memory = 3")

    assert state_of(examine(office), "vectors").state is State.PROBLEM


def test_a_missing_model_is_a_notice_and_no_damage(office):
    check = state_of(examine(office), "model")

    assert (check.state, check.is_wrong) == (State.NOTICE, False)
    assert check.fix == "`mem model install`"


def test_files_that_others_may_open_are_closed_to_them(office):
    office.vault.save(office.vault.database.parent / "backups" / "one.db")
    places = [
        office.vault.database,
        office.vault.database.parent,
        *(office.vault.database.parent / "backups").iterdir(),
    ]
    for path in places:
        path.chmod(0o755)

    assert state_of(examine(office), "permissions").found == len(places)
    assert state_of(treat(office), "permissions").state is State.REPAIRED
    assert {stat.S_IMODE(path.stat().st_mode) for path in places} == {0o600, 0o700}


def test_the_folder_of_a_store_that_lies_elsewhere_is_not_ours_to_close(settings, office, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    os.rename(office.vault.database, shared / "memory.db")
    elsewhere = practice(
        settings._replace(
            database_path=shared / "memory.db", origins={**settings.origins, "database_path": "MEM_DB"}
        ),
        "python",
    )
    treat(elsewhere)

    assert stat.S_IMODE(shared.stat().st_mode) == 0o755


def test_a_broken_history_is_named_and_never_chained_anew(office, ids):
    planted(office, "update audit set writer = 'somebody else' where number = 4")
    with closing(sqlite3.connect(office.vault.database)) as db:
        chain = db.execute("select * from audit").fetchall()
    treated = treat(office)
    check = state_of(treated, "audit")

    assert check.state is State.CANNOT_REPAIR
    assert "entry 4" in check.detail
    assert "can still be used" in check.detail
    with closing(sqlite3.connect(office.vault.database)) as db:
        assert db.execute("select * from audit").fetchall() == chain
    assert len(contents(office)) == len(ids)


UNTRUE = {
    "a memory was changed behind its back": ("update memory set tags = '[]' where row = 3", 3),
    "an old value was changed": ("update audit_payload set payload = '{}' where number = 16", 16),
    "a note was changed": ("update audit_payload set payload = '{}' where number = 14", 14),
    "what a note said is gone": ("delete from audit_payload where number = 15", 15),
}


@pytest.mark.parametrize("name", UNTRUE)
def test_the_history_is_compared_with_what_it_is_about(office, ids, person, name):
    with office.open_engine() as engine:
        archive(
            engine, [ids[5]], person
        )  # entry 16, after twelve memories, two notes of an outcome and a link
    statement, entry = UNTRUE[name]
    planted(office, statement)
    check = state_of(treat(office), "audit")

    assert (check.state, check.found) == (State.CANNOT_REPAIR, 1)
    assert f"entry {entry}" in check.detail


def test_of_several_flaws_the_first_entry_is_named_and_the_rest_counted(office, ids):
    planted(
        office,
        "update audit set writer = 'somebody else' where number = 9",
        "update memory set tags = '[]' where row in (3, 7)",
    )
    check = state_of(examine(office), "audit")

    assert check.found == 3
    assert f"first at entry 3: {ids[2]} does not match audit entry 3, and 2 more" in check.detail


def test_a_record_that_makes_no_sense_is_named_and_the_rest_is_repaired(office, ids):
    planted(
        office,
        "update memory set category = 'gibberish' where row = 3",
        "update memory_terms set body = 'nonsense' where row = 4",
    )
    treated = treat(office)

    assert wrong(treated) == {"records", "audit"}
    assert ids[2] in state_of(treated, "records").detail
    assert state_of(treated, "words").state is State.REPAIRED


def test_a_repair_that_would_harm_something_is_taken_back(office, ids, monkeypatch):
    planted(office, "update memory_terms set body = 'nonsense' where row = 4")

    def clumsy(case):
        memory = read_memory(case.store, ids[0])._replace(worked=0)
        ledger.count(case.store, memory, Edit(case.writer, case.operation, "repair", case.now))

    clumsily = [each._replace(mend=clumsy) if each.name == "words" else each for each in checks.CHECKS]
    monkeypatch.setattr(doctor, "CHECKS", clumsily)
    before = snapshot(office.vault.database.parent)
    treated = treat(office)

    assert "rolled back" in told(treated)
    assert snapshot(office.vault.database.parent).items() >= before.items()


def test_references_that_no_repair_can_know_lead_to_a_backup_from_the_start(office):
    planted(office, "delete from project", "delete from project_alias")
    check = state_of(examine(office), "references")

    assert "--fix" not in str(check.fix)
    assert "`mem backup --list`" in str(check.fix)
    assert state_of(treat(office), "references").state is State.CANNOT_REPAIR


def test_an_edit_of_the_doctor_bears_one_operation(office, ids, agent):
    with office.open_engine() as engine, engine.store.writing():
        for number in (1, 3):
            memory = read_memory(engine.store, ids[number])
            edit = Edit(agent, "op_1", "edit", memory.updated_at)
            ledger.save(
                engine.store, memory._replace(content_hash=f"{number:064}"), edit, terms_of(memory), 1
            )
    treat(office)

    with office.open_engine() as engine:
        repaired = [change for change in chain.changes(engine.store) if change.action == "repair"]
    assert len(repaired) == 2
    assert len({change.operation for change in repaired}) == 1

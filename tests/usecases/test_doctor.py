"""The doctor: each kind of damage is found, described, repaired or honestly refused, and nothing gets worse."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from memory_layer.errors import MemoryLayerError
from memory_layer.model.memory import Draft, Project, Writer
from memory_layer.model.query import Filters, Query
from memory_layer.model.safety import State
from memory_layer.model.vocabulary import LinkKind, OnDuplicate, Outcome, Reason, Status, WriterKind
from memory_layer.policy import duplicates
from memory_layer.ports import Edit
from memory_layer.settings import load
from memory_layer.store import migrate
from memory_layer.store.sqlite import salvage
from memory_layer.usecases import checks, doctor
from memory_layer.usecases.add import add
from memory_layer.usecases.curate import archive
from memory_layer.usecases.doctor import examine, treat
from memory_layer.usecases.embed import embed_missing
from memory_layer.usecases.links import link
from memory_layer.usecases.outcome import Report, record_outcome
from memory_layer.usecases.search import search
from memory_layer.usecases.terms import terms_of
from memory_layer.wiring import open_engine, practice
from tests.faults.judgement import everything
from tests.hashed import Hashed

TOPICS = "harbour ledger sextant turbine orchard glacier violin saddle lantern compass anvil walnut".split()
PAGE = 4096


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store of a dozen memories, one of them judged and two of them linked; made once."""
    folder = tmp_path_factory.mktemp("filled")
    writer = Writer(name="tester", kind=WriterKind.AGENT, door="python", session="session-1")
    project = Project(
        id="harbour", key="git.example/harbour", name="harbour", aliases=("git.example/harbour",)
    )
    with open_engine(load({"MEM_HOME": str(folder), "HOME": str(folder)}, cwd=folder), "python") as engine:
        stored = [
            add(engine, draft(topic, number), writer, project if number % 2 else None).id
            for number, topic in enumerate(TOPICS)
        ]
        record_outcome(engine, stored[:1], Report(Outcome.WORKED, query="what about the harbour"), writer)
        link(engine, stored[1], LinkKind.RELATES_TO, stored[2], writer)
    return folder, stored


@pytest.fixture
def ids(settings, filled):
    """A copy of that store for one test."""
    folder, stored = filled
    settings.database_path.parent.mkdir(mode=0o700)
    shutil.copyfile(folder / "memory.db", settings.database_path)
    settings.database_path.chmod(0o600)
    return stored


def draft(topic, number):
    text = f"The {topic} is kept in hall {number} and {'polished daily ' * 60}"
    return Draft(content=text, tags=(topic,), on_duplicate=OnDuplicate.KEEP)


@pytest.fixture
def office(settings, ids):
    return practice(settings, "python")


@pytest.fixture
def seeing(office, embedder):
    """The same with a model."""
    return office._replace(embedder=lambda: embedder, open_engine=lambda: with_model(office, embedder))


def with_model(office, embedder):
    from contextlib import contextmanager

    @contextmanager
    def opened():
        with office.open_engine() as engine:
            yield engine._replace(embedder=lambda: embedder, fingerprint=lambda: embedder.fingerprint)

    return opened()


def planted(office, *statements):
    """Change the file behind the program's back."""
    with closing(sqlite3.connect(office.vault.database, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def state_of(diagnosis, name):
    return next(check for check in diagnosis.checks if check.name == name)


def told(diagnosis) -> str:
    assert diagnosis.note is not None
    return str(diagnosis.note)


def copy_of(diagnosis) -> Path:
    assert isinstance(diagnosis.copy, Path)
    return diagnosis.copy


def wrong(diagnosis):
    return {check.name for check in diagnosis.checks if check.is_wrong}


def contents(office):
    with office.open_engine() as engine:
        return {memory.id: memory.content for memory in everything(engine)}


def found(office, words):
    with office.open_engine() as engine:
        answer = search(engine, Query(text=words, filters=Filters(), peek=True), office.writer)
        return [hit.memory.id for hit in answer.hits]


def snapshot(folder):
    return {path: (path.read_bytes(), path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}


def root_page(office, name):
    with closing(sqlite3.connect(office.vault.database)) as db:
        return db.execute("select rootpage from sqlite_master where name = ?", [name]).fetchone()[0]


def scribble(office, page, start=0, length=PAGE):
    """Overwrite bytes of one page."""
    with office.vault.database.open("r+b") as file:
        file.seek((page - 1) * PAGE + start)
        file.write(b"\xa5" * length)


def leaves(office, table):
    """The pages that hold the rows of a table."""
    with closing(sqlite3.connect(office.vault.database)) as db:
        root = db.execute("select rootpage from sqlite_master where name = ?", [table]).fetchone()[0]
    data = office.vault.database.read_bytes()
    page = data[(root - 1) * PAGE : root * PAGE]
    if page[0] in (13, 10):
        return [root]
    assert page[0] in (5, 2)
    count = int.from_bytes(page[3:5], "big")
    cells = [int.from_bytes(page[12 + 2 * n : 14 + 2 * n], "big") for n in range(count)]
    return [int.from_bytes(page[cell : cell + 4], "big") for cell in cells] + [
        int.from_bytes(page[8:12], "big")
    ]


def as_first_made(office, key):
    """Bring the file back to the first format, which was made with either order of a vector's key."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate.apply(db, up_to=1)
        (sql,) = db.execute("select sql from sqlite_master where name = 'vector'").fetchone()
    planted(
        office,
        "alter table vector rename to vector_now",
        sql.replace("primary key (embedding, memory, passage)", f"primary key ({key})"),
        "insert into vector select * from vector_now",
        "drop table vector_now",
        "pragma user_version = 1",
    )


def vectors(office):
    with closing(sqlite3.connect(office.vault.database)) as db:
        return sorted(db.execute("select embedding, memory, passage, numbers from vector"))


def check_repaired(office, name, before):
    """Found, repaired, well at the second look, and no memory that could be read is gone."""
    assert state_of(examine(office), name).state is State.PROBLEM
    treated = treat(office)

    assert state_of(treated, name).state is State.REPAIRED, treated
    assert wrong(treated) == set()
    assert wrong(examine(office)) == set()
    assert contents(office) == before
    return treated


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
    "a report names a question that is gone": ("references", ["delete from query"]),
    "a hash is not the text's": ("hashes", ["update memory set content_hash = zeroblob(32) where row = 6"]),
    "a counter is wrong": ("counters", ["update memory set worked = 0 where row = 1"]),
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
        head = engine.store.audit_head()
    planted(office, "update memory set content_hash = zeroblob(32) where row = 6")
    treat(office)

    with office.open_engine() as engine:
        assert engine.store.audit_head() == head


def test_a_text_changed_behind_the_history_gets_its_hash_and_no_entry_that_would_cover_it_up(office, ids):
    planted(office, "update memory set content = 'The ledger is red' where row = 3")
    with office.open_engine() as engine:
        head = engine.store.audit_head()
    treated = treat(office)

    assert state_of(treated, "hashes").state is State.REPAIRED
    for diagnosis in (treated, examine(office)):
        assert f"first at entry 3: {ids[2]} is not as entry 3 left it" in state_of(diagnosis, "audit").detail
    with office.open_engine() as engine:
        assert engine.store.get(ids[2]).content == "The ledger is red"
        assert engine.store.audit_head() == head


def test_a_wrong_hash_that_the_history_vouches_for_is_repaired_as_a_new_version(office, ids, agent):
    with office.open_engine() as engine, engine.store.writing():
        memory = engine.store.get(ids[1])
        edit = Edit(agent, "op_1", "edit", memory.updated_at)
        engine.store.save(memory._replace(content_hash="00" * 32), edit, terms_of(memory), 1)
    treated = treat(office)

    assert wrong(treated) == set()
    with office.open_engine() as engine:
        assert [change.action for change in engine.store.changes(ids[1])][-1] == "repair"


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
    assert "cannot be told" in state_of(treated, "counters").detail
    with office.open_engine() as engine:
        assert engine.store.get(ids[0]).worked == 5


def test_a_score_that_uses_outside_the_log_may_have_moved_is_no_damage(office):
    planted(office, "update memory set outcome_score = 0.11, use_count = 4 where row = 1")

    assert wrong(examine(office)) == set()


def test_a_leftover_is_reported_and_finished_only_on_request(office, ids):
    with office.open_engine() as engine:
        left = engine.store.get(ids[0])._replace(
            id=engine.new_id("mem"),
            content="A half-written fact about porcelain",
            content_hash=duplicates.content_hash(None, "A half-written fact about porcelain"),
            project=None,
            status=Status.STAGED,
            reason=Reason.WRITING,
        )
        with engine.store.writing():
            past = datetime.now(UTC) - timedelta(seconds=1)
            engine.store.stage(left, terms_of(left), 1, past)
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
        good = engine.store.vectors_of(ids[2], embedder.fingerprint)
    planted(seeing, f"update vector set numbers = {numbers} where memory = 3")
    check_repaired(seeing, "vectors", contents(seeing))

    with seeing.open_engine() as engine:
        assert np.allclose(engine.store.vectors_of(ids[2], embedder.fingerprint), good, atol=1e-3)


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
    assert f"first at entry 3: {ids[2]} is not as entry 3 left it, and 2 more" in check.detail


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


def test_a_lost_table_of_memories_is_not_replaced_by_an_empty_one(office):
    planted(office, "drop table audit_payload")
    treated = treat(office)

    assert state_of(treated, "schema").state is State.CANNOT_REPAIR


def test_a_repair_that_would_harm_something_is_taken_back(office, ids, monkeypatch):
    planted(office, "update memory_terms set body = 'nonsense' where row = 4")

    def clumsy(case):
        case.store.set_counters(ids[0], {"worked": 0}, Edit(case.writer, case.operation, "repair", case.now))

    clumsily = [each._replace(mend=clumsy) if each.name == "words" else each for each in checks.CHECKS]
    monkeypatch.setattr(doctor, "CHECKS", clumsily)
    before = snapshot(office.vault.database.parent)
    treated = treat(office)

    assert "taken back" in told(treated)
    assert snapshot(office.vault.database.parent).items() >= before.items()


def test_a_damaged_index_page_is_repaired_without_losing_anything(office, ids):
    before = contents(office)
    scribble(office, root_page(office, "memory_project"), 200)
    treated = check_repaired(office, "pages", before)

    assert copy_of(treated).exists()
    with office.open_engine() as engine:
        assert len(engine.store.outcomes(ids[0])) == 1
        assert len(engine.store.links([ids[1]])) == 1


@pytest.mark.parametrize("table", ["memory_terms", "vector", "memory_fts_data", "change"])
def test_a_damaged_page_of_what_can_be_made_again_loses_nothing(office, seeing, table):
    treat(seeing)
    before = contents(office)
    scribble(office, leaves(office, table)[0])
    assert state_of(examine(office), "pages").state is State.PROBLEM
    treated = treat(seeing)

    assert wrong(treated) == set(), treated
    assert contents(office) == before
    assert "none lost" in told(treated)


def test_a_damaged_page_of_memories_is_salvaged_and_every_loss_named(office, ids):
    before = contents(office)
    pages = leaves(office, "memory")
    damaged = office.vault.database.read_bytes()
    scribble(office, pages[1])
    scribbled = office.vault.database.read_bytes()
    treated = treat(office)
    after = contents(office)
    lost = set(before) - set(after)

    assert len(pages) > 2
    assert lost
    assert lost < set(ids)
    assert set(treated.lost) == lost
    assert f"{len(lost)} lost: " in told(treated)
    assert {each: before[each] for each in after} == after
    assert wrong(examine(office)) == {"audit"}  # for good: no entry says where they went
    assert state_of(examine(office), "audit").found == len(lost)
    assert damaged != scribbled
    assert copy_of(treated).exists()
    with closing(sqlite3.connect(copy_of(treated))) as db, pytest.raises(sqlite3.DatabaseError):
        db.execute("select sum(length(content)) from memory").fetchone()


def test_losses_without_a_name_leave_the_store_in_its_place(office):
    index = root_page(office, "sqlite_autoindex_memory_1")
    memory, audit = leaves(office, "memory"), leaves(office, "audit")
    for page in (memory[1], index, *audit):
        scribble(office, page)
    before = office.vault.database.read_bytes()
    treated = treat(office)

    assert "without a name" in told(treated)
    assert office.vault.database.read_bytes() == before
    assert list((office.vault.database.parent / "backups").glob("salvaged-*.db"))
    assert "pages" in wrong(treated)


def test_a_file_without_its_beginning_is_salvaged(office):
    before = contents(office)
    scribble(office, 1, 0, 100)
    diagnosis = examine(office)
    assert not diagnosis.opens
    assert state_of(diagnosis, "words").state is State.NOT_CHECKED
    treated = treat(office)

    assert treated.opens
    assert state_of(treated, "file").state is State.REPAIRED
    assert contents(office) == before
    assert copy_of(treated).read_bytes()[:100] == b"\xa5" * 100
    assert wrong(examine(office)) == set()


def test_a_file_whose_whole_first_page_is_gone_is_salvaged(office):
    before = contents(office)
    scribble(office, 1)

    assert treat(office).opens
    assert contents(office) == before


@pytest.mark.parametrize("key", ["embedding, memory, passage", "memory, embedding, passage"])
def test_a_store_of_the_first_format_is_called_old_and_brought_up_to_date_with_its_vectors(
    office, seeing, key
):
    treat(seeing)
    before, stored = contents(office), vectors(office)
    as_first_made(office, key)
    schema = state_of(examine(office), "schema")

    assert (schema.state, schema.detail) == (
        State.NOTICE,
        f"format 1; the next command brings it to {migrate.newest()}",
    )
    assert contents(office) == before
    assert wrong(examine(office)) == set()
    assert len(stored) >= len(before)
    assert vectors(office) == stored


@pytest.mark.parametrize("key", ["embedding, memory, passage", "memory, embedding, passage"])
def test_a_damaged_store_of_the_first_format_gives_up_its_vectors_around_the_damage(office, seeing, key):
    treat(seeing)
    before, stored = contents(office), vectors(office)
    as_first_made(office, key)
    damaged = leaves(office, "vector")
    scribble(office, damaged[1])
    saved = salvage.salvage(office.vault.database, office.vault.database.with_name("new.db"), 1)
    shutil.move(saved.file, office.vault.database)

    assert len(damaged) > 2
    assert saved.saved == len(before)
    assert 0 < len(vectors(office)) < len(stored)
    assert set(vectors(office)) < set(stored)
    assert contents(office) == before


def test_a_file_that_was_cut_short_gives_up_what_is_left(office):
    before = contents(office)
    whole = office.vault.database.read_bytes()
    pages = leaves(office, "memory")
    kept = max(pages) - 1
    office.vault.database.write_bytes(whole[: kept * PAGE])
    assert not examine(office).opens
    treated = treat(office)

    if treated.opens:
        after = contents(office)
        assert after.items() <= before.items()
        assert set(treated.lost) == set(before) - set(after)
    else:
        assert office.vault.database.read_bytes() == whole[: kept * PAGE]
        assert "left as it is" in told(treated)


def test_a_file_of_which_nothing_is_left_gives_no_empty_store_and_a_way_on(office, ids):
    whole = office.vault.database.read_bytes()
    office.vault.database.write_bytes(whole[: (min(leaves(office, "memory")) - 1) * PAGE])
    treated = treat(office)

    assert not treated.opens
    assert not list((office.vault.database.parent / "backups").glob("*"))
    assert "No memory could be read" in told(treated)
    assert "`mem backup --list`" in told(treated)
    assert told(treated).count("mem_") <= 3
    assert set(treated.lost) <= set(ids)


def test_a_table_that_cannot_be_read_is_not_asked_for_more_rows_than_the_file_can_hold(office, monkeypatch):
    asked: list[str] = []
    real = salvage._until_damaged

    def counted(db, sql):
        asked.append(sql)
        return real(db, sql)

    monkeypatch.setattr(salvage, "_until_damaged", counted)
    whole = office.vault.database.read_bytes()
    office.vault.database.write_bytes(whole[: (min(leaves(office, "memory")) - 1) * PAGE])
    treat(office)

    most = len(whole) // salvage.LEAST_ROW_BYTES + 20
    for table in {sql.partition(" from ")[2].split()[0] for sql in asked}:
        assert sum(f" from {table} " in sql for sql in asked) <= most


def test_what_sqlite_says_about_damaged_pages_is_one_line_in_words(office):
    for page in leaves(office, "memory"):
        scribble(office, page)
    for check in examine(office).checks:
        assert "\n" not in check.detail
        assert "malformed" not in check.detail
        assert "***" not in check.detail


def test_advice_that_was_just_tried_is_not_given_again(office):
    for page in (
        leaves(office, "memory")[1],
        root_page(office, "sqlite_autoindex_memory_1"),
        *leaves(office, "audit"),
    ):
        scribble(office, page)
    treated, later = state_of(treat(office), "pages"), state_of(examine(office), "pages")

    assert treated.state is State.CANNOT_REPAIR
    assert "--fix" not in str(treated.fix)
    assert "`mem backup --list`" in str(treated.fix)
    assert "`mem backup --list`" in str(later.fix)


def test_references_that_no_repair_can_know_lead_to_a_backup_from_the_start(office):
    planted(office, "delete from project", "delete from project_alias")
    check = state_of(examine(office), "references")

    assert "--fix" not in str(check.fix)
    assert "`mem backup --list`" in str(check.fix)
    assert state_of(treat(office), "references").state is State.CANNOT_REPAIR


@pytest.mark.parametrize(
    "content", [b"", b"a shopping list\n" * 300, b"\0" * 8192], ids=["empty", "text", "zeros"]
)
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(office, content):
    office.vault.database.write_bytes(content)
    diagnosis = treat(office)

    assert not diagnosis.opens
    assert state_of(diagnosis, "file").state is State.CANNOT_REPAIR
    assert office.vault.database.read_bytes() == content


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("pragma user_version = 9999", "newer version"),
        ("pragma application_id = 7", "not a Memory Layer store"),
    ],
)
def test_a_newer_or_foreign_store_is_named_and_left_as_it_is(office, statement, says):
    planted(office, statement)
    before = office.vault.database.read_bytes()
    diagnosis = treat(office)

    assert not diagnosis.opens
    assert says in state_of(diagnosis, "file").detail
    assert office.vault.database.read_bytes() == before


def test_what_a_dead_process_left_in_the_log_is_read_but_not_moved(office, ids):
    database = office.vault.database
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        db.execute("pragma wal_autocheckpoint = 0")
        db.execute("update memory_terms set body = 'nonsense' where row = 4")
        left = {suffix: database.with_name(database.name + suffix).read_bytes() for suffix in ("", "-wal")}
    for suffix, data in left.items():
        database.with_name(database.name + suffix).write_bytes(data)
    diagnosis = examine(office)

    assert state_of(diagnosis, "words").found == 1
    for suffix, data in left.items():
        assert database.with_name(database.name + suffix).read_bytes() == data


def test_what_lies_in_the_log_of_a_file_without_its_beginning_is_saved_too(office, agent):
    database = office.vault.database
    with closing(sqlite3.connect(database)) as last_to_close, office.open_engine() as engine:
        last_to_close.execute("select 1 from memory").fetchone()
        late = add(engine, Draft(content="The quay has two cranes"), agent).id
        left = {suffix: database.with_name(database.name + suffix).read_bytes() for suffix in ("", "-wal")}
    for suffix, data in left.items():
        database.with_name(database.name + suffix).write_bytes(data)
    scribble(office, 1, 0, 100)
    treated = treat(office)

    assert treated.opens
    assert late in contents(office)


def test_half_written_copies_of_killed_commands_are_removed_when_they_are_old(office):
    backups = office.vault.database.parent / "backups"
    backups.mkdir(mode=0o700)
    old, new = backups / ".memory-1.db.0123abcd.part", backups / ".memory-2.db.0123abcd.part"
    for file in (old, new):
        file.touch(mode=0o600)
    os.utime(old, (1, 1))

    assert state_of(examine(office), "strays").found == 1
    assert state_of(treat(office), "strays").state is State.REPAIRED
    assert (old.exists(), new.exists()) == (False, True)


def test_a_full_disk_is_said(office, monkeypatch):
    monkeypatch.setattr(type(office.vault), "free_bytes", lambda self: (1_000_000, 200_000))
    check = state_of(examine(office), "space")

    assert check.state is State.PROBLEM
    assert "only 1 MB" in check.detail


def test_an_unfinishable_repair_is_told_and_harms_nothing(office, ids):
    planted(office, "update memory_terms set body = 'nonsense' where row = 4")

    def closed():
        raise MemoryLayerError("no")

    treated = treat(office._replace(open_engine=closed))
    assert "Not everything could be finished" in told(treated)
    assert len(contents(office)) == len(ids)
    assert wrong(treated) == set()


def test_an_edit_of_the_doctor_bears_one_operation(office, ids, agent):
    with office.open_engine() as engine, engine.store.writing():
        for number in (1, 3):
            memory = engine.store.get(ids[number])
            edit = Edit(agent, "op_1", "edit", memory.updated_at)
            engine.store.save(memory._replace(content_hash=f"{number:064}"), edit, terms_of(memory), 1)
    treat(office)

    with office.open_engine() as engine:
        repaired = [change for change in engine.store.changes() if change.action == "repair"]
    assert len(repaired) == 2
    assert len({change.operation for change in repaired}) == 1

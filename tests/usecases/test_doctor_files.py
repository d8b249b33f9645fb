"""The doctor and damaged files: what can be read is saved, every loss is named, and nothing gets worse."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from memory_layer.errors import MemoryLayerError
from memory_layer.model.memory import Draft
from memory_layer.model.upkeep import State
from memory_layer.ports.log import OutcomeFilter
from memory_layer.store import migrate
from memory_layer.store.sqlite.files import file_checks, salvage
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.upkeep.doctor import examine, treat
from tests.doctored import (
    check_repaired,
    contents,
    copy_of,
    planted,
    state_of,
    told,
    wrong,
)

PAGE = 4096


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
        first, columns = parts_of(db)
        (sql,) = db.execute("select sql from sqlite_master where name = 'vector'").fetchone()
    with closing(sqlite3.connect(office.vault.database)) as db:
        now, columns_now = parts_of(db)
    later = [(kind, name) for kind, name in now if (kind, name) not in first]
    planted(
        office,
        *(
            f"drop {kind} {name}"
            for part in ("trigger", "index", "table")
            for kind, name in later
            if kind == part
        ),
        *(
            f"alter table {table} drop column {column}"
            for table, column in columns_now
            if ("table", table) in first and (table, column) not in columns
        ),
        "alter table vector rename to vector_now",
        sql.replace("primary key (embedding, memory, passage)", f"primary key ({key})"),
        "insert into vector select * from vector_now",
        "drop table vector_now",
        "pragma user_version = 1",
    )


def parts_of(db):
    """The tables, indexes and triggers of a file by kind and name, and the columns of its tables."""
    parts = db.execute("select type, name from sqlite_master where sql is not null").fetchall()
    columns = db.execute(
        "select t.name, c.name from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'"
    )
    return parts, columns.fetchall()


def vectors(office):
    with closing(sqlite3.connect(office.vault.database)) as db:
        return sorted(db.execute("select embedding, memory, passage, numbers from vector"))


def test_a_lost_table_of_memories_is_not_replaced_by_an_empty_one(office):
    planted(office, "drop table audit_payload")
    treated = treat(office)

    assert state_of(treated, "schema").state is State.CANNOT_REPAIR


def test_a_damaged_index_page_is_repaired_without_losing_anything(office, ids):
    before = contents(office)
    scribble(office, root_page(office, "memory_project"), 200)
    treated = check_repaired(office, "pages", before)

    assert copy_of(treated).exists()
    with office.open_engine() as engine:
        assert len(engine.store.log.outcomes(OutcomeFilter(memories=[ids[0]]))) == 1
        assert len(engine.store.links.of([ids[1]])) == 1


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
        f"format 1; the next command upgrades it to {migrate.newest()}",
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
    monkeypatch.setattr(file_checks, "free_bytes", lambda database: (1_000_000, 200_000))
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

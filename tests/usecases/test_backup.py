"""Backups: complete, private, checked, never over anything; and a restore that loses nothing."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from memory_layer.errors import (
    InvalidInput,
    MemoryLayerError,
    NotAllowed,
    StoreBusy,
    StoreDamaged,
    StoreTooNew,
    StoreUnavailable,
)
from memory_layer.model.memory import Draft
from memory_layer.store import migrate
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.upkeep.backup import backup, backups, preview, restore
from memory_layer.wiring import open_engine, open_vault
from tests.conftest import NOON
from tests.faults.judgement import damages, everything


@pytest.fixture
def vault(settings):
    return open_vault(settings)


@pytest.fixture
def remember(settings, agent):
    def remembered(*texts):
        with open_engine(settings, "python") as engine:
            return [add(engine, Draft(content=text), agent).id for text in texts]

    return remembered


@pytest.fixture
def monday(vault, remember):
    """A backup of a store of two memories, to which a third came later."""
    remember("The build needs Java 21", "Prices are whole cents")
    saved = backup(vault, None, NOON)
    remember("Refunds are booked by a worker")
    return saved.file


def texts(settings):
    with open_engine(settings, "python") as engine:
        return {memory.content for memory in everything(engine)}


def kept(done) -> Path:
    assert isinstance(done.kept, Path)
    return done.kept


def listing(folder):
    return {
        path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".db-shm"
    }


MONDAY = {"The build needs Java 21", "Prices are whole cents"}
TUESDAY = MONDAY | {"Refunds are booked by a worker"}


def test_a_backup_is_named_by_the_time_and_says_what_it_holds(vault, settings, remember):
    remember("The build needs Java 21", "Prices are whole cents")
    saved = backup(vault, None, NOON)

    assert saved.file == settings.database_path.parent / "backups" / "memory-20260302T120000Z.db"
    assert (saved.memories, saved.changes, saved.flaws) == (2, 2, ())
    assert saved.size == saved.file.stat().st_size
    with open_engine(settings, "python") as engine:
        assert (saved.changes, bytes.fromhex(saved.audit_hash)) == engine.store.chain.head()


def test_a_backup_belongs_to_its_owner_alone_and_is_one_file(vault, remember):
    remember("one")
    saved = backup(vault, None, NOON)

    assert stat.S_IMODE(saved.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(saved.file.parent.stat().st_mode) == 0o700
    assert list(saved.file.parent.iterdir()) == [saved.file]
    with closing(sqlite3.connect(saved.file)) as db:
        assert db.execute("pragma journal_mode").fetchone() == ("delete",)


def test_two_backups_in_one_second_are_two_files(vault, remember):
    remember("one")
    first, second = backup(vault, None, NOON), backup(vault, None, NOON)

    assert first.file != second.file
    assert [each.file for each in backups(vault)] == [first.file, second.file]
    assert [each.contents and each.contents.memories for each in backups(vault)] == [1, 1]


def test_a_file_among_the_backups_that_is_none_is_said_to_be_none(vault, remember):
    remember("one")
    (backup(vault, None, NOON).file.parent / "notes.db").write_text("milk, eggs")

    assert [each.contents is None for each in backups(vault)] == [False, True]


def test_a_backup_is_never_written_over_anything(vault, remember, tmp_path):
    remember("one")
    (tmp_path / "there.db").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "linked").symlink_to(tmp_path / "there.db")
    before = sorted(tmp_path.iterdir())
    places = ["there.db", "folder", "dangling", "linked", "no/such/folder.db", "there.db/x"]

    for place in [*(tmp_path / name for name in places), vault.database]:
        with pytest.raises(InvalidInput):
            backup(vault, place, NOON)
    assert (tmp_path / "there.db").read_text() == "mine"
    assert sorted(tmp_path.iterdir()) == before


def test_where_the_folder_of_backups_should_be_something_else_may_lie(vault, remember):
    remember("one")
    (vault.database.parent / "backups").write_text("a file")

    with pytest.raises(MemoryLayerError):
        backup(vault, None, NOON)
    assert (vault.database.parent / "backups").read_text() == "a file"


def test_without_a_store_there_is_nothing_to_save(vault):
    with pytest.raises(StoreUnavailable, match="nothing to back up"):
        backup(vault, None, NOON)
    assert not vault.database.exists()


def test_others_write_while_a_backup_is_made_and_it_holds_one_moment(
    vault, settings, agent, remember, monkeypatch
):
    monkeypatch.setattr("memory_layer.store.sqlite.files.copies.PAGES_A_STEP", 4)
    remember(*(f"Fact {number} about the number {number * 7919}" for number in range(20)))
    written: list[str] = []
    with open_engine(settings, "python") as engine:

        def meanwhile(done, total):
            written.append(add(engine, Draft(content=f"Meanwhile {len(written)} of {total * 31}"), agent).id)

        saved = backup(vault, None, NOON, meanwhile)

    assert len(written) > 5
    assert (saved.memories, saved.flaws) == (20, ())
    assert len(texts(settings)) == 20 + len(written)


def test_a_store_with_a_broken_history_can_be_saved_and_the_flaw_is_told(vault, remember):
    remember("one", "two")
    with closing(sqlite3.connect(vault.database, isolation_level=None)) as db:
        db.execute("update audit set writer = 'nobody' where number = 1")

    assert backup(vault, None, NOON).flaws == ("the audit chain is broken at entry 1",)


@pytest.mark.parametrize(
    "edit", ["content = 'Prices are floats'", "confidence = 1.0", "approved_by = 'nobody', approved_at = 1"]
)
def test_a_memory_changed_behind_the_history_is_told_and_needs_a_second_word(
    vault, remember, person, settings, edit
):
    remember("The build needs Java 21", "Prices are whole cents")
    with closing(sqlite3.connect(vault.database, isolation_level=None)) as db:
        db.execute(f"update memory set {edit} where row = 2")
    saved = backup(vault, None, NOON)

    assert len(saved.flaws) == 1
    assert "entry 2" in saved.flaws[0]
    with pytest.raises(InvalidInput, match="--accept-broken-history"):
        restore(vault, saved.file, person, NOON)
    assert restore(vault, saved.file, person, NOON, accept_broken_history=True).restored


def test_a_forgotten_memory_is_not_counted(vault, remember, settings, person):
    first, _ = remember("The build needs Java 21", "Prices are whole cents")
    with open_engine(settings, "python") as engine:
        forget(engine, [first], person)

    assert backup(vault, None, NOON).memories == 1
    assert [each.contents and each.contents.memories for each in backups(vault)] == [1]


def test_one_dangling_reference_is_one(vault, remember):
    remember("The build needs Java 21")
    with closing(sqlite3.connect(vault.database, isolation_level=None)) as db:
        db.execute("insert into vector (embedding, memory, passage, numbers) values (9, 1, 0, x'00')")

    assert backup(vault, None, NOON).flaws == ("1 dangling reference",)


def test_only_a_person_restores(vault, monday, agent, settings):
    with pytest.raises(NotAllowed):
        preview(vault, monday, agent)
    with pytest.raises(NotAllowed):
        restore(vault, monday, agent, NOON)
    assert texts(settings) == TUESDAY


def test_a_preview_shows_both_and_changes_nothing(vault, monday, person, settings):
    before = listing(vault.database.parent)
    seen = preview(vault, monday, person)

    assert (seen.restored, seen.kept) == (False, None)
    assert (seen.before and seen.before.memories, seen.after.memories) == (3, 2)
    assert seen.after.file == monday
    assert listing(vault.database.parent) == before


def test_a_restore_puts_everything_back_and_keeps_what_was_there(vault, monday, person, settings):
    done = restore(vault, monday, person, NOON)

    assert texts(settings) == MONDAY
    assert kept(done).name == "before-restore-20260302T120000Z.db"
    with open_engine(settings, "python") as engine:
        assert damages(engine, vault.database) == []
        assert engine.store.chain.head() == (done.after.changes, bytes.fromhex(done.after.audit_hash))
    restore(vault, kept(done), person, NOON)
    assert texts(settings) == TUESDAY


def test_a_restore_leaves_no_files_about(vault, monday, person):
    restore(vault, monday, person, NOON)

    assert {path.name for path in vault.database.parent.iterdir()} == {"memory.db", "backups"}
    assert all(not path.name.startswith(".") for path in monday.parent.iterdir())


def test_an_open_store_goes_on_with_what_was_restored(vault, monday, person, agent, settings):
    with open_engine(settings, "python") as engine:
        assert len(everything(engine)) == 3
        restore(vault, monday, person, NOON)
        assert {memory.content for memory in everything(engine)} == MONDAY
        added = add(engine, Draft(content="The release train leaves on Friday"), agent)

    assert added.status == "created"
    assert texts(settings) == MONDAY | {"The release train leaves on Friday"}


def test_a_store_that_is_being_written_is_busy_and_unchanged(vault, monday, person, settings):
    hasty = open_vault(settings._replace(busy_timeout_seconds=0.1))
    with closing(sqlite3.connect(vault.database, isolation_level=None)) as db:
        db.execute("begin immediate")
        with pytest.raises(StoreBusy):
            restore(hasty, monday, person, NOON)

    assert texts(settings) == TUESDAY
    assert list(monday.parent.iterdir()) == [monday]


def test_a_store_that_is_gone_is_restored(vault, monday, person, settings):
    vault.database.unlink()
    done = restore(vault, monday, person, NOON)

    assert (done.before, done.kept) == (None, None)
    assert texts(settings) == MONDAY
    assert stat.S_IMODE(vault.database.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content", [b"", b"not a store" * 1000, b"\0" * 4096], ids=["empty", "text", "zeros"]
)
def test_a_damaged_store_is_restored_and_kept_aside_with_its_log(vault, monday, person, settings, content):
    vault.database.write_bytes(content)
    log = vault.database.with_name("memory.db-wal")
    log.write_bytes(b"what a dead process left")
    done = restore(vault, monday, person, NOON)

    assert done.before is None
    assert texts(settings) == MONDAY
    assert kept(done) == vault.database.with_name("memory.db.damaged-20260302T120000Z")
    assert kept(done).read_bytes() == content
    assert kept(done).with_name(f"{kept(done).name}-wal").read_bytes() == b"what a dead process left"


def test_a_store_with_damaged_pages_is_restored_and_kept(vault, monday, person, settings):
    with closing(sqlite3.connect(vault.database)) as db:
        page = db.execute("select rootpage from sqlite_master where name = 'meta'").fetchone()[0]
    with vault.database.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)
    damaged = vault.database.read_bytes()
    done = restore(vault, monday, person, NOON)

    assert texts(settings) == MONDAY
    assert kept(done).read_bytes() == damaged


def test_a_file_behind_a_link_is_restored_and_the_link_stays(settings, monday, person, tmp_path):
    real = tmp_path / "real.db"
    os.rename(settings.database_path, real)
    settings.database_path.symlink_to(real)
    vault = open_vault(settings)
    real.write_bytes(b"damaged")
    restore(vault, monday, person, NOON)

    assert settings.database_path.is_symlink()
    assert texts(settings) == MONDAY


def test_what_is_no_backup_is_refused(vault, monday, person, tmp_path, settings):
    foreign, junk, empty = tmp_path / "foreign.db", tmp_path / "junk.db", tmp_path / "empty.db"
    with closing(sqlite3.connect(foreign)) as db:
        db.execute("create table theirs (x)")
    junk.write_bytes(b"milk, eggs" * 500)
    empty.touch()
    (tmp_path / "folder").mkdir()
    before = listing(vault.database.parent)

    for file in (foreign, junk, empty, tmp_path / "folder", tmp_path / "missing.db"):
        with pytest.raises((InvalidInput, StoreDamaged)):
            restore(vault, file, person, NOON)
    assert listing(vault.database.parent) == before


def test_a_damaged_backup_is_refused(vault, monday, person, settings):
    with closing(sqlite3.connect(monday)) as db:
        page = db.execute("select rootpage from sqlite_master where name = 'memory'").fetchone()[0]
    with monday.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)

    with pytest.raises(StoreDamaged):
        restore(vault, monday, person, NOON)
    assert texts(settings) == TUESDAY


def test_a_backup_of_a_newer_program_is_refused(vault, monday, person, settings):
    with closing(sqlite3.connect(monday)) as db:
        db.execute("pragma user_version = 9999")

    with pytest.raises(StoreTooNew):
        restore(vault, monday, person, NOON)
    assert texts(settings) == TUESDAY


def test_a_backup_with_a_broken_history_needs_a_second_word(vault, monday, person, settings):
    with closing(sqlite3.connect(monday, isolation_level=None)) as db:
        db.execute("update audit set writer = 'nobody' where number = 1")

    with pytest.raises(InvalidInput, match="broken at entry 1"):
        restore(vault, monday, person, NOON)
    assert texts(settings) == TUESDAY
    restore(vault, monday, person, NOON, accept_broken_history=True)
    assert texts(settings) == MONDAY


def test_a_backup_of_an_older_format_is_brought_up_to_date(vault, monday, person, settings, monkeypatch):
    newer = [*migrate.migrations(), (migrate.newest() + 1, settings.database_path.parent / "9998_more.sql")]
    newer[-1][1].write_text("create table more (x integer) strict;\n")
    monkeypatch.setattr(migrate, "migrations", lambda folder=None: newer)
    restore(vault, monday, person, NOON)

    assert texts(settings) == MONDAY
    with closing(sqlite3.connect(vault.database)) as db:
        assert db.execute("select count(*) from more").fetchone() == (0,)
    with closing(sqlite3.connect(monday)) as db:
        assert db.execute("pragma user_version").fetchone() == (newer[-2][0],)


def test_somebody_elses_database_is_never_replaced(vault, monday, person, settings):
    vault.database.unlink()
    with closing(sqlite3.connect(vault.database)) as db:
        db.execute("create table theirs (x)")
    before = vault.database.read_bytes()

    with pytest.raises(MemoryLayerError):
        restore(vault, monday, person, NOON)
    assert vault.database.read_bytes() == before

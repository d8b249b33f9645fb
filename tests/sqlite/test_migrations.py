"""A new database and a migrated one are the same; a stranger's or a newer one is left alone."""

from __future__ import annotations

import sqlite3
import stat

import pytest

from memory_layer.errors import StoreDamaged, StoreTooNew, StoreUnavailable
from memory_layer.store import migrate
from memory_layer.store.sqlite import SqliteStore
from memory_layer.text import scopes


def open_store(path):
    return SqliteStore(path, busy_seconds=1, covers=scopes.matches)


def schema(db):
    return sorted(tuple(row) for row in db.execute("select type, name, tbl_name, sql from sqlite_master"))


def test_files_are_numbered_without_gaps_and_say_their_intent():
    numbers = [number for number, _ in migrate.migrations()]

    assert numbers == list(range(1, len(numbers) + 1))
    assert all(path.stem[5:].replace("_", "").isalpha() for _, path in migrate.migrations())


def test_a_new_database_equals_one_migrated_step_by_step(tmp_path):
    open_store(tmp_path / "new.db").close()
    stepped = sqlite3.connect(tmp_path / "stepped.db", isolation_level=None)
    for number, _ in migrate.migrations():
        migrate.apply(stepped, up_to=number)

    new = sqlite3.connect(tmp_path / "new.db")
    assert schema(new) == schema(stepped)
    for pragma in ("user_version", "application_id"):
        assert new.execute(f"pragma {pragma}").fetchone() == stepped.execute(f"pragma {pragma}").fetchone()


def test_every_statement_of_a_migration_is_run():
    for _, path in migrate.migrations():
        script = path.read_text(encoding="utf-8")
        assert "".join(migrate.statements(script)).strip() == script.strip()


def test_a_file_of_a_newer_program_gets_a_sentence_and_is_left_alone(tmp_path):
    path = tmp_path / "newer.db"
    open_store(path).close()
    db = sqlite3.connect(path)
    db.execute("pragma user_version = 9999")
    db.close()
    before = path.read_bytes()

    with pytest.raises(StoreTooNew, match="newer version"):
        open_store(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_left_alone(tmp_path):
    path = tmp_path / "other.db"
    db = sqlite3.connect(path)
    db.execute("create table theirs (x)")
    db.commit()
    db.close()
    before = path.read_bytes()

    with pytest.raises(StoreDamaged, match="not a Memory Layer store"):
        open_store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"this is not a database at all, it is text" * 40, b"\x00" * 4096])
def test_a_file_that_is_no_database_gets_a_sentence(tmp_path, content):
    path = tmp_path / "junk.db"
    path.write_bytes(content)

    with pytest.raises(StoreUnavailable):
        open_store(path)


def test_a_folder_in_the_place_of_the_file_gets_a_sentence(tmp_path):
    (tmp_path / "dir.db").mkdir()

    with pytest.raises(StoreUnavailable):
        open_store(tmp_path / "dir.db")


def test_the_file_and_what_lies_beside_it_belong_to_their_owner_alone(tmp_path):
    store = open_store(tmp_path / "a" / "b" / "memory.db")
    with store.writing():
        store.connection.run("insert into meta (key, value) values ('x', 'y')")

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a" / "b").iterdir()}
    assert set(modes.values()) == {0o600}
    assert "memory.db-wal" in modes
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_the_file_is_written_ahead_and_synced_fully(tmp_path):
    store = open_store(tmp_path / "memory.db")

    assert store.connection.row("pragma journal_mode")[0] == "wal"
    assert store.connection.row("pragma synchronous")[0] == 2
    assert store.connection.row("pragma foreign_keys")[0] == 1


@pytest.mark.parametrize(
    "pragmas",
    [{"user_version": 9999}, {"user_version": -1}, {"application_id": 0x47504B47}, {"user_version": 1}],
    ids=str,
)
@pytest.mark.parametrize("tables", [True, False])
def test_a_strangers_database_is_never_called_a_newer_or_an_empty_store(tmp_path, pragmas, tables):
    path = tmp_path / "other.db"
    db = sqlite3.connect(path)
    for pragma, value in pragmas.items():
        db.execute(f"pragma {pragma} = {value}")
    if tables:
        db.execute("create table theirs (x)")
    db.commit()
    db.close()
    before = path.read_bytes()

    with pytest.raises(StoreDamaged, match="not a Memory Layer store"):
        open_store(path)
    assert path.read_bytes() == before


def test_a_store_of_a_format_that_never_existed_is_left_alone(tmp_path):
    path = tmp_path / "memory.db"
    open_store(path).close()
    db = sqlite3.connect(path)
    db.execute("pragma user_version = -1")
    db.close()

    with pytest.raises(StoreDamaged, match="does not exist"):
        open_store(path)


def test_a_newer_store_made_while_we_waited_is_not_migrated(tmp_path):
    db = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
    db.execute("pragma user_version = 9999")

    with pytest.raises(StoreTooNew):
        migrate.apply(db)


def test_a_program_that_has_the_file_open_writes_nothing_into_a_newer_format(tmp_path):
    store = open_store(tmp_path / "memory.db")
    newer = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
    with store.writing():
        pass
    newer.execute("pragma user_version = 9999")

    with pytest.raises(StoreTooNew, match="while it was open"), store.writing():
        pytest.fail("a write began")
    newer.execute("begin immediate")

"""Whether the index fits the store can be told, and a store that was replaced or repaired has a new one."""

from __future__ import annotations

import os
import shutil
import stat

import numpy as np
import pytest

from memory_layer.model.vocabulary import Status
from memory_layer.ports.search import Made
from memory_layer.ports.store import IndexedTerms
from memory_layer.store.index import columns_file, folder
from memory_layer.store.index.columns_file import Content, write
from memory_layer.store.index.segment import joined
from memory_layer.store.sqlite.files.file_checks import open_to_others
from memory_layer.store.sqlite.files.record_checks import drop_vector, index_flaw, rebuild_text_index
from memory_layer.store.sqlite.files.vault import ExaminedStore, SqliteVault
from memory_layer.text import scopes
from memory_layer.usecases.who.lookup import read_memory
from tests.indexes import WORDS, World, check, files, opened, other, small


@pytest.fixture
def world(tmp_path, agent):
    world = World(tmp_path / "memory.db", agent)
    with small():
        yield world
    world.store.close()


def flaw(world):
    store = opened(world.store.connection.path, ExaminedStore)
    try:
        with store.reading():
            return index_flaw(store.connection)
    finally:
        store.close()


def vault_of(world):
    return SqliteVault(world.store.connection.path, busy_seconds=5, covers=scopes.matches)


def test_an_index_of_many_changes_fits_its_store(world):
    assert flaw(world) is None
    memories = world.many(60)
    assert flaw(world) is None
    for number, memory in enumerate(memories):
        world.change(memory, content=f"the changed port {number}", tags=("red",)) if number % 3 == 0 else None
        world.archive(memory) if number % 7 == 0 else None
        world.forget(read_memory(world.store, memory.id)) if number % 11 == 0 else None
        check(world.store) if number % 5 == 0 else None
    world.supersede(memories[2], memories[4])

    assert files(world.store)
    assert flaw(world) is None
    check(world.store)
    assert flaw(world) is None


def rewritten(world, name, change):
    """Write a segment anew with one column changed, as a fault in this program might."""
    file = files(world.store)[0]
    content = world.store.connection.beside().folder.opened(file.name).content
    stamp = file.stat()
    array = np.array(content.arrays[name])
    change(array)
    file.unlink()
    write(file, Content(content.facts, {**content.arrays, name: array}, content.lists))
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def moved(array):
    array.flat[0] += 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rows", "occurs in it exactly once"),
        ("projects", "column projects"),
        ("created", "column created"),
        ("tags", "a code without a meaning"),
        ("words.counts", "words"),
        ("tokens", "words"),
        ("vectors.1.20.ints", "vectors"),
        ("vectors.1.20.bits", "vectors"),
    ],
)
def test_a_column_that_is_not_the_stores_is_named(world, name, told):
    world.many(30)
    check(world.store)
    rewritten(world, name, moved)

    assert told in flaw(world)


def test_a_flipped_byte_is_found_even_if_nobody_touched_the_file(world):
    world.many(30)
    check(world.store)
    file = files(world.store)[0]
    stamp = file.stat()
    whole = bytearray(file.read_bytes())
    whole[columns_file._begin(columns_file._HEAD.unpack_from(whole)[1])] ^= 1
    file.write_bytes(whole)
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    assert "damaged" in flaw(world)


def read_to_the_end(world, monkeypatch):
    """How many files a new process reads to their end for one search."""
    deeply: list[bool] = []

    def watched(path, *, deep=False):
        deeply.append(deep)
        return columns_file.read(path, deep=deep)

    with monkeypatch.context() as patch, other(world) as store:
        patch.setattr(folder, "read", watched)
        check(store)
    return sum(deeply)


def test_files_that_were_copied_are_read_to_their_end_once(world, monkeypatch):
    world.many(30)
    check(world.store)
    for file in files(world.store):
        os.utime(file)

    assert read_to_the_end(world, monkeypatch) == len(files(world.store))
    assert read_to_the_end(world, monkeypatch) == 0
    assert flaw(world) is None


def test_a_memory_too_few_or_too_many_is_told(world):
    world.many(30)
    check(world.store)
    beside = world.store.connection.beside()
    segment = beside._last[1].segments[0]
    keep = np.ones(len(segment), np.bool_)
    keep[3] = False
    less = beside.folder.saved(joined([(segment, keep)]))
    listed = beside.folder.listed()
    stamped = ((less.name, beside.folder.stamp(less.name)), *listed.files[1:])
    beside.folder.publish(listed._replace(files=stamped))
    assert "occurs in it exactly once" in flaw(world)

    with world.store.writing():
        world.store.connection.run("delete from vector where memory = 30")
        world.store.connection.run("delete from memory_terms where row = 30")
        world.store.connection.run("delete from memory where row = 30")
    beside.folder.publish(listed)
    assert flaw(world) is not None


def test_a_repair_drops_the_index_and_the_next_search_makes_it(world):
    world.many(30)
    check(world.store)
    rewritten(world, "flags", moved)
    with vault_of(world).examined() as store, store.writing():
        store.mend("index")

    assert files(world.store) == []
    assert flaw(world) is None
    with other(world) as store:
        assert len(check(store)) == 30
    assert flaw(world) is None


def test_a_restored_backup_is_not_read_with_the_index_of_what_was_there(world, tmp_path):
    world.many(30)
    vault = vault_of(world)
    vault.save(tmp_path / "kept.db")
    world.many(10)
    check(world.store)
    with other(world) as open_all_along:
        assert len(check(open_all_along)) == 40
        with vault.prepared(tmp_path / "kept.db") as prepared:
            vault.replace(prepared, tmp_path / "before.db")
        assert len(check(open_all_along)) == 30
        for number in range(20):
            world.put(f"the other life {number}")
        assert len(check(open_all_along)) == 50
    with other(world) as store:
        assert len(check(store)) == 50
        assert flaw(world) is None


def test_each_restore_of_the_same_backup_is_a_life_of_its_own(world, tmp_path):
    world.many(30)
    vault = vault_of(world)
    vault.save(tmp_path / "kept.db")
    for turn in range(3):
        with vault.prepared(tmp_path / "kept.db") as prepared:
            vault.replace(prepared, tmp_path / f"before{turn}.db")
        memory = world.put(f"the walrus pays {WORDS[turn]}{turn}")
        assert check(world.store, f"{WORDS[turn]}{turn}")[memory.id][0] > 0
        assert world.row(memory) == 31
        assert flaw(world) is None


def test_a_repair_behind_the_back_of_the_index_makes_it_anew(world):
    memories = world.many(30)
    check(world.store)
    with vault_of(world).examined() as store, store.writing():
        store.connection.run("delete from change")
        store.connection.run("update memory_terms set body = 'giraff' where row = 5")
        store.mend("full_text")

    assert check(world.store, "giraffe")[memories[4].id][0] > 0
    with other(world) as store:
        assert check(store, "giraffe")[memories[4].id][0] > 0


def test_words_and_vectors_that_a_repair_replaces_are_searched_at_once(world):
    memories = world.many(30)
    check(world.store)
    with vault_of(world).examined() as store, store.writing():
        store.memories.update(memories[4].id, {}, IndexedTerms("giraff", ""))
        rebuild_text_index(store.connection, {})
        drop_vector(store.connection, "vector", 6)
    assert check(world.store, "giraffe")[memories[4].id][0] > 0
    with world.store.writing():
        world.store.vectors.put("another model", [Made(memories[7].id, np.full((1, 16), 0.25, np.float32))])
    check(world.store)
    with world.store.writing():
        assert world.store.vectors.prune("another model", None, 100) == memories[29].id
    check(world.store)
    assert flaw(world) is None


@pytest.mark.skipif(os.name != "posix", reason="modes of files are a matter of POSIX")
def test_nobody_else_can_open_the_index_and_a_repair_closes_it_again(world):
    world.many(30)
    check(world.store)
    modes = {stat.S_IMODE(file.stat().st_mode) for file in world.folder.iterdir()}
    assert (stat.S_IMODE(world.folder.stat().st_mode), modes) == (0o700, {0o600})
    world.folder.chmod(0o755)
    (world.folder / "list.json").chmod(0o644)
    vault = vault_of(world)

    assert open_to_others(vault, mend=False) == [str(world.folder), str(world.folder / "list.json")]
    open_to_others(vault, mend=True)
    assert open_to_others(vault, mend=False) == []


def test_a_copied_folder_is_read_to_its_end_once_and_believed(world, tmp_path):
    world.many(30)
    check(world.store)
    world.store.close()
    shutil.copytree(world.folder, tmp_path / "copy")  # whose files have other times
    shutil.rmtree(world.folder)
    shutil.copytree(tmp_path / "copy", world.folder, copy_function=shutil.copyfile)
    names = [file.name for file in files(world.store)]
    world.store = opened(world.store.connection.path)
    assert len(check(world.store)) == 30
    assert [
        segment.name for segment in world.store.connection.beside()._last[1].segments if segment.name in names
    ]
    assert all(memory.status is Status.ACTIVE for memory in world.many(1))

"""The doctor and the index beside the store: damage is found, and mended by making it anew."""

from __future__ import annotations

import os

import pytest

from memory_layer.model.upkeep import State
from memory_layer.store.index import search
from memory_layer.store.sqlite import search as searching
from memory_layer.usecases.upkeep.doctor import examine, treat
from memory_layer.wiring import practice
from tests.indexes import World, check, files, other, small


@pytest.fixture
def world(settings, agent):
    settings.database_path.parent.mkdir(mode=0o700)
    world = World(settings.database_path, agent)
    with small():
        world.many(30)
        check(world.store)
        yield world
    world.store.close()


@pytest.fixture
def office(settings):
    return practice(settings, "python")


def index_check(diagnosis):
    return next(each for each in diagnosis.checks if each.name == "index")


def spoilt(world):
    """Change some bytes of a segment as a failing disk would, which no time of a file tells."""
    file = max(files(world.store), key=lambda each: each.stat().st_size)
    stamp = file.stat()
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2 : len(whole) // 2 + 200] = os.urandom(200)
    file.write_bytes(whole)
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def test_a_sound_index_and_a_missing_one_are_both_well(world, office):
    assert index_check(examine(office)).state is State.OK
    world.store.connection.beside().drop()

    assert index_check(examine(office)).state is State.OK
    assert files(world.store) == []


def test_a_fault_of_the_program_costs_no_answer_and_is_told_by_the_doctor(world, office, monkeypatch):
    def faulty(*_):
        raise TypeError("a memory's own words")

    monkeypatch.setattr(search, "frequencies", faulty)
    monkeypatch.setattr(searching, "LARGE", 1)
    before = {file: file.read_bytes() for file in files(world.store)}
    with other(world) as store:
        assert store.search.frequencies(["appl"])[0] == 30
        assert store.search.view() is None, "it would fail again"
    monkeypatch.undo()
    found = index_check(examine(office))

    assert found.state is State.PROBLEM
    assert "TypeError in search.py, line" in found.detail
    assert "words" not in found.detail
    assert {file: file.read_bytes() for file in files(world.store)} == before
    assert index_check(treat(office)).state is State.REPAIRED
    assert index_check(examine(office)).state is State.OK


def test_a_spoilt_index_is_told_and_an_examination_leaves_it(world, office):
    spoilt(world)
    before = {file: file.read_bytes() for file in files(world.store)}
    found = index_check(examine(office))

    assert (found.state, found.fix) == (State.PROBLEM, "`mem doctor --fix`")
    assert "damaged" in found.detail
    assert {file: file.read_bytes() for file in files(world.store)} == before


def test_it_is_mended_by_making_it_anew_without_a_copy_of_the_store(world, office):
    spoilt(world)
    done = treat(office)

    assert index_check(done).state is State.REPAIRED
    assert done.copy is None
    with other(world) as store:
        assert len(check(store)) == 30
    assert index_check(examine(office)).state is State.OK


def test_what_was_changed_behind_the_store_is_no_longer_in_the_index_after_a_repair(world, office):
    with world.store.writing():
        world.store.connection.run("update memory_terms set body = 'giraff' where row = 5")
    assert index_check(examine(office)).state is State.PROBLEM
    done = treat(office)

    assert done.copy is not None
    assert all(bm25 == 0 for bm25, _ in check(world.store, "giraffe").values())
    assert index_check(examine(office)).state is State.OK

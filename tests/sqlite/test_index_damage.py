"""Whatever happens to the files of the index, the answers are those of the store."""

from __future__ import annotations

import errno
import json
import os
import shutil
from contextlib import closing

import numpy as np
import pytest

from memory_layer.model.query import Filters
from memory_layer.ports.search import Made
from memory_layer.store.index import columns_file, segment
from memory_layer.store.index import folder as folder_of_index
from memory_layer.store.index.codes import Codes
from memory_layer.store.index.postings import Postings
from tests.indexes import Dice, World, check, files, near, opened, other, small, sought


@pytest.fixture
def world(tmp_path, agent):
    world = World(tmp_path / "memory.db", agent)
    with small():
        yield world
    world.store.close()


def rewritten(world, **changes):
    """Change what the list says."""
    listed = world.folder / "list.json"
    listed.write_text(json.dumps(json.loads(listed.read_bytes()) | changes))


def garbled(file):
    file.write_bytes(os.urandom(200) + file.read_bytes()[200:])


def replaced_by_folder(file):
    file.unlink()
    file.mkdir()


def garbled_inside(file):
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] + os.urandom(len(whole) - len(whole) // 2))


DAMAGES = {
    "folder removed": lambda world: shutil.rmtree(world.folder),
    "list removed": lambda world: (world.folder / "list.json").unlink(),
    "list empty": lambda world: (world.folder / "list.json").write_bytes(b""),
    "list garbage": lambda world: (world.folder / "list.json").write_bytes(os.urandom(300)),
    "list without sense": lambda world: rewritten(world, segments=7),
    "newer format": lambda world: rewritten(world, format=99),
    "another lineage": lambda world: rewritten(world, lineage="other"),
    "another past": lambda world: rewritten(world, mark="00:1"),
    "a path out of the folder": lambda world: rewritten(world, segments=[["../memory.db", 1]]),
    "segment removed": lambda world: files(world.store)[0].unlink(),
    "segment empty": lambda world: files(world.store)[0].write_bytes(b""),
    "segment cut": lambda world: os.truncate(files(world.store)[0], 3000),
    "segment garbled": lambda world: garbled(files(world.store)[0]),
    "segments garbled inside": lambda world: [garbled_inside(file) for file in files(world.store)],
    "segment is a folder": lambda world: replaced_by_folder(files(world.store)[0]),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_index_is_made_anew_and_never_believed(world, how):
    world.many(30)
    check(world.store)
    world.store.close()
    DAMAGES[how](world)
    world.store = opened(world.store.connection.path)
    with other(world) as store:
        assert len(check(store)) == 30
    with other(world) as store:
        assert len(check(store)) == 30
        assert all(segment.name for segment in store.connection.beside()._last[1].segments)
    world.many(5)
    assert len(check(world.store)) == 35
    with other(world) as store:
        assert len(check(store)) == 35


#: A file that is cut or written to where it lies takes who has mapped it along; one that is replaced does not.
HARMLESS = [how for how in DAMAGES if how not in ("segment empty", "segment cut", "segments garbled inside")]


@pytest.mark.parametrize("how", HARMLESS)
def test_who_has_the_index_open_while_it_is_damaged_goes_on(world, how):
    world.many(30)
    check(world.store)
    DAMAGES[how](world)
    for _ in range(8):
        world.put()
        assert len(check(world.store)) == world.count
    listed = world.store.connection.beside().folder.listed()
    assert {name for name, _ in listed.files} == {file.name for file in files(world.store) if file.is_file()}
    with other(world) as store:
        assert len(check(store)) == 38


@pytest.mark.parametrize("how", ["folder is a file", "lock is a folder"])
def test_where_nothing_can_be_written_the_file_answers(world, how):
    world.many(30)
    check(world.store)
    if how == "folder is a file":
        shutil.rmtree(world.folder)
        world.folder.write_text("in the way")
    else:
        replaced_by_folder(world.folder / "lock")
        (world.folder / "list.json").unlink()
    with other(world) as store:
        assert store.search.view() is None
        assert len(store.search.candidates(sought("the apple pays port cash")).ids) == 30
    world.many(5)
    assert len(check(world.store)) == 35  # who has it in memory goes on with that


@pytest.mark.parametrize("failing", ["write", "replace", "fsync", "publish"])
def test_a_full_disk_costs_the_index_and_nothing_else(world, monkeypatch, failing):
    world.many(30)
    check(world.store)
    before = {file.name for file in world.folder.iterdir()}

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    if failing == "write":
        monkeypatch.setattr(folder_of_index, "write", full)
    elif failing == "publish":
        monkeypatch.setattr(folder_of_index.IndexFolder, "publish", full)
    else:
        monkeypatch.setattr(os, failing, full)
    world.many(5)
    assert len(check(world.store)) == 35
    with other(world) as store:
        assert len(check(store)) == 35
    world.many(20)
    with other(world) as store:
        assert len(store.search.candidates(sought("the apple pays port cash")).ids) == 55
    monkeypatch.undo()
    assert failing == "publish" or {file.name for file in world.folder.iterdir()} == before
    with small(), other(world) as store:
        assert len(check(store)) == 55


def test_two_stores_whose_indexes_were_exchanged_answer_for_themselves(world, tmp_path, agent):
    twin = World(tmp_path / "twin.db", agent)
    world.many(30)
    twin.many(30)
    walrus = twin.put("the walrus")
    check(world.store)
    check(twin.store)
    world.folder.rename(tmp_path / "third")
    twin.folder.rename(world.folder)
    (tmp_path / "third").rename(twin.folder)
    with other(world) as store:
        assert len(check(store)) == 30
    with other(twin) as store:
        assert check(store, "walrus")[walrus.id][0] > 0
    twin.store.close()


def test_a_store_that_was_put_back_by_hand_is_not_read_with_the_index_of_its_future(world, tmp_path):
    world.many(30)
    check(world.store)
    world.store.close()
    shutil.copy(world.store.connection.path, tmp_path / "kept.db")
    world.store = opened(world.store.connection.path)
    world.many(10)
    check(world.store)
    world.store.close()
    for more in (0, 10, 30):
        shutil.copy(tmp_path / "kept.db", world.store.connection.path)
        world.store = opened(world.store.connection.path)
        for number in range(more):
            world.put(f"another life number {number}")
        assert len(check(world.store)) == 30 + more
        world.store.close()
    world.store = opened(world.store.connection.path)


def test_vectors_alone_make_another_past_too(world, tmp_path):
    memories = [world.put(vectors=False) for _ in range(30)]
    check(world.store)
    world.store.close()
    shutil.copy(world.store.connection.path, tmp_path / "kept.db")
    world.store = opened(world.store.connection.path)
    for memory in memories[:5]:
        with world.store.writing():
            world.store.vectors.put(
                Dice.fingerprint, [Made(memory.id, Dice().embed_memories([memory.content])[0])]
            )
    check(world.store)
    world.store.close()
    shutil.copy(tmp_path / "kept.db", world.store.connection.path)
    world.store = opened(world.store.connection.path)
    world.many(10)
    assert len(check(world.store)) == 40


def forged(world, change):
    """Write a segment anew with other arrays, every checksum right and the old time of writing."""
    for file in files(world.store):
        stamp, content = file.stat().st_mtime_ns, columns_file.read(file)
        changed = {name: change(name, array) for name, array in content.arrays.items()}
        arrays = {name: array for name, array in changed.items() if array is not None}
        file.unlink()
        columns_file.write(file, content._replace(arrays=arrays))
        os.utime(file, ns=(stamp, stamp))


def beyond(column):
    return lambda name, array: np.full_like(array, 60_000) if name == column else array


def rotten(world):
    """Change bytes of every column where they lie, and leave no trace of it in the time of writing."""
    for file in files(world.store):
        stamp, whole = file.stat().st_mtime_ns, bytearray(file.read_bytes())
        half = len(whole) // 2
        whole[half:] = b"\xff" * (len(whole) - half)
        file.write_bytes(whole)
        os.utime(file, ns=(stamp, stamp))


def found(store):
    return len(store.search.candidates(sought("the apple pays port cash")).ids)


PLACES = ["status", "words.starts", "words.docs", "words.many", "token_ends", "vectors.1.20.docs"]


@pytest.mark.parametrize("column", PLACES)
def test_columns_that_contradict_each_other_cost_the_index_and_nothing_else(world, column):
    memories = world.many(30)
    check(world.store)
    forged(world, beyond(column))
    with other(world) as store:
        assert found(store) == 30
        assert len(check(store)) == 30
        question = sought("apple")
        assert len(near(store, question)) == 30
    world.store.close()
    world.store = opened(world.store.connection.path)
    assert world.forget(memories[3])
    assert len(check(world.store)) == 29


COLUMNS = [
    *segment.PLAIN,
    *segment.CODED,
    *(f"words.{name}" for name in Postings._fields),
    "tokens",
    "token_ends",
    *(f"vectors.1.20.{name}" for name in Codes._fields),
]
FORGERIES = {
    "missing": lambda array: None,
    "shorter": lambda array: array[:-1],
    "of another shape": lambda array: array.reshape(-1)[None, :, None],
    "of another kind": lambda array: array.astype(np.float64 if array.dtype != np.float64 else np.int64),
    "backwards": lambda array: np.ascontiguousarray(array[::-1]),
    "largest": lambda array: np.full_like(array, largest(array)),
    "smallest": lambda array: np.full_like(array, -largest(array) if array.dtype.kind in "if" else 0),
}


def largest(array):
    return np.finfo(array.dtype).max if array.dtype.kind == "f" else np.iinfo(array.dtype).max


@pytest.mark.parametrize("how", FORGERIES)
def test_no_column_however_forged_stops_a_search(world, tmp_path, monkeypatch, how):
    monkeypatch.setattr(os, "fsync", lambda handle: None)  # it takes most of the time
    world.many(20)
    check(world.store)
    world.folder.rename(tmp_path / "sound")
    for column in COLUMNS:
        shutil.copytree(tmp_path / "sound", world.folder)
        forged(world, lambda name, array, column=column: FORGERIES[how](array) if name == column else array)
        with other(world) as store, np.errstate(all="ignore"):
            question = sought("the apple pays port cash", Filters(tags=("red",)))
            for each in (question, question._replace(filters=Filters())):
                store.search.candidates(each)
                near(store, each)
            with store.reading():
                store.search.candidates(question)
                store.vectors.count_lacking(Dice.fingerprint, roughly=True)
        assert not (world.folder / "note.txt").exists(), f"{column} was taken for a fault of the program"
        shutil.rmtree(world.folder)


def test_bytes_that_changed_on_the_disk_are_noticed_when_somebody_stumbles_over_them(world):
    world.many(30)
    check(world.store)
    world.store.close()
    rotten(world)
    world.store = opened(world.store.connection.path)
    assert found(world.store) == 30
    assert len(check(world.store)) == 30


@pytest.mark.parametrize("kind", ["|O", "|V8", "<U2", "<M8[s]"])
def test_a_column_that_is_not_of_numbers_is_never_looked_at(world, monkeypatch, kind):
    world.many(30)
    check(world.store)
    file = files(world.store)[0]
    content = columns_file.read(file)
    written = columns_file._laid_out

    def laid_out(facts, pieces):
        return written(facts, [(a, name, [kind, *about[1:]] if name == "rows" else about, data)
                               for a, name, about, data in pieces])  # fmt: skip

    monkeypatch.setattr(columns_file, "_laid_out", laid_out)
    file.unlink()
    columns_file.write(file, content)
    with pytest.raises(columns_file.Damaged, match="a column of"):
        columns_file.read(file)


@pytest.mark.parametrize(
    "told", ["[" * 100_000, '{"format": 2, "entry": 1e999}'], ids=["endless nesting", "infinity"]
)
def test_a_list_that_no_program_would_write_is_no_list(world, told):
    world.many(30)
    check(world.store)
    (world.folder / "list.json").write_text(told)
    with other(world) as store:
        assert len(check(store)) == 30


@pytest.mark.parametrize(
    "changes",
    [{"sequence": 2**70}, {"entry": 2**70}, {"segments": [["a\0b", 1]]}, {"segments": [["\ud800", 1]]}],
    ids=["sequence", "entry", "zero byte", "half a character"],
)
def test_a_list_with_impossible_values_is_no_list(world, changes):
    world.many(30)
    check(world.store)
    rewritten(world, **changes)
    with other(world) as store:
        assert len(check(store)) == 30


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("which", ["list", "segment"])
def test_nobody_waits_at_a_pipe(world, which):
    world.many(30)
    check(world.store)
    file = world.folder / "list.json" if which == "list" else files(world.store)[0]
    file.unlink()
    os.mkfifo(file)
    with other(world) as store:
        assert len(check(store)) == 30


def test_what_others_put_into_the_folder_stays(world, tmp_path):
    theirs = [world.folder / "film.part", world.folder / "orange.segment", tmp_path / "letter"]
    world.folder.mkdir()
    for file in theirs:
        file.write_text("theirs")
    (world.folder / "list.json.part").symlink_to(tmp_path / "letter")
    world.many(30)
    check(world.store)
    assert files(world.store)
    assert [file.read_text() for file in theirs] == ["theirs"] * 3


def test_a_store_behind_a_link_has_no_second_index_that_keeps_what_is_forgotten(world, tmp_path):
    memories = world.many(30)
    (tmp_path / "link.db").symlink_to(world.store.connection.path)
    with closing(opened(tmp_path / "link.db")) as store:
        assert len(check(store)) == 30
    assert world.forget(memories[3])
    assert [path.name for path in tmp_path.glob("*-index")] == [world.folder.name]

"""Processes that fork while their threads use the memory: no child hangs, and nobody loses anything."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

import memory_layer
from memory_layer.model.query import Filters
from memory_layer.store.index.folder import IndexFolder
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.connection import Connections
from memory_layer.store.sqlite.connection_kinds import ScratchConnections
from memory_layer.text import scopes
from memory_layer.wiring import _once

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]
FORKS = 50
PATIENCE = 60.0  #: seconds after which a child counts as hung, so that the tests end
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def in_child(work: Callable[[], bool]) -> str:
    """What became of some work in a child process."""
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            os._exit(0 if work() else 1)
        os._exit(2)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return {0: "well", 256: "wrong"}.get(status, "failed")
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hung"


@contextmanager
def at_work(work: Callable[[int], object]) -> Iterator[list[int]]:
    """A thread that repeats something with ever higher numbers; those that are done."""
    done: list[int] = []
    stopped = threading.Event()

    def repeat() -> None:
        while not stopped.is_set():
            work(len(done))
            done.append(len(done))

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield done
    finally:
        stopped.set()
        thread.join(PATIENCE)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MEM_MODEL", str(tmp_path / "no model"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def test_children_of_a_process_that_writes_open_write_and_read(home):
    def work(number: int, shared: memory_layer.Memories) -> bool:
        if number % 2:
            with memory_layer.open() as memory:
                return bool(memory.add(f"Child {number} counts geese").id) and bool(
                    memory.search("geese").hits
                )
        return bool(shared.add(f"Child {number} counts geese").id) and bool(shared.search("geese").hits)

    with memory_layer.open() as shared, at_work(lambda number: shared.add(f"Duck {number} swims")) as done:
        ends = [in_child(partial(work, number, shared)) for number in range(FORKS)]
        written = len(done)
    assert ends == ["well"] * FORKS
    assert written > 0
    with memory_layer.open() as memory:
        assert memory.list().total == len(done) + FORKS


def none_open(home: Path) -> bool:
    links = Path("/proc/self/fd")
    if not links.exists():
        pytest.skip("this system does not show open files")
    return not any(str(home) in os.readlink(each) for each in links.iterdir() if each.is_symlink())


def test_no_child_has_a_connection_of_its_parent(home):
    with memory_layer.open() as memory:
        memory.add("Ducks swim")
        assert not none_open(home)
        assert in_child(partial(none_open, home)) == "well"
        assert memory.search("ducks").hits


def test_no_child_has_a_connection_that_was_being_opened(home, monkeypatch):
    opening = threading.Event()
    prepare = Connections._prepare

    def slow_prepare(store, db):
        opening.set()
        time.sleep(0.2)
        prepare(store, db)

    with memory_layer.open() as shared:
        shared.add("Geese swim")
        monkeypatch.setattr(Connections, "_prepare", slow_prepare)
        with at_work(lambda number: shared.add(f"Duck {number} swims")):
            opening.wait(PATIENCE)
            assert in_child(partial(none_open, home)) == "well"


def test_rows_that_are_read_one_by_one_and_a_transaction_outlast_a_fork(tmp_path):
    store = SqliteStore(tmp_path / "memory.db", busy_seconds=5, covers=scopes.matches)
    rows = store.connection.each("select value from json_each('[1, 2, 3]')")
    first = next(rows)[0]
    assert in_child(lambda: True) == "well"
    assert [first, *(row[0] for row in rows)] == [1, 2, 3]
    with store.writing():
        assert in_child(lambda: True) == "well"
        store.connection.run("insert into change (memory) values (1)")
    assert store.sequence() == 1
    store.close()


def test_what_is_only_in_memory_outlasts_a_fork():
    store = SqliteStore(
        Path(":memory:"), busy_seconds=0, covers=scopes.matches, connections=ScratchConnections
    )
    with store.writing():
        store.connection.run("insert into change (memory) values (1)")

    assert in_child(lambda: True) == "well"
    assert store.sequence() == 1
    store.close()


def test_a_store_that_another_thread_just_opens_can_be_used_in_a_child(tmp_path):
    store = SqliteStore(tmp_path / "memory.db", busy_seconds=5, covers=scopes.matches)
    with store.connection._guard:
        waits = threading.Thread(target=store.sequence)
        waits.start()
        ends = in_child(lambda: store.memories.page(Filters(), NOON, "created", 5, None).total == 0)
    waits.join(PATIENCE)
    store.close()
    assert ends == "well"


def test_the_lock_of_the_index_is_let_go_although_a_child_has_the_same_handle(tmp_path):
    folder = IndexFolder(tmp_path / "index")
    read, write = os.pipe()
    with folder.locked() as mine:
        assert mine
        child = os.fork()
        if child == 0:
            os.read(read, 1)
            os._exit(0)
    with folder.locked() as again:
        free = again
    os.write(write, b"x")
    os.waitpid(child, 0)
    assert free


def test_a_model_that_another_thread_is_loading_can_be_loaded_in_a_child():
    loading, go_on = threading.Event(), threading.Event()

    def load() -> None:
        loading.set()
        go_on.wait(0 if threading.current_thread() is threading.main_thread() else PATIENCE)

    get = _once(load)
    thread = threading.Thread(target=get)
    thread.start()
    loading.wait(PATIENCE)
    ends = in_child(lambda: get() is None)
    go_on.set()
    thread.join(PATIENCE)
    assert ends == "well"

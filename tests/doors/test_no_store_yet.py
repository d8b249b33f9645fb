"""Where no store exists, reading and refused calls leave none behind, and the first write creates it."""

from __future__ import annotations

import threading

import pytest

from memory_layer.doors.python import open_memory
from memory_layer.errors import InvalidInput, MemoryLayerError, NotFound
from tests.doors.in_process import tools

READS = [
    ("search", "deploy"),
    ("search", "deploy", "--mode", "keyword"),
    ("why", "deploy"),
    ("context",),
    ("context", "--task", "deploy the shop"),
    ("compose", "--task", "deploy the shop"),
    ("warn", "--command", "make deploy"),
    ("list",),
    ("stats",),
    (),
    ("timeline",),
    ("recalls",),
    ("review",),
    ("projects",),
    ("audit", "verify"),
    ("export",),
]
REFUSED = [
    ("show", "nope"),
    ("add", ""),
    ("add", "The shop is deployed by hand", "--project", "./nope"),
    ("outcome", "nope", "worked"),
    ("reinforce", "nope"),
    ("archive", "nope"),
    ("edit", "nope", "--content", "Something else"),
    ("links", "nope", "--add", "related", "other"),
    ("review", "nope", "--decide", "approve"),
    ("procedure", "done", "release", "--worked"),
    ("undo",),
]


@pytest.mark.parametrize("arguments", READS, ids=" ".join)
def test_a_command_that_reads_creates_no_store(machine, mem, arguments):
    assert mem(*arguments).code == 0
    assert not (machine / "home").exists()


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_a_command_that_is_refused_creates_no_store(machine, mem, arguments):
    assert mem(*arguments).code in (2, 3)
    assert not (machine / "home").exists()


def test_python_creates_the_store_with_the_first_memory_and_reads_it_at_once(machine):
    with open_memory() as memory:
        assert memory.search("deploy").hits == ()
        assert memory.search("deploy").recall is None
        with pytest.raises(InvalidInput):
            memory.add(" ")
        with pytest.raises(NotFound):
            memory.outcome("nope", "worked")
        assert not (machine / "home").exists()
        memory.add("The shop is deployed by hand")

        assert (machine / "home" / "memory.db").exists()
        found = memory.search("deployed shop")
        assert [hit.memory.content for hit in found.hits] == ["The shop is deployed by hand"]
        assert found.recall is not None


def test_a_tool_creates_the_store_with_the_first_memory_and_reads_it_at_once(machine):
    with tools(machine / "work") as call:
        call("memory_recall", query="deploy")
        call("memory_context", task="deploy the shop")
        call.refused("memory_learn", content="")
        assert not (machine / "home").exists()
        call("memory_learn", content="The shop is deployed by hand")

        assert "by hand" in str(call("memory_recall", query="deployed shop"))


def test_a_reader_sees_the_store_that_another_one_creates(machine):
    with open_memory() as reader, open_memory() as writer:
        assert reader.search("deploy").hits == ()
        writer.add("The shop is deployed by hand")

        assert len(reader.search("deployed shop").hits) == 1


def test_threads_that_write_first_at_the_same_moment_lose_nothing(machine):
    begin = threading.Barrier(4)
    failed: list[MemoryLayerError] = []

    def add(number: int) -> None:
        begin.wait()
        try:
            memory.add(f"Server {number} stands in hall {number * 7}", on_duplicate="keep")
        except MemoryLayerError as error:
            failed.append(error)

    with open_memory() as memory:
        threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert failed == []
        assert memory.list().total == 4

"""A store that is put in the place of the server's own while calls are under way: each ends well or in a sentence."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import pytest

from memory_layer.doors.mcp.serving import Client, Offer, Serving
from memory_layer.doors.mcp.tools import CORE
from memory_layer.errors import MemoryLayerError, StoreUnavailable
from memory_layer.settings import load
from memory_layer.verbs.look_up import STATS

SWAPS, WORKERS = 8, 3


@pytest.fixture
def serving(machine):
    made = Serving(load(), Offer(CORE, here=machine / "work"))
    yield made
    made.close()


def put_in_place(machine: Path, saved: Path) -> None:
    """What a person does who copies a backup over the store by hand."""
    database = machine / "home" / "memory.db"
    fresh = machine / "fresh.db"
    fresh.write_bytes(saved.read_bytes())
    for beside in ("-wal", "-shm"):
        database.with_name(f"memory.db{beside}").unlink(missing_ok=True)
    fresh.replace(database)


def test_calls_go_on_while_the_file_is_swapped_for_a_backup(machine, mem, serving):
    mem("add", "The harbour opens at six")
    saved = machine / "saved.db"
    mem("backup", str(saved))
    told: Counter[str] = Counter()
    over = threading.Event()

    def work(number: int) -> None:
        turn = 0
        while not over.is_set():
            turn += 1
            try:
                serving.run("memory_recall", {"query": "harbour"}, Client(f"agent-{number}"))
                serving.run("memory_learn", {"content": f"Crane {number} turned {turn} times"}, Client())
                told["answered"] += 1
            except MemoryLayerError as error:
                told[error.code] += 1
            except Exception as error:  # noqa: BLE001  the test tells it
                told[f"{type(error).__name__}: {error}"] += 1

    workers = [threading.Thread(target=work, args=(number,)) for number in range(WORKERS)]
    for worker in workers:
        worker.start()
    for _ in range(SWAPS):
        answered = told["answered"]
        while told["answered"] < answered + WORKERS:
            over.wait(0.01)
        put_in_place(machine, saved)
    over.set()
    for worker in workers:
        worker.join(60)

    assert set(told) <= {"answered", "store_unavailable", "store_busy", "store_damaged"}, told
    assert told["answered"] > SWAPS * WORKERS
    put_in_place(machine, saved)
    assert serving.run("memory_stats", {}, Client())["total"] == 1
    assert serving.run("memory_learn", {"content": "It goes on"}, Client())["status"] == "created"
    assert mem("audit", "verify").code == 0


def test_a_call_keeps_its_store_until_it_ends_and_the_next_one_has_the_new_file(machine, mem, serving):
    mem("add", "The harbour opens at six")
    saved = machine / "saved.db"
    mem("backup", str(saved))
    mem("add", "The crane is red")

    with serving.dispatcher(Client()) as under_way:
        assert under_way.run(STATS, {}).total == 2
        put_in_place(machine, saved)
        assert serving.run("memory_stats", {}, Client())["total"] == 1
        assert under_way.run(STATS, {}).total == 2
    with pytest.raises(StoreUnavailable, match="closed"):
        under_way.run(STATS, {})


def test_closing_waits_for_the_call_that_is_under_way(serving, mem):
    mem("add", "The harbour opens at six")
    with serving.dispatcher(Client()) as under_way:
        serving.close()
        assert under_way.run(STATS, {}).total == 1
    with pytest.raises(StoreUnavailable, match="closed"):
        under_way.run(STATS, {})

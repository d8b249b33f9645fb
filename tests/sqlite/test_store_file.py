"""Tables, threads and the file of a SQLite store."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest

from memory_layer.errors import StoreDamaged, StoreUnavailable
from memory_layer.model.query import Filters
from memory_layer.ports import Edit
from memory_layer.ports.search import Made, Sought
from memory_layer.ports.store import Entries
from memory_layer.store.sqlite.connection import ROWS
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.usecases.who.lookup import read_memory
from tests.conftest import NOON


def words(store, *terms, filters=None, phrases=()):
    """The ids of what is found by words, best first."""
    pool = store.search.candidates(Sought(terms, phrases, None, "", filters or Filters(), NOON, 50))
    return [each for _, each in sorted(zip(pool.keyword_rank, pool.ids, strict=True))]


def test_full_text_survives_its_own_integrity_check_and_a_rebuild(store, put, agent):
    kept = put("red apples", tags=("fruit",))
    moved = put("green pears")
    with store.writing():
        edited = moved._replace(content="yellow plums", tags=("stone",))
        ledger.save(store, edited, Edit(agent, "op_2", "edit", NOON), terms_of(edited))
        store.connection.run("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")
    before = [words(store, term) for term in ("appl", "fruit", "pear", "plum", "stone")]
    with store.writing():
        store.connection.run("insert into memory_fts (memory_fts) values ('rebuild')")

    assert before == [[kept.id], [kept.id], [], [moved.id], [moved.id]]
    assert [words(store, term) for term in ("appl", "fruit", "pear", "plum", "stone")] == before


def test_an_edit_a_gap_and_a_cut_in_the_chain_are_noticed(store, put):
    for n in range(5):
        put(f"text {n}")
    assert list(chain.chain_flaws(store)) == []

    for damage, broken in (
        ("update audit set writer = 'mallory' where number = 3", 3),
        ("delete from audit where number = 2", 2),
        ("delete from audit where number = 5", 5),
        ("update audit set after = zeroblob(32) where number = 1", 1),
    ):
        with suppress(ZeroDivisionError), store.writing():
            store.connection.run(damage)
            assert next(chain.chain_flaws(store)).entry == broken
            raise ZeroDivisionError


def test_a_thread_that_ended_leaves_no_connection_open(store, put):
    put("first")

    def look():
        store.memories.page(Filters(), NOON, "created", 5, None)

    for _ in range(30):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()

    assert len(store.connection._all) == 1


def test_rows_that_another_thread_drops_half_way_keep_no_store_open(store, put):
    for n in range(ROWS + 1):
        put(f"number {n}")
    begun: list[object] = []
    dropped = threading.Event()

    def begin():
        rows = store.chain.entries(Entries())
        next(rows)
        begun.append(rows)
        del rows
        dropped.wait()

    reader = threading.Thread(target=begin)
    reader.start()
    while not begun:
        pass
    begun.clear()  # as the garbage collector does, in whatever thread it runs
    closer = threading.Thread(target=store.close, daemon=True)
    closer.start()
    closer.join(timeout=30)
    dropped.set()
    reader.join()

    assert not closer.is_alive()


def test_a_store_that_was_replaced_while_open_takes_no_writes(store, put):
    put("first")
    os.replace(store.connection.path, f"{store.connection.path}.moved")
    store.connection.path.write_bytes(b"")

    with pytest.raises(StoreUnavailable, match="replaced"):
        put("second")


def test_a_child_process_never_uses_its_parents_connection(open_store, store, put):
    put("first")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.read(read, 1)
        for n in range(3):
            put(f"from the child {n}")
        os._exit(0)
    store.close()
    os.write(write, b"x")
    _, status = os.waitpid(child, 0)
    os.close(read)
    os.close(write)

    total = open_store().memories.page(Filters(), NOON, "created", 5, None).total
    assert (status, total) == (0, 4)


def test_a_row_that_makes_no_sense_is_named(store, put):
    memory = put("kept")
    with store.writing():
        store.connection.run("update memory set tier = 'nonsense'")

    with pytest.raises(StoreDamaged, match=memory.id):
        read_memory(store, memory.id)


def test_totals_look_up_vectors_by_memory(store):
    plan = store.connection.rows(
        "explain query plan select exists (select 1 from vector v where v.memory = 1)"
    )

    assert all("SCAN v" not in row["detail"] for row in plan)


def test_each_memory_with_new_or_dropped_vectors_is_noted_once(store, put):
    for text in ("apples", "pears", "plums"):
        put(text)
    waiting = store.vectors.lacking("old", 10)
    moments = [store.sequence()]
    for fingerprint in ("old", "new"):
        made = [Made(each.id, np.array([[1.0, 0.0]], np.float32), each.content) for each in waiting]
        with store.writing():
            store.vectors.put(fingerprint, made)
        moments.append(store.sequence())
    with store.writing():
        store.vectors.prune("new", None, 10)
    moments.append(store.sequence())

    assert [after - before for before, after in pairwise(moments)] == [3, 3, 3]

"""What was forgotten is in no byte of the file."""

from __future__ import annotations

import threading

import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters
from memory_layer.text.words import query_terms
from memory_layer.usecases.recall.vectors import matching
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.forget import forget
from tests.conftest import NOON


@pytest.fixture
def put(keyword_engine, agent):
    return lambda text: add(keyword_engine, Draft(content=text), agent).id


def test_sweeping_keeps_the_index_sound_and_the_rest_found(keyword_engine, store, put, person):
    put("pears")
    assert forget(keyword_engine, [put("apples")], person).swept

    with store.writing():
        store.connection.run("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")
    put("plums")
    assert len(matching(store, query_terms("plums"), Filters(), NOON, 5)) == 1
    assert b"apples" not in store.connection.path.read_bytes()


def test_a_reader_who_holds_the_old_bytes_is_told_of_not_waited_for(store, put):
    put("apples")
    holding, done = threading.Event(), threading.Event()

    def read() -> None:
        with store.reading():
            store.memories.totals(Filters(), NOON)
            holding.set()
            done.wait(30)

    reader = threading.Thread(target=read)
    reader.start()
    holding.wait(30)
    put("pears")
    blocked = store.memories.sweep()
    done.set()
    reader.join()

    assert blocked is False


@pytest.fixture
def store(keyword_engine):
    return keyword_engine.store

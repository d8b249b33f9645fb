"""A stored vector that cannot be compared counts as none: its memory is found by its words, and nothing fails."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Mode, Query
from memory_layer.model.vocabulary import OnDuplicate, Outcome
from memory_layer.ports.search import Made
from memory_layer.store.sqlite.files.private import index_of
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.recall.related import related
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from tests.hashed import Hashed
from tests.indexes import Plain, opened, small

MODEL = Hashed("own", 64)
TEXTS = (
    "ferries leave at noon",
    "refunds are booked by a worker",
    "the lighthouse is painted in spring",
    "ferries need a captain",
    "the harbour closes at night",
)
#: Too short, cut inside a number, one number short, too long, nothing at all.
LENGTHS = [10, 127, 126, 130, 256, 0]


def with_model(engine):
    return engine._replace(embedder=lambda: MODEL, fingerprint=lambda: MODEL.fingerprint)


@pytest.fixture(params=["with the index", "without it"])
def office(request, keyword_engine, agent):
    """A store of a few memories, and how to open it again as another process would."""
    engine = with_model(keyword_engine)
    kept = [add(engine, Draft(content=text, on_duplicate=OnDuplicate.KEEP), agent).id for text in TEXTS]
    opened_again = []

    def again():
        kind = {} if request.param == "with the index" else {"kind": Plain}
        opened_again.append(opened(engine.store.connection.path, **kind))
        return engine._replace(store=opened_again[-1])

    with small():
        yield kept, again
    for store in opened_again:
        store.close()


def damage(engine, memory_id, numbers, table="vector"):
    """Write other bytes where a vector lies, behind the program's back; the index is made from them."""
    row = "memory = (select row from memory where id = ?)" if table == "vector" else "text = ?"
    with closing(sqlite3.connect(engine.store.connection.path)) as db, db:
        assert db.execute(f"update {table} set numbers = ? where {row}", [numbers, memory_id]).rowcount == 1
    shutil.rmtree(index_of(engine.store.connection.path), ignore_errors=True)


def ids(found):
    return [hit.memory.id for hit in found.hits]


def found_by(engine, agent, text, mode=Mode.HYBRID, **more):
    return ids(search(engine, Query(text=text, mode=mode, **more), agent))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("place", [0, 3, 4], ids=["first", "inside", "last"])
def test_it_is_found_by_its_words_and_the_others_by_meaning_too(office, agent, length, place):
    kept, again = office
    damage(again(), kept[place], b"\x01\x3c" * (length // 2) + b"\x01" * (length % 2))
    engine = again()

    assert kept[place] in found_by(engine, agent, TEXTS[place])
    assert kept[place] == found_by(engine, agent, TEXTS[place], Mode.KEYWORD)[0]
    assert kept[place] not in found_by(engine, agent, TEXTS[place], Mode.SEMANTIC)
    for other in {0, 1, 2, 3, 4} - {place}:
        assert found_by(engine, agent, TEXTS[other], Mode.SEMANTIC)[0] == kept[other]


@pytest.mark.parametrize("length", LENGTHS)
def test_where_no_vector_fits_words_still_find(office, agent, length):
    kept, again = office
    for memory in kept:
        damage(again(), memory, bytes(length))
    engine = again()

    assert found_by(engine, agent, "refunds worker")[0] == kept[1]
    assert found_by(engine, agent, "refunds worker", Mode.SEMANTIC) == []


def test_an_index_that_grows_by_one_such_vector_is_still_used(office, agent):
    kept, again = office
    engine = again()
    assert found_by(engine, agent, "refunds worker")[0] == kept[1]
    with engine.store.writing():
        engine.store.vectors.put(MODEL.fingerprint, [Made(kept[1], np.ones((1, 63), np.float32))])

    for each in (engine, again()):
        assert found_by(each, agent, "refunds worker")[0] == kept[1]
        assert kept[1] not in found_by(each, agent, TEXTS[1], Mode.SEMANTIC)
        assert found_by(each, agent, TEXTS[2], Mode.SEMANTIC)[0] == kept[2]


def test_numbers_that_are_none_never_come_first(office, agent):
    kept, again = office
    damage(again(), kept[2], np.full(64, np.inf, "<f2").tobytes())
    damage(again(), kept[3], np.full(64, np.nan, "<f2").tobytes())
    damage(again(), kept[4], np.full(64, 60_000, "<f2").tobytes())

    for hit in search(again(), Query(text="refunds worker"), agent).hits:
        assert 0.0 <= hit.score <= 1.0
    assert found_by(again(), agent, "refunds worker")[0] == kept[1]
    added = add(again(), Draft(content="one more text that is like no other"), agent)
    assert (added.status, added.candidates) == ("created", ())


@pytest.mark.parametrize("length", LENGTHS)
def test_everything_else_that_compares_vectors_goes_on(office, agent, length):
    kept, again = office
    engine = again()
    record_outcome(
        engine,
        [kept[1]],
        OutcomeReport(
            result=Outcome.WORKED, recall=search(engine, Query(text="refunds worker"), agent).recall
        ),
        agent,
    )
    damage(engine, kept[3], bytes(length))
    damage(engine, "refunds worker", bytes(length), "query")
    engine = again()

    assert found_by(engine, agent, "refunds worker now")[0] == kept[1]
    assert kept[3] in found_by(engine, agent, "ferries", diverse=True)
    assert {each.memory.id for each in related(engine, kept[0], Filters()).hits} == {
        kept[1],
        kept[2],
        kept[4],
    }
    related(engine, kept[3], Filters())
    assert add(engine, Draft(content="ferries need a captain and a crew"), agent).id

"""A small store that is damaged on purpose, and what the doctor says of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Query
from memory_layer.model.upkeep import State
from memory_layer.model.vocabulary import OnDuplicate
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.upkeep.doctor import examine, treat
from tests.faults.judgement import everything

TOPICS = "harbour ledger sextant turbine orchard glacier violin saddle lantern compass anvil walnut".split()


def draft(topic, number):
    text = f"The {topic} is kept in hall {number} and {'polished daily ' * 60}"
    return Draft(content=text, tags=(topic,), on_duplicate=OnDuplicate.KEEP)


@contextmanager
def with_model(office, embedder):
    with office.open_engine() as engine:
        yield engine._replace(embedder=lambda: embedder, fingerprint=lambda: embedder.fingerprint)


def planted(office, *statements):
    """Change the file behind the program's back."""
    with closing(sqlite3.connect(office.vault.database, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def state_of(diagnosis, name):
    return next(check for check in diagnosis.checks if check.name == name)


def told(diagnosis) -> str:
    assert diagnosis.note is not None
    return str(diagnosis.note)


def copy_of(diagnosis) -> Path:
    assert isinstance(diagnosis.copy, Path)
    return diagnosis.copy


def wrong(diagnosis):
    return {check.name for check in diagnosis.checks if check.is_wrong}


def contents(office):
    with office.open_engine() as engine:
        return {memory.id: memory.content for memory in everything(engine)}


def found(office, words):
    with office.open_engine() as engine:
        answer = search(engine, Query(text=words, filters=Filters(), peek=True), office.writer)
        return [hit.memory.id for hit in answer.hits]


def snapshot(folder):
    return {path: (path.read_bytes(), path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}


def check_repaired(office, name, before):
    """Found, repaired, well at the second look, and no memory that could be read is gone."""
    assert state_of(examine(office), name).state is State.PROBLEM
    treated = treat(office)

    assert state_of(treated, name).state is State.REPAIRED, treated
    assert wrong(treated) == set()
    assert wrong(examine(office)) == set()
    assert contents(office) == before
    return treated

"""Whoever writes much leaves the store ready to be searched."""

from __future__ import annotations

from contextlib import closing

import pytest

from memory_layer.errors import StoreBusy
from memory_layer.model.memory import Draft
from memory_layer.model.query import Query
from memory_layer.store.index import sync
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.files.private import index_of
from memory_layer.store.sqlite.search import SqliteSearch
from memory_layer.text import scopes
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.usecases.transfer.export import export_to_file
from memory_layer.usecases.transfer.import_export import import_export
from memory_layer.usecases.upkeep import embed
from memory_layer.usecases.upkeep.embed import embed_missing
from tests.indexes import Dice

DRAFTS = [Draft(f"the ferry number {number} leaves at noon") for number in range(12)]


@pytest.fixture(autouse=True)
def few_are_much(monkeypatch):
    monkeypatch.setattr(embed, "MUCH", 10)
    monkeypatch.setattr(sync, "SAVED_FROM", 3)


@pytest.fixture
def with_model(keyword_engine):
    return keyword_engine._replace(embedder=Dice, fingerprint=lambda: Dice.fingerprint)


def index(engine):
    """The files of the index with the time each was written, without the one that locks it."""
    folder = index_of(engine.settings.database_path)
    return {each.name: each.stat().st_mtime_ns for each in folder.glob("*") if each.name != "lock"}


def found_by_a_search_that_builds_nothing(engine, agent):
    before = index(engine)
    hits = search(engine, Query(text="ferry number 7", peek=True), agent).hits
    return bool(before) and index(engine) == before and len(hits) > 0


def test_many_at_once_are_in_the_index_and_a_few_are_not(with_model, agent):
    add_many(with_model, DRAFTS[:9], agent)
    assert index(with_model) == {}

    add_many(with_model, [Draft(f"a bus, number {number}") for number in range(10)], agent)
    assert found_by_a_search_that_builds_nothing(with_model, agent)


@pytest.mark.parametrize("vectors", [True, False], ids=["with vectors", "embedded afterwards"])
def test_an_import_leaves_the_index_ready(with_model, settings, tmp_path, agent, person, vectors):

    add_many(with_model, DRAFTS, agent)
    export_to_file(with_model, tmp_path / "export.jsonl", vectors=vectors)
    there = settings._replace(database_path=tmp_path / "there.db")
    with closing(SqliteStore(there.database_path, busy_seconds=5, covers=scopes.matches)) as store:
        other = with_model._replace(settings=there, store=store)
        import_export(other, tmp_path / "export.jsonl", person)
        assert bool(index(other)) == vectors
        embed_missing(other)

        assert found_by_a_search_that_builds_nothing(other, agent)


def test_a_store_without_vectors_needs_no_index(keyword_engine, agent, monkeypatch):
    monkeypatch.setattr(SqliteSearch, "_pays_for_words", lambda self: False)
    add_many(keyword_engine, DRAFTS, agent)

    assert index(keyword_engine) == {}


def test_what_cannot_be_prepared_does_not_fail_what_was_written(with_model, agent, monkeypatch):
    def busy(self):
        raise StoreBusy("locked")

    monkeypatch.setattr(SqliteSearch, "prepare", busy)

    assert len(add_many(with_model, DRAFTS, agent)) == 12

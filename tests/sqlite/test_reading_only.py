"""A store that was opened for reading answers everything and changes nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memory_layer.errors import StoreUnavailable
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Query
from memory_layer.store.migrate import newest
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.connection_kinds import ReadOnlyConnections
from memory_layer.text import scopes
from memory_layer.usecases.look_up.browse import show
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.wiring import open_engine


@pytest.fixture
def kept(settings, agent):
    with open_engine(settings, "python") as engine:
        return add(engine, Draft(content="The build needs Java 21"), agent).id


def test_it_is_searched_and_shown_without_a_trace(settings, agent, kept):
    with open_engine(settings, "mcp", only_read=True) as engine:
        found = search(engine, Query(text="java", filters=Filters()), agent)
        memory = show(engine, kept, agent).memory

    assert [hit.memory.id for hit in found.hits] == [kept]
    assert found.recall is None
    assert (memory.use_count, memory.recall_count) == (0, 0)


def test_whatever_would_write_is_refused(settings, agent, kept):
    with open_engine(settings, "mcp", only_read=True) as engine:
        with pytest.raises(StoreUnavailable, match="opened read-only; nothing was changed"):
            add(engine, Draft(content="Something new"), agent)
        with pytest.raises(StoreUnavailable, match="opened read-only"):
            archive(engine, [kept], agent)


def test_even_a_statement_past_every_transaction_fails(settings, kept):
    store = SqliteStore(
        settings.database_path, busy_seconds=1, covers=scopes.matches, connections=ReadOnlyConnections
    )
    with closing(store), pytest.raises(StoreUnavailable), store.connection.using() as db:
        db.execute("delete from memories")


def test_no_store_is_made(settings):
    with pytest.raises(StoreUnavailable, match="no store at"):
        open_to_read(settings)
    assert not settings.database_path.parent.exists()


def test_no_store_is_brought_up_to_date(settings, kept):
    with closing(sqlite3.connect(settings.database_path)) as db:
        db.execute(f"pragma user_version = {newest() - 1}")

    with pytest.raises(StoreUnavailable, match="older format"):
        open_to_read(settings)


def open_to_read(settings):
    with open_engine(settings, "mcp", only_read=True):
        pass

"""The store whose promises are tested: the one place here that says which."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.ports import Edit, Store
from memory_layer.ports.store import New
from memory_layer.store.sqlite import SqliteStore
from memory_layer.text import scopes
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.wiring import new_id
from tests.conftest import NOON


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """Open a store at a path, the test's own unless another is named; it is closed when the test is over."""
    opened: list[Store] = []

    def open_(path: Path | None = None, *, busy_seconds: float = 5) -> Store:
        opened.append(
            SqliteStore(path or tmp_path / "memory.db", busy_seconds=busy_seconds, covers=scopes.matches)
        )
        return opened[-1]

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    return open_store()


@pytest.fixture
def id_is_taken() -> type[Exception]:
    """Return what is raised for a second record with one id, which no use case ever writes."""
    return sqlite3.IntegrityError


@pytest.fixture
def put(store: Store, agent: Writer) -> Callable[..., Memory]:
    """Store a memory and return it as the store has it."""

    def put_(content, **fields):
        project = store.projects.get(fields["project"]) if fields.get("project") else None
        memory = Memory(
            id=fields.pop("id", None) or new_id("mem"),
            content=content,
            content_hash=content_hash(project.id if project else None, content),
            created_at=fields.pop("created_at", NOON),
            updated_at=fields.pop("updated_at", NOON),
            **fields,
        )
        with store.writing():
            staged = memory._replace(status=Status.STAGED, reason=Reason.WRITING)
            ledger.stage(store, New(staged, terms_of(memory), 5), NOON + timedelta(minutes=1))
            return ledger.save(store, memory, Edit(agent, "op_1", "add", NOON))

    return put_

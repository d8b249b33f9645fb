"""What the rules are tried on: a store, and a model that says what a test tells it to."""

from __future__ import annotations

import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import OnDuplicate
from memory_layer.ports import Engine
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.lookup import read_memory
from tests.dictated import Dictated


@pytest.fixture
def dictated() -> Dictated:
    return Dictated()


@pytest.fixture
def told(keyword_engine: Engine, dictated: Dictated) -> Engine:
    """An engine with that model."""
    return keyword_engine._replace(embedder=lambda: dictated, fingerprint=lambda: dictated.fingerprint)


@pytest.fixture
def keep(told, agent, dictated):
    """Store a text that has this cosine with every question."""

    def keep_(content, cosine=0.5, **fields):
        dictated.cosines[content] = cosine
        draft = Draft(content=content, on_duplicate=OnDuplicate.KEEP, **fields)
        return read_memory(told.store, add(told, draft, agent).id)

    return keep_


@pytest.fixture
def counted(told):
    """Move what is counted of a memory."""

    def counted_(memory, **counts):
        with told.store.writing():
            ledger.count(told.store, read_memory(told.store, memory.id)._replace(**counts))

    return counted_

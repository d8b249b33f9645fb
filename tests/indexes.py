"""Stores whose answers from the index can be held against those from the file itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory_layer.model.memory import Link, Memory
from memory_layer.model.query import Filters
from memory_layer.model.sources import Checked, SourceState, Standing
from memory_layer.model.vocabulary import LinkKind, Reason, Status
from memory_layer.ports import Edit
from memory_layer.ports.search import Made, Sought
from memory_layer.ports.store import New
from memory_layer.store.index import files as index_files
from memory_layer.store.index import segment, sync
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.files.private import index_of
from memory_layer.store.sqlite.memories import row_of
from memory_layer.store.sqlite.search import SqliteSearch
from memory_layer.text import scopes, words
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.recall.vectors import nearest
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import new_id
from tests.conftest import NOON

EVERYTHING = 10_000
WORDS = ("apple", "port", "cash", "banana", "deploy", "cherry", "snake", "lynx")


class Dice:
    """A model whose vectors are chance, but the same for the same text; a long text has several passages."""

    fingerprint = "dice"
    numbers = 20

    def knows(self, word: str) -> bool:
        return False

    def embed_query(self, text: str) -> Any:
        seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        vector = np.random.default_rng(seed).standard_normal(self.numbers).astype(np.float32)
        return vector / np.linalg.norm(vector)

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Any]:
        return [np.stack([self.embed_query(part) for part in self._passages(text)]) for text in texts]

    def _passages(self, text: str) -> list[str]:
        words = text.split()
        return [text, *(f"{word} of {text}" for word in words[::3])] if len(words) > 6 else [text]


class PlainSearch(SqliteSearch):
    """A search that does without the index."""

    def view(self) -> None:
        return None


class Plain(SqliteStore):
    """The same store without its index."""

    @cached_property
    def search(self) -> SqliteSearch:
        return PlainSearch(self.connection)


def opened(path: Path, kind: type[SqliteStore] = SqliteStore) -> Any:
    return kind(path, busy_seconds=5, covers=scopes.matches)


@contextmanager
def small(docs: int = 16, **more: int) -> Iterator[None]:
    """An index that writes after a few memories, in segments of a few."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"SAVED_FROM": 3, "MOST_HELD": 12, "RECENT": 40, "FAR_BEHIND": 60, **more}.items():
            patch.setattr(sync if hasattr(sync, name) else index_files, name, value)
        for name, value in {"MOST_DOCS": docs, "AT_ONCE": docs // 3, "MOST_SLOTS": 5 * docs // 2}.items():
            patch.setattr(segment, name, value)
        yield


def sought(
    text: str, filters: Filters | None = None, now: datetime = NOON, depth: int = EVERYTHING
) -> Sought:
    terms = tuple(words.query_terms(text))
    vector = Dice().embed_query(text)
    return Sought(terms, (), vector, Dice.fingerprint, filters or Filters(), now, depth)


Answer = dict[str, tuple[float, float]]


def answer(store: Any, question: Any) -> Answer:
    """Every candidate with its BM25 and its exact cosine."""
    with store.reading():
        pool = store.search.candidates(question)
        exact = store.search.similarities(question.vector, question.fingerprint, pool.ids)
    told = zip(pool.ids, pool.bm25, strict=True)
    return {each: (float(bm25), exact.get(each, 0.0)) for each, bm25 in told}


def near(store: Any, question: Any) -> dict[str, float]:
    """Every memory with its cosine: so many are asked for that none is left out because codes are rounded."""
    return nearest(store, question.vector, question.fingerprint, question.filters, question.now, EVERYTHING)


def check(store: Any, text: str = "", filters: Filters | None = None, now: datetime = NOON) -> Answer:
    """Assert that the index answers as the file does; returns the answer."""
    question = sought(text or "the apple pays port cash", filters, now)
    with store.reading():
        assert store.search.view() is not None, "there is no index to look at"
        indexed = answer(store, question)
        closest = near(store, question)
        truth = without_the_index(store, question)
        assert store.search.view() is not None, "a question failed on the index and was answered without it"
    assert indexed.keys() == truth[0].keys()
    for each, numbers in indexed.items():
        assert numbers == pytest.approx(truth[0][each], abs=1e-6)
    assert closest.keys() == truth[1].keys()
    assert closest == pytest.approx(truth[1], abs=1e-6)
    return indexed


def without_the_index(store: Any, question: Any) -> tuple[Answer, dict[str, float]]:
    """The same questions in the same transaction, answered by the file."""
    indexed, store.search = store.search, PlainSearch(store.connection)
    try:
        return answer(store, question), near(store, question)
    finally:
        store.search = indexed


def files(store: SqliteStore) -> list[Path]:
    """The segments that lie in the folder."""
    return sorted(index_of(store.connection.path).glob("*.segment"))


class World:
    """A store with short ways to change it."""

    def __init__(self, path, agent):
        self.store, self.agent, self.count = opened(path), agent, 0

    def edit(self, action="add"):
        return Edit(self.agent, "op_1", action, NOON)

    def put(self, content=None, *, vectors=True, **fields):
        self.count += 1
        content = content or f"the {WORDS[self.count % 8]} pays {WORDS[self.count % 7]} number{self.count}"
        project = self.store.projects.get(fields["project"]) if fields.get("project") else None
        memory = Memory(
            id=new_id("mem"),
            content=content,
            content_hash=content_hash(project.id if project else None, content),
            created_at=fields.pop("created_at", NOON),
            updated_at=NOON,
            **fields,
        )
        with self.store.writing():
            staged = memory._replace(status=Status.STAGED, reason=Reason.WRITING)
            ledger.stage(self.store, New(staged, terms_of(memory), 5), NOON + timedelta(minutes=1))
            if vectors:
                made = Made(memory.id, Dice().embed_memories([content])[0])
                self.store.vectors.put(Dice.fingerprint, [made])
            return ledger.save(self.store, memory, self.edit())

    def many(self, count):
        return [self.put() for _ in range(count)]

    def change(self, memory, **fields):
        with self.store.writing():
            after = read_memory(self.store, memory.id)._replace(**fields)
            if "content" in fields:
                vectors = Dice().embed_memories([after.content])[0]
                after = after._replace(content_hash=content_hash(None, after.content))
                self.store.vectors.put(Dice.fingerprint, [Made(memory.id, vectors)])
            return ledger.save(self.store, after, self.edit("edit"), terms_of(after))

    def archive(self, memory):
        return self.change(memory, status=Status.ARCHIVED, reason=Reason.ASKED)

    def supersede(self, new, old):
        with self.store.writing():
            ledger.link(self.store, Link(new.id, old.id, LinkKind.SUPERSEDES, NOON), self.edit("link"))

    def unlink(self, new, old):
        with self.store.writing():
            ledger.unlink(self.store, Link(new.id, old.id, LinkKind.SUPERSEDES, NOON), self.edit("unlink"))

    def forget(self, memory):
        empty = memory._replace(
            content="",
            tags=(),
            status=Status.ARCHIVED,
            reason=Reason.FORGOTTEN,
            content_hash=os.urandom(32).hex(),
        )
        with self.store.writing():
            ledger.forget(self.store, empty, self.edit("forget"))
        return self.store.memories.sweep()

    def drift(self, memory):
        """Note that what a memory cites was seen changed."""
        checks = tuple(Checked(each, SourceState.CHANGED, marks=("", "")) for each in memory.citations)
        with self.store.writing():
            self.store.log.put_checks({memory.id: Standing(checks)}, NOON)

    def row(self, memory):
        return row_of(self.store.connection, memory.id)

    @property
    def folder(self):
        return index_of(self.store.connection.path)


def other(world, kind=SqliteStore):
    """The store as another process has it."""
    return closing(opened(world.store.connection.path, kind))


def the_same(store: Any, text: str) -> bool:
    """Assert that a question is answered as the file answers it; whether the index was used."""
    with store.reading():
        indexed = store.search.view() is not None
        check(store, text) if indexed else None
    return indexed

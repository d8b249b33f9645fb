"""Whether a store is sound after whatever was done to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from memory_layer.model.memory import Memory, Writer
from memory_layer.model.query import Filters, Mode, Query
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.ports import Engine
from memory_layer.usecases.govern import chain
from memory_layer.usecases.look_up.browse import list_memories
from memory_layer.usecases.recall.search import search

EVERYTHING = Filters(statuses=tuple(Status), expired=True, superseded=True)


def damages(engine: Engine, database: Path) -> list[str]:
    """What is wrong with the file, its full text, its references or its audit chain."""
    found = [line for line in _sqlite_complaints(database) if line != "ok"]
    return [*found, *(flaw.says for flaw in chain.chain_flaws(engine.store))]


def _sqlite_complaints(database: Path) -> Iterator[str]:
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        yield from (line for (line,) in db.execute("pragma integrity_check"))
        yield from (f"dangling reference {row}" for row in db.execute("pragma foreign_key_check"))
        try:
            db.execute("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")
        except sqlite3.DatabaseError as error:
            yield f"full text: {error}"


def everything(engine: Engine) -> list[Memory]:
    """All memories, whatever their status."""
    memories: list[Memory] = []
    place = None
    while True:
        page = list_memories(engine, EVERYTHING, limit=1000, after=place)
        memories += page.items
        place = page.next
        if place is None:
            return memories


def unfinished(engine: Engine) -> list[Memory]:
    """Rows that some writer is, or was, still at work on."""
    return [memory for memory in everything(engine) if memory.reason is Reason.WRITING]


def not_found(engine: Engine, memories: Iterable[Memory], mode: Mode, writer: Writer) -> list[str]:
    """The ids of the memories that their own words do not bring back."""
    return [memory.id for memory in memories if not _finds(engine, memory, mode, writer)]


def _finds(engine: Engine, memory: Memory, mode: Mode, writer: Writer) -> bool:
    found = search(engine, Query(text=memory.content, mode=mode, limit=5), writer)
    return memory.id in [hit.memory.id for hit in found.hits]

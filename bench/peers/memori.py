"""py-memori by its Python class: text and vector given, its search for duplicates off."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Sequence
from contextlib import closing
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peers.driver import LIMIT, serve

PACKAGE = "py-memori==0.7.1"
FILE = "memori.db"


class Memori:
    modes = ("hybrid", "keyword", "semantic")

    def __init__(self, folder: Path) -> None:
        self._file = str(folder / FILE)

    @cached_property
    def _store(self) -> Any:
        return import_module("memori").PyMemori(self._file)

    def add(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        for text, vector in zip(texts, vectors, strict=True):
            self._store.insert(text, vector=vector, no_embed=True)

    def load(self, texts: Sequence[str]) -> None:
        """Store texts in one transaction of its own tables, whose triggers index them: it has no call for many."""
        self._store.count()  # its tables are there
        del self._store  # two libraries of SQLite in one process would break each other's locks
        now = time.time()
        with closing(sqlite3.connect(self._file)) as db, db:
            db.executemany(
                "insert into memories (id, content, created_at, updated_at) values (?, ?, ?, ?)",
                [(str(uuid.uuid4()), text, now, now) for text in texts],
            )

    def write(self, texts: Sequence[str]) -> None:
        for text in texts:
            self._store.insert(text, no_embed=True)

    def search(self, mode: str, text: str, vector: list[float]) -> list[str]:
        asked: dict[str, dict[str, Any]] = {
            "hybrid": {"text": text, "vector": vector},
            "keyword": {"text": text, "text_only": True},
            "semantic": {"vector": vector},
        }
        return [found["content"] for found in self._store.search(limit=LIMIT, **asked[mode])]


if __name__ == "__main__":
    serve(Memori)

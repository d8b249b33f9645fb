"""mcp-memory-service by its SQLite storage, with given vectors and without its check for duplicates."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peers.driver import LIMIT, serve

sys.modules["sqlite3"] = import_module("pysqlite3")  # some Pythons have no loadable extensions

PACKAGE = "mcp-memory-service==12.2.0"


class McpMemoryService:
    modes = ("hybrid", "semantic")

    def __init__(self, folder: Path) -> None:
        self._vectors: dict[str, list[float]] = {}
        self._loop = asyncio.new_event_loop()
        self._store = self._storage()(str(folder / "memories.db"))
        self._loop.run_until_complete(self._store.initialize())

    def _storage(self) -> Any:
        storage: Any = import_module("mcp_memory_service.storage.sqlite_vec")
        known = self._vectors

        class Given(storage.SqliteVecMemoryStorage):  # type: ignore[misc]
            async def _initialize_embedding_model(self) -> None:
                self.embedding_model = known

            def _generate_embedding(self, text: str) -> list[float]:
                return known[text]

        return Given

    def add(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        made: Any = import_module("mcp_memory_service.models.memory").Memory
        digest: Any = import_module("mcp_memory_service.utils.hashing").generate_content_hash
        for text, vector in zip(texts, vectors, strict=True):
            self._vectors[text] = vector
            stored, why = self._loop.run_until_complete(
                self._store.store(made(content=text, content_hash=digest(text)), skip_semantic_dedup=True)
            )
            if not stored:
                raise SystemExit(why)

    def search(self, mode: str, text: str, vector: list[float]) -> list[str]:
        self._vectors[text] = vector
        ask = self._store.retrieve_hybrid if mode == "hybrid" else self._store.retrieve
        return [found.memory.content for found in self._loop.run_until_complete(ask(text, LIMIT))]


if __name__ == "__main__":
    serve(McpMemoryService)

"""runtime-memory by its engine, with an embedding provider that looks up the given vectors."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peers.driver import LIMIT, serve

PACKAGE = "runtime-memory==4.0.1"


class RuntimeMemory:
    modes = ("hybrid", "keyword")

    def __init__(self, folder: Path) -> None:
        self._core: Any = import_module("runtime_memory.core")
        self._vectors: dict[str, list[float]] = {}
        self._loop = asyncio.new_event_loop()
        config = self._core.EngineConfig(db_path=str(folder / "memories.db"))
        self._engine = self._core.MemoryEngine(config, embedding_provider=self._provider())
        self._loop.run_until_complete(self._engine.initialize())

    def _provider(self) -> Any:
        embeddings: Any = import_module("runtime_memory.core.embeddings")
        known = self._vectors

        class Given(embeddings.EmbeddingProvider):  # type: ignore[misc]
            model_name = "given"
            dimensions = 384

            async def _embed_texts(self, texts: list[str]) -> list[list[float]]:
                return [known[text] for text in texts]

        return Given(embeddings.EmbeddingConfig(cache_enabled=False))

    def add(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        models: Any = import_module("runtime_memory.core.models")
        general = next(iter(models.MemoryCategory))
        made = [
            models.Memory(content=text, category=general, embedding=vector)
            for text, vector in zip(texts, vectors, strict=True)
        ]
        self._loop.run_until_complete(self._engine.add_many(made))

    def search(self, mode: str, text: str, vector: list[float]) -> list[str]:
        self._vectors[text] = vector
        asked = self._engine.search(text, limit=LIMIT, semantic=mode == "hybrid")
        return [found.memory.content for found in self._loop.run_until_complete(asked)]


if __name__ == "__main__":
    serve(RuntimeMemory)

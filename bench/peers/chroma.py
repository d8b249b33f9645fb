"""chromadb by its persistent client; it has no ranking by words, so it is asked by meaning only."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import prose
from bench.peers.driver import LIMIT, serve

PACKAGE = "chromadb==1.5.9"


class Chroma:
    modes = ("semantic",)

    def __init__(self, folder: Path) -> None:
        chromadb: Any = import_module("chromadb")
        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(path=str(folder), settings=settings)
        self._store = client.get_or_create_collection(
            "memories", metadata={"hnsw:space": "cosine"}, embedding_function=None
        )

    def add(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        ids = [str(prose.number_of(text)) for text in texts]
        self._store.add(ids=ids, embeddings=list(vectors), documents=list(texts))

    def search(self, mode: str, text: str, vector: list[float]) -> list[str]:
        found = self._store.query(query_embeddings=[vector], n_results=LIMIT, include=["documents"])
        documents: list[str] = found["documents"][0]
        return documents


if __name__ == "__main__":
    serve(Chroma)

"""py-memori by its Python class: text and vector given, its search for duplicates off."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peers.driver import LIMIT, serve

PACKAGE = "py-memori==0.7.1"
FILE = "memori.db"


class Memori:
    modes = ("hybrid", "keyword", "semantic")

    def __init__(self, folder: Path) -> None:
        self._store = import_module("memori").PyMemori(str(folder / FILE))

    def add(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        for text, vector in zip(texts, vectors, strict=True):
            self._store.insert(text, vector=vector, no_embed=True)

    def search(self, mode: str, text: str, vector: list[float]) -> list[str]:
        asked: dict[str, dict[str, Any]] = {
            "hybrid": {"text": text, "vector": vector},
            "keyword": {"text": text, "text_only": True},
            "semantic": {"vector": vector},
        }
        return [found["content"] for found in self._store.search(limit=LIMIT, **asked[mode])]


if __name__ == "__main__":
    serve(Memori)

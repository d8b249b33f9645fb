"""A product for the tests: it keeps everything in a list and knows one way of searching."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.peers.driver import serve

PACKAGE = "plain==1.0"


class PlainPeer:
    modes = ("semantic",)

    def __init__(self, folder: Path) -> None:
        self._known: list[tuple[str, list[float]]] = []

    def add(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        print("a product that talks")
        self._known += zip(texts, vectors, strict=True)

    def load(self, texts: Sequence[str]) -> None:
        self.write(texts)

    def write(self, texts: Sequence[str]) -> None:
        self._known += [(text, []) for text in texts]

    def search(self, mode: str, text: str, vector: list[float]) -> list[str]:
        def nearness(pair: tuple[str, list[float]]) -> float:
            return sum(a * b for a, b in zip(pair[1], vector, strict=True))

        return [pair[0] for pair in sorted(self._known, key=nearness, reverse=True)[:10]]


if __name__ == "__main__":
    serve(PlainPeer)

"""Small embedders that need no model: a text is the bag of its words, hashed into a few dimensions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Hashed:
    """The same text always gets the same vector; another `name` or `dimensions` is another model."""

    def __init__(self, name: str = "hashed", dimensions: int = 64) -> None:
        self.fingerprint = f"{name}/{dimensions}"
        self._dimensions = dimensions

    def knows(self, word: str) -> bool:
        return False

    def embed_query(self, text: str) -> Vectors:
        counts = np.zeros(self._dimensions, np.float32)
        for word in text.lower().split():
            digest = hashlib.sha256(f"{self.fingerprint} {word}".encode()).digest()
            counts[int.from_bytes(digest[:4], "little") % self._dimensions] += 1 if digest[4] % 2 else -1
        counts[0] += 0.01  # words can cancel each other out
        return counts / np.float32(np.linalg.norm(counts))

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Vectors]:
        """One vector per line."""
        made = [np.stack([self.embed_query(line) for line in text.splitlines()]) for text in texts]
        if progress and texts:
            progress(len(texts))
        return made

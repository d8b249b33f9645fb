"""Vectors that are given instead of worked out, for any number of memories, and the exact answer to compare with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from bench import prose

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors, Vector

WIDTH = 384
CLUSTERS = 2000
SPREAD = 0.6  #: how far a made-up vector lies from the middle of its cluster
STRETCH = 0.5  #: how much of the difference of two real vectors moves a third one
LEAST_REAL = 100  #: fewer say nothing about a cloud
HELD_OUT = 1000  #: real vectors that are asked and never stored, at most a tenth of all


class Cloud(Protocol):
    """Any number of unit vectors, the same for everybody."""

    name: str
    says: str

    def block(self, number: int) -> PassageVectors:
        """The vectors of a block of memories."""
        ...

    def asked(self, count: int) -> PassageVectors:
        """The vectors of questions, none of which is stored."""
        ...


class Clusters:
    """Seeded clusters of very different sizes."""

    name = "clusters"
    says = f"made-up vectors in {CLUSTERS:,} clusters of very different sizes"

    def __init__(self) -> None:
        chance = np.random.default_rng(0)
        self._middles = _unit(chance.standard_normal((CLUSTERS, WIDTH), dtype=np.float32))
        weights = 1 / np.arange(1, CLUSTERS + 1)
        self._shares = weights / weights.sum()

    def block(self, number: int) -> PassageVectors:
        return self._drawn(np.random.default_rng([1, number]), prose.BLOCK)

    def asked(self, count: int) -> PassageVectors:
        return self._drawn(np.random.default_rng(2), count)

    def _drawn(self, chance: np.random.Generator, count: int) -> PassageVectors:
        middles = self._middles[chance.choice(CLUSTERS, count, p=self._shares)]
        return _unit(middles + SPREAD * _unit(chance.standard_normal((count, WIDTH), dtype=np.float32)))


class Stretched:
    """Real vectors, and beyond their number real vectors moved by differences of real ones."""

    def __init__(self, real: PassageVectors) -> None:
        shuffled = _unit(real)[np.random.default_rng(0).permutation(len(real))]
        held_out = min(HELD_OUT, len(real) // 10)
        self.name = f"real-{len(real)}"
        self._questions, self._real = shuffled[:held_out], shuffled[held_out:]
        self.says = (
            f"{len(self._real):,} real vectors of the model, and beyond them real vectors moved by {STRETCH} x"
            f" the difference of two others; the questions are {held_out:,} real vectors held out"
        )

    def block(self, number: int) -> PassageVectors:
        first = number * prose.BLOCK
        chance = np.random.default_rng([1, number])
        one, two, steps = (chance.integers(1, len(self._real), size=prose.BLOCK) for _ in range(3))
        three = (two + steps) % len(self._real)  # never the second one itself
        made = _unit(self._real[one] + STRETCH * (self._real[two] - self._real[three]))
        real = self._real[first : first + prose.BLOCK]
        return np.concatenate([real, made[len(real) :]])

    def asked(self, count: int) -> PassageVectors:
        return self._questions[np.arange(count) % len(self._questions)]


def cloud(cache: Path | None) -> Cloud:
    """Real vectors if there is a cache of them."""
    if cache is None:
        return Clusters()
    from bench.vector_cache import real_vectors

    real = real_vectors(cache)
    if len(real) < LEAST_REAL:
        raise SystemExit(f"{cache} holds {len(real)} vectors, and at least {LEAST_REAL} are needed")
    return Stretched(real)


class Given:
    """An embedder that looks up what was prepared: questions by their text, memories by their number."""

    def __init__(
        self, fingerprint: str, questions: Sequence[str], asked: PassageVectors, stored: Cloud | None = None
    ) -> None:
        self.fingerprint = fingerprint
        self._asked = dict(zip(questions, asked, strict=True))
        self._block = lru_cache(maxsize=4)(stored.block) if stored else None

    def knows(self, word: str) -> bool:
        return True  # so that no question is reworded

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self._asked[text]
        return vector

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[PassageVectors]:
        if self._block is None:
            raise ValueError("vectors were prepared for questions only")
        places = [divmod(prose.number_of(text), prose.BLOCK) for text in texts]
        return [self._block(block)[place : place + 1] for block, place in places]


def blocks(stored: Cloud, size: int) -> Iterator[PassageVectors]:
    """The vectors of the first memories, block by block."""
    for first in range(0, size, prose.BLOCK):
        yield stored.block(first // prose.BLOCK)[: size - first]


def nearest(stored: Cloud, size: int, asked: PassageVectors, count: int = 10) -> tuple[list[set[int]], float]:
    """By exact search, the numbers of the nearest memories of each question, and the median of their cosines."""
    best = np.full((len(asked), count), -2.0, dtype=np.float32)
    numbers = np.full((len(asked), count), -1, dtype=np.int64)
    for place, vectors in enumerate(blocks(stored, size)):
        here = np.arange(len(vectors)) + place * prose.BLOCK
        scores = np.concatenate([best, asked @ vectors.T], axis=1)
        known = np.concatenate([numbers, np.broadcast_to(here, (len(asked), len(here)))], axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :count]
        best, numbers = np.take_along_axis(scores, order, 1), np.take_along_axis(known, order, 1)
    return [set(row[row >= 0].tolist()) for row in numbers], float(np.median(best[best > -2]))


def _unit(vectors: PassageVectors) -> PassageVectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: PassageVectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return unit

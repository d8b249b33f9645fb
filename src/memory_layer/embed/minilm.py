"""all-MiniLM-L6-v2: the reference's vectors, without torch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.blas import blas_threads
from memory_layer.embed.transformer import Transformer
from memory_layer.embed.weights import WIDTH

if TYPE_CHECKING:
    from memory_layer.embed.tokenizer import Tokenizer
    from memory_layer.embed.weights import Floats, Weights

MOST_TOKENS = 256  #: of one text, start and end mark included; the model was trained on no more
BATCH_TOKENS = 1024  #: taken through the layers together; more is no faster
BATCHES_PER_WORKER = 4  #: sorted by length together; bounds memory and paces the progress report
MOST_WORKERS = 8

Parts = list[list[int]]  #: the token ids of each passage of a text


class MiniLM:
    """An encoder of text to unit vectors; the closer two meanings, the larger the dot product."""

    dimensions = WIDTH

    def __init__(self, weights: Weights, tokenizer: Tokenizer, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._tokenizer = tokenizer
        self._transformer = Transformer(weights, MOST_TOKENS)
        self._blas = blas_threads()
        self._workers = min(_cores(), MOST_WORKERS)

    def embed_query(self, text: str) -> Floats:
        """Return the vector of the text's first 256 tokens."""
        with self._blas.single():
            vector: Floats = self._transformer.encode([self._tokenizer.sequence(text, MOST_TOKENS)])[0]
        return vector

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Floats]:
        """Return for each text, in order, one row per passage; report how many texts were finished."""
        found: list[Floats] = []
        for group in self._groups(texts):
            found += self._embed(group)
            if progress:
                progress(len(group))
        return found

    def _groups(self, texts: Sequence[str]) -> Iterator[list[Parts]]:
        """Yield neighbouring texts that together keep all workers busy for a moment."""
        from memory_layer.embed.passages import passages  # a question is one, whatever its length

        enough = BATCH_TOKENS * BATCHES_PER_WORKER * self._workers
        group: list[Parts] = []
        tokens = 0
        for text in texts:
            cut = passages(text, self._tokenizer)
            group.append([self._tokenizer.sequence(part, MOST_TOKENS) for part in cut])
            tokens += sum(map(len, group[-1]))
            if tokens >= enough:
                yield group
                group, tokens = [], 0
        if group:
            yield group

    def _embed(self, group: list[Parts]) -> list[Floats]:
        parts = [part for text in group for part in text]
        batches = list(_batches(parts))
        vectors = np.empty((len(parts), WIDTH), np.float32)
        encoded = self._encode_all([[parts[at] for at in batch] for batch in batches])
        for batch, rows in zip(batches, encoded, strict=True):
            vectors[batch] = rows
        ends = np.cumsum([len(text) for text in group])
        return np.split(vectors, ends[:-1])

    def _encode_all(self, batches: list[Parts]) -> list[Floats]:
        with self._blas.single():
            if self._workers == 1 or len(batches) == 1:
                return [self._transformer.encode(batch) for batch in batches]
            # Imported here because a single query, the common case, would wait for it.
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(self._workers) as workers:
                return list(workers.map(self._transformer.encode, batches))


def _cores() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _batches(parts: Parts) -> Iterator[list[int]]:
    """Yield batches of part numbers, parts of similar length together."""
    batch: list[int] = []
    tokens = 0
    for at in sorted(range(len(parts)), key=lambda number: len(parts[number])):
        if batch and tokens + len(parts[at]) > BATCH_TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(at)
        tokens += len(parts[at])
    if batch:
        yield batch

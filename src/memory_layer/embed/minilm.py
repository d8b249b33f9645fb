"""all-MiniLM-L6-v2: the same vectors as the reference, without torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from memory_layer.embed.passages import passages
from memory_layer.embed.tokenizer import Tokenizer
from memory_layer.embed.transformer import Transformer
from memory_layer.embed.weights import WIDTH, Floats, Weights

MOST_TOKENS = 256  #: of one text, start and end mark included; the model was trained on no more
BATCH_TOKENS = 1024  #: taken through the layers together; more is no faster
SLAB_TOKENS = 4096  #: sorted by length together; bounds memory and paces the progress report


class MiniLM:
    """Turns text into vectors of length 1; the closer two meanings, the larger the dot product."""

    dimensions = WIDTH

    def __init__(self, weights: Weights, tokenizer: Tokenizer, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._tokenizer = tokenizer
        self._transformer = Transformer(weights, MOST_TOKENS)

    def embed_query(self, text: str) -> Floats:
        """Return the vector of the text's first 256 tokens."""
        vector: Floats = self._transformer.encode([self._tokenizer.sequence(text, MOST_TOKENS)])[0]
        return vector

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Floats]:
        """Return for each text, in order, one row per passage; report how many texts were finished."""
        found: list[Floats] = []
        for slab in self._slabs(texts):
            found += self._embed(slab)
            if progress:
                progress(len(slab))
        return found

    def _slabs(self, texts: Sequence[str]) -> Iterator[list[list[list[int]]]]:
        """Yield groups of texts, each text as the ids of its passages."""
        slab: list[list[list[int]]] = []
        tokens = 0
        for text in texts:
            parts = passages(text, self._tokenizer)
            slab.append([self._tokenizer.sequence(part, MOST_TOKENS) for part in parts])
            tokens += sum(map(len, slab[-1]))
            if tokens >= SLAB_TOKENS:
                yield slab
                slab, tokens = [], 0
        if slab:
            yield slab

    def _embed(self, slab: list[list[list[int]]]) -> list[Floats]:
        parts = [part for text in slab for part in text]
        vectors = np.empty((len(parts), WIDTH), np.float32)
        for batch in _batches(parts):
            vectors[batch] = self._transformer.encode([parts[at] for at in batch])
        ends = np.cumsum([len(text) for text in slab])
        return np.split(vectors, ends[:-1])


def _batches(parts: list[list[int]]) -> Iterator[list[int]]:
    """Yield the numbers of parts that go together, similar lengths side by side."""
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

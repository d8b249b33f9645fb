"""Give every memory its vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memory_layer.errors import ModelUnavailable
from memory_layer.ports import Engine

#: Texts embedded between two commits: an interrupted run loses at most this much work.
BATCH = 256


class Embedded(NamedTuple):
    done: int
    fingerprint: str


def missing(engine: Engine) -> int:
    """How many memories have no vector of the installed model."""
    embedder = engine.embedder()
    return engine.store.count_without_vectors(embedder.fingerprint) if embedder else 0


def embed_missing(engine: Engine, progress: Callable[[int], None] | None = None) -> Embedded:
    """Embed what has no vector of the installed model; can be stopped and taken up again at any point."""
    embedder = engine.embedder()
    if embedder is None:
        raise ModelUnavailable("there is no embedding model; `mem model install` gets it")
    done = 0
    while batch := engine.store.without_vectors(embedder.fingerprint, BATCH):
        vectors = embedder.embed_memories([content for _, content in batch], progress)
        with engine.store.writing():
            for (memory_id, content), passages in zip(batch, vectors, strict=True):
                if engine.store.get(memory_id).content == content:
                    engine.store.save_vectors(memory_id, embedder.fingerprint, passages)
        done += len(batch)
    return Embedded(done, embedder.fingerprint)

"""Embed memories, and remove the vectors of models that are no longer used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from memory_layer.errors import ModelUnavailable, StoreUnavailable
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Embedder, Engine
from memory_layer.ports.search import Generation, Made, Pending

MUCH = 3000  #: memories; for fewer the next search does what there is to do in passing


#: Texts and characters embedded between two commits: an interrupted run loses at most this much work.
BATCH = 256
BATCH_CHARACTERS = 100_000
#: Memories pruned in one commit.
PRUNED_AT_ONCE = 500
Progress = Callable[[int], None]


def ready_to_search(engine: Engine, written: int) -> None:
    """Prepare the index now if much was written, so that the next search need not; skip it if unavailable."""
    if written >= MUCH:
        with suppress(StoreUnavailable):
            engine.store.search.prepare()


class EmbeddingState(NamedTuple):
    """The progress of the installed model's vectors, and the space that others take."""

    fingerprint: str
    memories: int  #: that have their vectors
    size: int  #: bytes of those
    missing: int  #: memories
    questions: int  #: that wait as well
    others: tuple[Generation, ...]  #: of other models, never compared


class Pruned(NamedTuple):
    """The vectors that were removed."""

    vectors: int
    size: int  #: bytes


class Embedded(NamedTuple):
    """The result of one run."""

    done: int  #: memories
    fingerprint: str
    questions: int = 0  #: with an outcome, whose vectors were another model's
    pruned: Pruned | None = None  #: if somebody asked for that


def missing(engine: Engine) -> int:
    """Count the memories without a vector of the installed model."""
    fingerprint = engine.fingerprint()
    return engine.store.vectors.count_lacking(fingerprint) if fingerprint else 0


def to_do(engine: Engine) -> int:
    """Count the memories and questions a run would embed."""
    fingerprint = engine.fingerprint()
    return missing(engine) + len(engine.store.vectors.questions_lacking(fingerprint)) if fingerprint else 0


def waiting(engine: Engine) -> int:
    """Estimate how many active memories have no vector; exact in a small store."""
    fingerprint = engine.fingerprint()
    return engine.store.vectors.count_lacking(fingerprint, roughly=True) if fingerprint else 0


def standing(engine: Engine) -> EmbeddingState:
    """Return the progress of the installed model's vectors; changes nothing."""
    fingerprint = _installed(engine).fingerprint
    with engine.store.reading():
        found = {each.fingerprint: each for each in engine.store.vectors.generations()}
        own = found.pop(fingerprint, Generation(fingerprint, 0, 0, 0))
        return EmbeddingState(
            fingerprint=fingerprint,
            memories=own.memories,
            size=own.size,
            missing=engine.store.vectors.count_lacking(fingerprint),
            questions=len(engine.store.vectors.questions_lacking(fingerprint)),
            others=tuple(found.values()),
        )


def embed_missing(engine: Engine, progress: Progress | None = None) -> Embedded:
    """Embed what has no vector of the installed model; can be interrupted and resumed at any point."""
    embedder = _installed(engine)
    done, skip, after = 0, 0, None
    while batch := _next(engine, embedder, after, skip):
        saved = _embed(engine, embedder, batch, progress)
        done += saved
        after, skip = batch[-1].id, 0
        if 2 * saved < len(
            batch
        ):  # another run is at work here, so this one goes on in the middle of the rest
            skip = engine.store.vectors.count_lacking(embedder.fingerprint, after) // 2
    questions = _embed_questions(engine, embedder, progress)
    ready_to_search(engine, done)
    return Embedded(done, embedder.fingerprint, questions)


def _next(engine: Engine, embedder: Embedder, after: str | None, skip: int) -> Sequence[Pending]:
    """Return the next batch after a memory, or else one from the beginning."""
    store, fingerprint = engine.store, embedder.fingerprint
    found = store.vectors.lacking(fingerprint, BATCH, after, skip)
    if not found and after:
        found = store.vectors.lacking(fingerprint, BATCH)
    return _portion(found)


def _portion(pending: Sequence[Pending]) -> Sequence[Pending]:
    """Limit a batch to what an interruption may lose, at least one."""
    characters = 0
    for count, each in enumerate(pending):
        characters += len(each.content)
        if count and characters > BATCH_CHARACTERS:
            return pending[:count]
    return pending


def _embed(engine: Engine, embedder: Embedder, batch: Sequence[Pending], progress: Progress | None) -> int:
    vectors = embedder.embed_memories([each.content for each in batch], progress)
    made = [Made(each.id, passages, each.content) for each, passages in zip(batch, vectors, strict=True)]
    with engine.store.writing():
        return engine.store.vectors.put(embedder.fingerprint, made)


def _embed_questions(engine: Engine, embedder: Embedder, progress: Progress | None) -> int:
    """Embed questions with outcomes, so that evidence can be compared with new queries."""
    done = 0
    while questions := engine.store.vectors.questions_lacking(embedder.fingerprint, BATCH):
        made = [(question, embedder.embed_query(question)) for question in questions]
        with engine.store.writing():
            for question, vector in made:
                engine.store.vectors.put_question(question, engine.now(), embedder.fingerprint, vector)
        done += len(questions)
        if progress:
            progress(len(questions))
    return done


def prune(engine: Engine) -> Pruned:
    """Remove other models' vectors from everything the installed model has embedded."""
    fingerprint = _installed(engine).fingerprint
    before = _others(engine, fingerprint)
    after, begun = None, False
    while after is not None or not begun:
        with engine.store.writing():
            after, begun = engine.store.vectors.prune(fingerprint, after, PRUNED_AT_ONCE), True
    left = _others(engine, fingerprint)
    return Pruned(before.vectors - left.vectors, before.size - left.size)


def _others(engine: Engine, fingerprint: str) -> Pruned:
    others = [each for each in engine.store.vectors.generations() if each.fingerprint != fingerprint]
    return Pruned(sum(each.vectors for each in others), sum(each.size for each in others))


def _installed(engine: Engine) -> Embedder:
    embedder = engine.embedder()
    if embedder is None:
        raise ModelUnavailable("no embedding model is installed; `mem model install` adds it")
    return embedder

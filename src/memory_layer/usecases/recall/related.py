"""Find memories similar to a given one."""

from __future__ import annotations

from memory_layer.model.changes import Neighbours, Related
from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, Mode
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Embedder, Engine
from memory_layer.rules.edits import check_not_forgotten
from memory_layer.rules.limits import check_limit
from memory_layer.text.words import query_terms
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.recall.vectors import matching, nearest, passages_of
from memory_layer.usecases.who.lookup import read_memory, whole_id

RELATED_MOST = 100
WORDS_MOST = 64  #: of a long text; the first ones say what it is about


def related(engine: Engine, prefix: str, filters: Filters, limit: int = 10) -> Neighbours:
    """Return the active memories nearest to one, by meaning or without a model by words; never counts as use."""
    check_limit(limit, RELATED_MOST)
    embedder = engine.embedder()
    with engine.store.reading():
        memory = read_memory(engine.store, whole_id(engine.store, prefix))
        check_not_forgotten(memory)
        active = filters._replace(statuses=(Status.ACTIVE,))
        if embedder is None:
            scores = _by_words(engine, memory, active, limit)
        else:
            scores = _by_meaning(engine, embedder, memory, active, limit)
        hits = _read(engine, memory, scores, limit)
    mode = Mode.SEMANTIC if embedder else Mode.KEYWORD
    return shown(engine, Neighbours(id=memory.id, mode=mode.value, hits=hits))


def _by_meaning(
    engine: Engine, embedder: Embedder, memory: Memory, filters: Filters, limit: int
) -> dict[str, float]:
    """Return, for the nearest memories of each passage, their best cosine with any passage."""
    passages = passages_of(engine.store, memory.id, embedder.fingerprint)
    if passages is None:
        passages = embedder.embed_memories([memory.content])[0]
    best: dict[str, float] = {}
    for passage in passages:
        for each, score in nearest(
            engine.store, passage, embedder.fingerprint, filters, engine.now(), limit + 1
        ).items():
            best[each] = max(score, best.get(each, score))
    return best


def _by_words(engine: Engine, memory: Memory, filters: Filters, limit: int) -> dict[str, float]:
    terms = list(dict.fromkeys(query_terms(memory.content)))[:WORDS_MOST]
    return matching(engine.store, terms, filters, engine.now(), limit + 1)


def _read(engine: Engine, memory: Memory, scores: dict[str, float], limit: int) -> tuple[Related, ...]:
    """Read the other memories, nearest first."""
    others = [each for each in scores if each != memory.id]
    order = sorted(others, key=lambda each: -scores[each])[:limit]
    return tuple(Related(each, scores[each.id]) for each in engine.store.memories.get(order))

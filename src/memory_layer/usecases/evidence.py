"""What experience says about the candidates of a question."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from memory_layer.policy.words import query_terms
from memory_layer.ports import Embedder, Engine
from memory_layer.ranking.arithmetic import PLAIN
from memory_layer.ranking.coverage import idf
from memory_layer.ranking.evidence import (
    HIGHEST_FLOOR,
    NO_EVIDENCE,
    UNKNOWN_QUERY_K,
    Event,
    Evidence,
    kernel,
    shared_words,
    weighed,
)

if TYPE_CHECKING:
    from memory_layer.ports import Vector


def evidence_of(
    engine: Engine, text: str, embedder: Embedder | None, vector: Vector | None, rows: Sequence[int]
) -> dict[int, Evidence]:
    """The outcomes of those candidates that have any, weighed by how alike the questions were."""
    witnesses = engine.store.search.witnesses(rows, engine.now()) if rows else []
    if not witnesses:
        return {}
    queries = {witness.query for witness in witnesses if witness.query is not None}
    likeness = _likeness(engine, text, embedder, vector, queries)
    events: dict[int, list[Event]] = {row: [] for row, *_ in witnesses}
    for row, query, result, age_days in witnesses:
        # Most questions are unlike: what was reported for them is not even looked at.
        if (k := likeness.get(query, 0.0)) > 0.0:
            events[row].append(Event(k, age_days, result))
    return {row: weighed(each) if each else NO_EVIDENCE for row, each in events.items()}


def compared(
    engine: Engine, text: str, fingerprint: str | None, vector: Vector | None, queries: Set[int]
) -> tuple[dict[int, float], dict[int, float]]:
    """How alike earlier questions are to this one: their cosines, and by words those that have none."""
    cosines: dict[int, float] = {}
    if fingerprint is not None and vector is not None:
        cosines = engine.store.search.query_similarities(vector, fingerprint, queries)
    if len(cosines) == len(queries):
        return cosines, {}
    texts = engine.store.search.query_texts(queries - cosines.keys())
    rest = {query: query_terms(other) for query, other in texts.items()}
    ours = query_terms(text)
    every = sorted({term for own in (ours, *rest.values()) for term in own})
    total, frequency = engine.store.search.frequencies(every)
    weights = {term: idf(total, frequency.get(term, 0)) for term in every}
    return cosines, {
        query: 1.0 if texts[query] == text else shared_words(ours, theirs, weights)
        for query, theirs in rest.items()
    }


def _likeness(
    engine: Engine, text: str, embedder: Embedder | None, vector: Vector | None, queries: Set[int]
) -> dict[int | None, float]:
    """How much earlier questions say about this one, above 0 to 1; one that is left out says nothing."""
    cosines, words = compared(engine, text, embedder.fingerprint if embedder else None, vector, queries)
    floor = engine.settings.likeness
    result: dict[int | None, float] = {None: UNKNOWN_QUERY_K}
    result.update(words.items())
    for query, cosine in cosines.items():
        if cosine > floor or floor > HIGHEST_FLOOR:
            result[query] = kernel(PLAIN, cosine, floor)
    return result

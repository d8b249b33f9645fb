"""Collect the outcome evidence for the candidates of a query."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from math import isnan
from typing import TYPE_CHECKING

from memory_layer.ports import Embedder, Engine
from memory_layer.ports.log import OutcomeFilter
from memory_layer.ranking.coverage import idf
from memory_layer.ranking.evidence import (
    HIGHEST_FLOOR,
    NO_EVIDENCE,
    UNKNOWN_QUERY_K,
    Evidence,
    WeighedOutcome,
    kernel,
    shared_words,
    weighed,
)
from memory_layer.ranking.signals import PLAIN
from memory_layer.text.words import query_terms

if TYPE_CHECKING:
    from memory_layer.ports import Vector


def evidence_of(
    engine: Engine, text: str, embedder: Embedder | None, vector: Vector | None, ids: Sequence[str]
) -> dict[str, Evidence]:
    """Return the evidence for the candidates with outcomes, weighted by similarity of their queries."""
    reports = engine.store.log.outcomes(OutcomeFilter(memories=ids, counted=True)) if ids else ()
    if not reports:
        return {}
    # The last report of each session on a question is the one that counts.
    witnesses = {(each.memory, each.query, each.session): each for each in reports}.values()
    now = engine.now()
    queries = {witness.query for witness in witnesses if witness.query is not None}
    likeness = _likeness(engine, text, embedder, vector, queries)
    events: dict[str, list[WeighedOutcome]] = {witness.memory: [] for witness in witnesses}
    for witness in witnesses:
        # Most questions are unlike: what was reported for them is not even looked at.
        if (k := likeness.get(witness.query, 0.0)) > 0.0:
            age_days = (now - witness.at).total_seconds() / 86_400
            events[witness.memory].append(WeighedOutcome(k, age_days, witness.result, witness.weight))
    return {memory: weighed(each) if each else NO_EVIDENCE for memory, each in events.items()}


def reported_for(engine: Engine, text: str, ids: Collection[str]) -> set[str]:
    """Return those of the memories that have a report for exactly this question."""
    wanted = OutcomeFilter(memories=sorted(ids), query=text, counted=True)
    return {event.memory for event in engine.store.log.outcomes(wanted)} if ids else set()


def compared(
    engine: Engine, text: str, fingerprint: str | None, vector: Vector | None, queries: Set[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """Compare earlier queries with this one: by cosine, and by words those without a vector."""
    cosines: dict[str, float] = {}
    if fingerprint is not None and vector is not None:
        cosines = _cosines(engine, fingerprint, vector, queries)
    if len(cosines) == len(queries):
        return cosines, {}
    rest = {query: query_terms(query) for query in sorted(queries - cosines.keys())}
    ours = query_terms(text)
    every = sorted({term for own in (ours, *rest.values()) for term in own})
    total, frequency = engine.store.search.frequencies(every)
    weights = {term: idf(total, frequency.get(term, 0)) for term in every}
    return cosines, {
        query: 1.0 if query == text else shared_words(ours, theirs, weights) for query, theirs in rest.items()
    }


def _cosines(engine: Engine, fingerprint: str, vector: Vector, queries: Set[str]) -> dict[str, float]:
    """Return the cosines of the earlier queries that have a vector of the same size."""
    from memory_layer.ranking.arrays import cosines
    from memory_layer.usecases.recall.vectors import matrix

    stored = engine.store.vectors.question_vectors(sorted(queries), fingerprint)
    known = {text: numbers for text, numbers in stored.items() if len(numbers) == 2 * len(vector)}
    vectors = matrix(list(known.values())) if known else None
    if vectors is None:
        return {}
    found = zip(known, cosines(vectors, vector).tolist(), strict=True)
    return {text: cosine for text, cosine in found if not isnan(cosine)}


def _likeness(
    engine: Engine, text: str, embedder: Embedder | None, vector: Vector | None, queries: Set[str]
) -> dict[str | None, float]:
    """Return the weight of each earlier query, above 0 to 1; a missing one has no weight."""
    cosines, words = compared(engine, text, embedder.fingerprint if embedder else None, vector, queries)
    floor = engine.settings.likeness
    result: dict[str | None, float] = {None: UNKNOWN_QUERY_K}
    result.update(words.items())
    for query, cosine in cosines.items():
        if cosine > floor or floor > HIGHEST_FLOOR:
            result[query] = kernel(PLAIN, cosine, floor)
    return result

"""What experience says about the candidates of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memory_layer.model.vocabulary import Outcome
from memory_layer.policy.words import query_terms
from memory_layer.ports import Embedder, Engine, Witness
from memory_layer.ranking.arithmetic import PLAIN
from memory_layer.ranking.coverage import idf
from memory_layer.ranking.evidence import UNKNOWN_QUERY_K, Event, Evidence, kernel, shared_words, weighed

if TYPE_CHECKING:
    from memory_layer.ports import Vector


def evidence_of(
    engine: Engine, text: str, embedder: Embedder | None, vector: Vector | None, rows: Sequence[int]
) -> dict[int, Evidence]:
    """The outcomes of those candidates that have any, weighed by how alike the questions were."""
    if not rows:
        return {}
    latest = {
        (witness.row, witness.session, witness.query): witness for witness in engine.store.witnesses(rows)
    }
    if not latest:
        return {}
    likeness = _likeness(engine, text, embedder, vector, list(latest.values()))
    now = engine.now()
    events: dict[int, list[Event]] = {}
    for witness in latest.values():
        age_days = (now - witness.at).total_seconds() / 86400
        event = Event(likeness[witness.query], age_days, Outcome(witness.result))
        events.setdefault(witness.row, []).append(event)
    return {row: weighed(each) for row, each in events.items()}


def compared(
    engine: Engine, text: str, fingerprint: str | None, vector: Vector | None, texts: Mapping[int, str]
) -> tuple[dict[int, float], dict[int, float]]:
    """How alike earlier questions are to this one: their cosines, and by words those that have none."""
    cosines: dict[int, float] = {}
    if fingerprint is not None and vector is not None:
        cosines = engine.store.query_similarities(vector, fingerprint, texts)
    rest = {query: query_terms(other) for query, other in texts.items() if query not in cosines}
    if not rest:
        return cosines, {}
    ours = query_terms(text)
    every = sorted({term for own in (ours, *rest.values()) for term in own})
    total, frequency = engine.store.frequencies(every)
    weights = {term: idf(total, frequency.get(term, 0)) for term in every}
    return cosines, {
        query: 1.0 if texts[query] == text else shared_words(ours, theirs, weights)
        for query, theirs in rest.items()
    }


def _likeness(
    engine: Engine, text: str, embedder: Embedder | None, vector: Vector | None, witnesses: list[Witness]
) -> dict[int | None, float]:
    """How much each earlier question says about this one, 0..1."""
    texts = {witness.query: witness.query_text or "" for witness in witnesses if witness.query is not None}
    fingerprint = embedder.fingerprint if embedder else None
    cosines, words = compared(engine, text, fingerprint, vector, texts)
    floor = engine.settings.likeness
    result: dict[int | None, float] = {None: UNKNOWN_QUERY_K}
    result.update(words.items())
    result.update((query, kernel(PLAIN, cosine, floor)) for query, cosine in cosines.items())
    return result

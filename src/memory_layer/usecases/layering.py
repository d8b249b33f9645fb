"""Find what could be given unasked, layer by layer; the caller holds the reading moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memory_layer.model.context import MOST_PROCEDURES, Layer, Line, Present, Wanted
from memory_layer.model.memory import Memory, Project
from memory_layer.model.query import Filters, Hit, Query, Reach
from memory_layer.model.vocabulary import Tier
from memory_layer.policy import layers, lifecycle
from memory_layer.policy.activation import last_touched
from memory_layer.policy.context_text import note_of
from memory_layer.ports import Engine
from memory_layer.usecases.pool import Asked
from memory_layer.usecases.rivals import given_out, rivals
from memory_layer.usecases.search import best_hits
from memory_layer.usecases.staleness import of_stale_projects

#: A line takes about so many tokens at least: what bounds how many are looked at.
LEAST_TOKENS = 10
LEAST_LOOKED_AT = 40
MOST_BASELINE = 400  #: whatever the budget is, so that a larger one never gives fewer


class Around(NamedTuple):
    """Whose memories a context is made of."""

    reach: Reach
    project: Project | None = None


class Layers(NamedTuple):
    """What could be given, each layer in its order."""

    handoff: Line | None
    baseline: Sequence[Line]
    contextual: Sequence[Line]
    procedures: Sequence[Line]


def layers_of(engine: Engine, wanted: Wanted, around: Around, asked: Asked | None) -> Layers:
    filters = Filters(
        reach=around.reach,
        project=around.project.id if around.project else None,
        paths=wanted.paths,
        min_confidence=lifecycle.LEAST_CONFIDENCE,
    )
    always = _baseline(engine, filters)
    known = frozenset(line.memory.id for line in always)
    if asked is None:
        return Layers(None, always, _by_presence(engine, wanted, filters, known), ())
    return Layers(
        None,
        always,
        _by_relevance(engine, wanted, filters, asked, known),
        _procedures(engine, filters, asked),
    )


def _baseline(engine: Engine, filters: Filters) -> list[Line]:
    """What is always given, each marked with what speaks against it."""
    now = engine.now()
    found = engine.store.giving().always_given(filters, now, layers.BASELINE)
    best = layers.baseline(found, now)[:MOST_BASELINE]
    return _marked(engine, _read(engine, best, Layer.BASELINE))


def _by_presence(engine: Engine, wanted: Wanted, filters: Filters, known: frozenset[str]) -> list[Line]:
    """What is most present of all that applies here."""
    now, store = engine.now(), engine.store.giving()
    most = max(wanted.budget // LEAST_TOKENS, LEAST_LOOKED_AT)
    bare = filters._replace(paths=())
    found = store.most_present(bare, now, most, unscoped=bool(wanted.paths))
    if wanted.paths:
        found += store.scoped(bare, now, layers.covering(wanted.paths), most)
    fresh = [each for each in found if each.id not in known]
    stale = of_stale_projects(engine, [each.row for each in fresh])
    best = layers.contextual(fresh, now, wanted.paths, stale)[:most]
    return _marked(engine, _read(engine, best, Layer.CONTEXTUAL))


def _read(engine: Engine, best: Sequence[tuple[Present, float]], layer: Layer) -> list[Line]:
    memories = engine.store.get_many([each.id for each, _ in best])
    return [
        Line(memory, layer, worth, {"activation": worth})
        for memory, (_, worth) in zip(memories, best, strict=True)
    ]


def _by_relevance(
    engine: Engine, wanted: Wanted, filters: Filters, asked: Asked, known: frozenset[str]
) -> list[Line]:
    """What answers the task, weighed by how present it is."""
    most = max(wanted.budget // LEAST_TOKENS, LEAST_LOOKED_AT)
    facts = filters._replace(tiers=(Tier.SEMANTIC,))
    hits = _near(engine, asked, facts, most)
    fresh = {hit.memory.id: hit for hit in hits if hit.memory.id not in known}
    present = [_present(hit.memory) for hit in fresh.values()]
    best = layers.contextual(
        present, engine.now(), wanted.paths, (), lambda each: max(fresh[each.id].score, 0.0)
    )
    lines = [
        _line(fresh[each.id], Layer.CONTEXTUAL, worth, layers.presence(each, engine.now()))
        for each, worth in best
    ]
    return _marked(engine, lines)


def _near(engine: Engine, asked: Asked, filters: Filters, most: int) -> list[Hit]:
    """What a search finds, without what is too far to be given unasked."""
    hits = best_hits(engine, asked, Query(asked.text, filters, limit=most)).hits
    kept = []
    for hit in hits:
        told = {signal.name: signal.value for signal in hit.signals}
        meaning = told["semantic"] if asked.vector is not None else None
        if layers.near_enough(meaning, told["coverage"]):
            kept.append(hit)
    return kept


def _present(memory: Memory) -> Present:
    touched, confirmations = last_touched(memory), memory.reinforcement_count
    return Present(0, memory.id, memory.category, memory.priority, confirmations, touched, memory.scope)


def _procedures(engine: Engine, filters: Filters, asked: Asked) -> list[Line]:
    """The ways that fit the task, proven ones first."""
    ways = filters._replace(tiers=(Tier.PROCEDURAL,))
    hits = _near(engine, asked, ways, LEAST_LOOKED_AT)
    by_id = {hit.memory.id: hit for hit in hits}
    best = layers.proven_first([hit.memory for hit in hits])[:MOST_PROCEDURES]
    return _marked(
        engine, [_line(by_id[each.id], Layer.PROCEDURE, by_id[each.id].score, None) for each in best]
    )


def _line(hit: Hit, layer: Layer, worth: float, presence: float | None) -> Line:
    signals = {"relevance": hit.score} | ({} if presence is None else {"activation": presence})
    return Line(hit.memory, layer, worth, signals)


def _marked(engine: Engine, lines: Sequence[Line]) -> list[Line]:
    """The lines with what is said beside them; two that contradict each other stand together, the newer first."""
    ids = [line.memory.id for line in lines]
    known = rivals(engine, ids)
    standing = set(ids) | given_out(engine, known.keys() - set(ids))
    placed: dict[str, Line] = {}
    for line in lines:
        against = known.get(line.memory.id, set())
        group = [other for other in lines if other is line or other.memory.id in against]
        for each in sorted(group, key=lambda other: other.memory.created_at, reverse=True):
            against = known.get(each.memory.id, set()) & standing
            placed.setdefault(each.memory.id, each._replace(note=note_of(each.memory, sorted(against))))
    return list(placed.values())

"""Select memories by one of the named orders; the caller holds the read transaction."""

from __future__ import annotations

from collections.abc import Callable

from memory_layer.model.context import (
    MOST_GIVEN,
    MOST_PROCEDURES,
    ContextLayer,
    ContextLine,
    ContextOrder,
    ContextQuery,
)
from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, Giving, Query, Reach
from memory_layer.model.runs import RunTask
from memory_layer.model.vocabulary import Priority, Tier
from memory_layer.ports import Engine
from memory_layer.rules import context, orders
from memory_layer.rules.permissions import may_be_given
from memory_layer.rules.runs import chosen
from memory_layer.usecases.give.layers import for_any_work, marked
from memory_layer.usecases.give.portions import Portion
from memory_layer.usecases.give.scoped import ContextScope, filters_of
from memory_layer.usecases.give.task_layers import for_task
from memory_layer.usecases.recall.pool import PreparedQuery
from memory_layer.usecases.recall.search import best_hits

#: Memories of one category and number of confirmations that order s4 looks at, the last touched ones.
MOST_ACTIVE = 400
#: Runs get facts and procedures; events are looked up.
GIVEN = (Tier.SEMANTIC, Tier.PROCEDURAL)

Choose = Callable[[Engine, ContextQuery, ContextScope, PreparedQuery | None], list[Portion]]


def portions_of(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery | None
) -> list[Portion]:
    """Return what a text is filled with, by the order that was asked for; included memories come first."""
    portions = _ORDERS[wanted.order](engine, wanted, around, prepared)
    if not wanted.include or wanted.order is ContextOrder.S1:
        return portions
    memories = _read(engine, list(wanted.include))
    lines = [ContextLine(each, ContextLayer.CONTEXTUAL, 1.0, {"included": 1.0}) for each in memories]
    return [Portion(marked(engine, lines, wanted.include), shorten=False), *portions]


def _balanced(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery | None
) -> list[Portion]:
    """Return what a context is filled with: for a task, or for any work in the project."""
    if prepared is None:
        return for_any_work(engine, wanted, around)
    return for_task(engine, wanted, around, prepared)


def _by_layers(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery | None
) -> list[Portion]:
    """Order s4: all of the baseline, then what is active enough, then procedures for the task."""
    now, filters = engine.now(), filters_of(around)._replace(paths=wanted.paths)
    facts = filters._replace(tiers=(Tier.SEMANTIC,), giving=Giving.ALWAYS)
    important = facts._replace(categories=context.BASELINE, priorities=(Priority.CRITICAL, Priority.HIGH))
    present = engine.store.memories.present
    found = present(important, now, None, "presence")
    always = orders.by_priority(_read(engine, [each.id for each in found if may_be_given(each.warrant)]), now)
    known = {memory.id for memory in always}
    others = [each.id for each in present(facts, now, MOST_ACTIVE, "presence") if each.id not in known]
    active = orders.by_activation(_read(engine, others), now, wanted.paths)

    def lines(memories: list[Memory], layer: ContextLayer) -> list[ContextLine]:
        kept = [each for each in memories if each.id not in wanted.exclude]
        scores = [orders.linear_activation(each, now) for each in kept]
        return marked(
            engine,
            [
                ContextLine(each, layer, score, {"activation": score})
                for each, score in zip(kept, scores, strict=True)
            ],
        )

    return [
        Portion(lines(always, ContextLayer.BASELINE), in_order=True, shorten=False),
        Portion(lines(active, ContextLayer.CONTEXTUAL), shorten=False),
        Portion(lines(_procedures(engine, filters, prepared), ContextLayer.PROCEDURE), shorten=False),
    ]


def _procedures(engine: Engine, filters: Filters, prepared: PreparedQuery | None) -> list[Memory]:
    """Return the procedures that fit the task, proven ones first."""
    if prepared is None:
        return []
    ways = filters._replace(tiers=(Tier.PROCEDURAL,))
    hits = best_hits(engine, prepared, Query(prepared.text, ways, limit=MOST_PROCEDURES * 10)).hits
    near = []
    for hit in hits:
        values = {signal.name: signal.value for signal in hit.signals}
        meaning = values["semantic"] if prepared.vector is not None else None
        if context.near_enough(meaning, values["coverage"]):
            near.append(hit.memory)
    return context.proven_first(near)[:MOST_PROCEDURES]


def _by_trust(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery | None
) -> list[Portion]:
    """Order s1: what fits the write scope first, then by confidence x relevance, then by id; ten by default."""
    now = engine.now()
    patterns = (*wanted.paths, *wanted.write_scope)
    task = RunTask(wanted.question, patterns, wanted.include, wanted.exclude, wanted.most)
    unasked = filters_of(around)._replace(tiers=GIVEN, giving=Giving.ALWAYS)
    present = engine.store.memories.present
    most = (wanted.most or MOST_GIVEN) + len(wanted.include) + len(wanted.exclude)
    found = present(unasked, now, most, "trust")
    if patterns:
        found += present(unasked._replace(labelled=True), now, None, "trust")
    if wanted.include:
        included = Filters(reach=Reach.ALL, expired=True, superseded=True, ids=wanted.include)
        found += present(included, now, None, "trust")
    places = chosen({each.id: each for each in found}.values(), task, now)
    memories = _read(engine, [each.id for each in places])
    lines = [
        ContextLine(
            memory,
            ContextLayer.CONTEXTUAL,
            place.score,
            {
                "confidence": memory.confidence,
                "included": float(memory.id in wanted.include),
                "relevance": memory.relevance,
                "write_scope": float(place.fits_scope),
            },
        )
        for memory, place in zip(memories, places, strict=True)
    ]
    return [Portion(marked(engine, lines, wanted.include), shorten=False)]


def _read(engine: Engine, ids: list[str]) -> list[Memory]:
    return engine.store.memories.get(ids)


_ORDERS: dict[ContextOrder, Choose] = {
    ContextOrder.BALANCED: _balanced,
    ContextOrder.S4: _by_layers,
    ContextOrder.S1: _by_trust,
}

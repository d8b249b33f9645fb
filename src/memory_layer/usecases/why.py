"""Explain a search: every hit's signals, and what came close but was left out."""

from __future__ import annotations

from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, Found, NearMiss, Query, Reach
from memory_layer.model.vocabulary import LinkKind, Status
from memory_layer.policy.intent import intent
from memory_layer.policy.wishes import unmet, without_wishes
from memory_layer.ports import Engine, Place
from memory_layer.ranking import explain
from memory_layer.ranking.explain import LeftOut
from memory_layer.ranking.rankers import ranker_named
from memory_layer.usecases.pool import Asked, ranked_pool
from memory_layer.usecases.search import Best, best_hits, notice_of_waiting, prepared
from memory_layer.usecases.staleness import stale_projects

NEAR_MISSES = 10
FILTERED = 3  #: how many of them may be what a filter alone kept out
#: Told after what was nearly given, which they would crowd out.
_LAST = (LeftOut.FILTERED, LeftOut.OTHER_PROJECT)


def why(engine: Engine, query: Query, place: Place | None = None) -> Found:
    """What a search would return and why, for somebody who works in `place`; looking never counts as use."""
    asked = prepared(engine, query)._replace(place=place)
    with engine.store.reading():
        best = best_hits(engine, asked, query)
        filtered = _filtered(engine, asked, query)
        held_back = _held_back(engine, asked, query, best)[: NEAR_MISSES - len(filtered)]
        near = sorted(held_back + filtered, key=_place)
        stale = stale_projects(engine)
        notice = asked.notice or notice_of_waiting(engine, asked.embedder)
    return Found(
        recall=None,
        mode=asked.mode,
        ranker=ranker_named(query.ranker).name,
        hits=best.hits,
        group_by=query.group_by,
        duplicates=len(best.repeated) if query.diverse else None,
        near_misses=tuple(near),
        intent=intent(asked.text),
        stale=stale,
        redacted=asked.redacted,
        notice=notice,
    )


def _place(miss: NearMiss) -> int:
    return _LAST.index(miss.reason) + 1 if miss.reason in _LAST else 0


def _filtered(engine: Engine, asked: Asked, query: Query) -> list[NearMiss]:
    """The best of what would be given if only its text were asked for."""
    wider = without_wishes(query.filters)
    if wider == query.filters:
        return []
    pool = ranked_pool(engine, asked, wider, query.ranker, query.limit)
    found = []
    for ranked, read, *_ in pool:
        memory = read()
        wish = unmet(query.filters, memory)
        if wish is not None and ranked.answers:
            miss = explain.NearMiss(memory.id, LeftOut.FILTERED, wish)
            found.append(NearMiss(memory, ranked.score, miss.reason, miss.sentence))
    return found[:FILTERED]


def _held_back(engine: Engine, asked: Asked, query: Query, best: Best) -> list[NearMiss]:
    """The best of what the same question finds when nothing is held back."""
    shown = {hit.memory.id for hit in best.hits}
    depth = query.limit + 3 * NEAR_MISSES
    pool = ranked_pool(engine, asked, _unguarded(query.filters), query.ranker, depth)
    close = [entry for entry in pool if entry.ranked.id not in shown]
    replaced = _replaced_by(engine, [entry.ranked.id for entry in close])
    result = []
    for ranked, read, *_ in close:
        memory = read()
        miss = _stood_for(best, memory.id) or _reason(
            engine, query.filters, memory, replaced.get(memory.id), ranked.answers
        )
        result.append(NearMiss(memory=memory, score=ranked.score, reason=miss.reason, words=miss.sentence))
    return sorted(result, key=_place)


def _unguarded(filters: Filters) -> Filters:
    """The same wish without the guards that keep memories back."""
    return filters._replace(
        reach=Reach.ALL,
        statuses=(*filters.statuses, Status.ARCHIVED),  # what waits for review is nobody's hit
        min_confidence=0.0,
        expired=True,
        superseded=True,
    )


def _replaced_by(engine: Engine, ids: list[str]) -> dict[str, str]:
    """What took the place of these memories; what is archived takes nobody's place."""
    links = [link for link in engine.store.links(ids) if link.kind is LinkKind.SUPERSEDES]
    newer = engine.store.get_many([link.source for link in links])
    active = {memory.id for memory in newer if memory.status is Status.ACTIVE}
    return {link.target: link.source for link in links if link.source in active}


def _stood_for(best: Best, memory_id: str) -> explain.NearMiss | None:
    """A memory for which one of the hits stands passed every guard."""
    if memory_id in best.repeated:
        return explain.NearMiss(memory_id, LeftOut.DUPLICATE, best.repeated[memory_id])
    if memory_id in best.grouped:
        return explain.NearMiss(memory_id, LeftOut.GROUPED, best.grouped[memory_id])
    return None


def _reason(
    engine: Engine, filters: Filters, memory: Memory, newer: str | None, answers: bool
) -> explain.NearMiss:
    """The first guard that held a memory back."""
    if memory.status not in filters.statuses:
        return explain.NearMiss(memory.id, LeftOut.ARCHIVED, str(memory.reason or ""))
    if memory.expires_at is not None and memory.expires_at <= engine.now() and not filters.expired:
        return explain.NearMiss(memory.id, LeftOut.EXPIRED, f"{memory.expires_at:%Y-%m-%d}")
    if newer is not None and not filters.superseded:
        return explain.NearMiss(memory.id, LeftOut.SUPERSEDED, newer)
    if not _in_reach(engine, filters, memory):
        return explain.NearMiss(memory.id, LeftOut.OTHER_PROJECT, memory.project or "global")
    if memory.confidence < filters.min_confidence:
        return explain.NearMiss(memory.id, LeftOut.GATED, f"{memory.confidence:.2f}")
    return explain.NearMiss(memory.id, LeftOut.PAST_LIMIT if answers else LeftOut.BELOW_POOL)


def _in_reach(engine: Engine, filters: Filters, memory: Memory) -> bool:
    if filters.reach is Reach.ALL or memory.project is None:
        return True
    project = engine.store.project(memory.project)
    return filters.reach is Reach.PROJECT and project is not None and project.id == filters.project

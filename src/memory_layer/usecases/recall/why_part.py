"""Explain a search: every hit's signals, and what came close but was left out."""

from __future__ import annotations

from memory_layer.model.query import Found, Query
from memory_layer.ports import Engine, Place
from memory_layer.ranking.rankers import ranker_named
from memory_layer.rules.intent import intent
from memory_layer.usecases.govern.withhold import shown
from memory_layer.usecases.recall.search import best_hits, notice_of_waiting, prepared
from memory_layer.usecases.recall.why import held_for_review, near_misses
from memory_layer.usecases.who.staleness import stale_projects


def why(engine: Engine, query: Query, place: Place | None = None) -> Found:
    """What a search would return and why, for somebody who works in `place`; looking never counts as use."""
    asked = prepared(engine, query)._replace(place=place)
    with engine.store.reading():
        best = best_hits(engine, asked, query)
        near = near_misses(engine, asked, query, best)
        held = held_for_review(engine, asked, query)
        stale = stale_projects(engine)
        notice = asked.notice or notice_of_waiting(engine, asked.embedder)
    found = Found(
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
        notice="; ".join(filter(None, (_waiting(held), notice))) or None,
    )
    return shown(engine, found)


def _waiting(held: int) -> str | None:
    if not held:
        return None
    subject = (
        "1 memory that would be given waits" if held == 1 else f"{held} memories that would be given wait"
    )
    return f"{subject} for a person: see `mem review`"

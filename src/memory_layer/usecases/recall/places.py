"""Tell where each candidate of a search stands by words, by meaning, by both, and with what was reported."""

from __future__ import annotations

from collections.abc import Callable

from memory_layer.model.query import PlainHit, Ranks
from memory_layer.usecases.recall.pool import ListPlaces, PoolEntry
from memory_layer.usecases.recall.search import Best


def ranks_of(best: Best) -> dict[str, Ranks]:
    """Return the places of all candidates by their ids; the hits come first in the order they are given."""
    given = {hit.memory.id: number for number, hit in enumerate(best.hits, 1)}
    others = [entry.ranked.id for entry in best.pool if entry.ranked.answers and entry.ranked.id not in given]
    final = given | {each: number for number, each in enumerate(others, len(given) + 1)}
    return {
        entry.ranked.id: Ranks(
            _from_one(entry.places.keyword),
            _from_one(entry.places.semantic),
            _from_one(entry.places.together),
            final.get(entry.ranked.id),
        )
        for entry in best.pool
        if entry.places is not None
    }


def plain_lists(best: Best, limit: int) -> tuple[tuple[PlainHit, ...], tuple[PlainHit, ...]]:
    """Return the best by words alone, and the best by meaning alone."""
    ranks = ranks_of(best)
    listed = [(entry, entry.places) for entry in best.pool if entry.places is not None]

    def first(
        place: Callable[[ListPlaces], int], score: Callable[[ListPlaces], float]
    ) -> tuple[PlainHit, ...]:
        found: list[tuple[PoolEntry, ListPlaces]] = sorted(
            ((entry, places) for entry, places in listed if place(places) >= 0),
            key=lambda each: place(each[1]),
        )
        return tuple(
            PlainHit(entry.read(), score(places), ranks[entry.ranked.id]) for entry, places in found[:limit]
        )

    return (
        first(lambda each: each.keyword, lambda each: each.words),
        first(lambda each: each.semantic, lambda each: each.meaning),
    )


def _from_one(place: int) -> int | None:
    return place + 1 if place >= 0 else None

"""Pick one hit per group, and drop hits that repeat a better one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.model.memory import Memory
from memory_layer.model.query import Query
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Embedder, Engine
from memory_layer.ranking.order import RankedLine, picked
from memory_layer.rules.intent import check_key, group_of
from memory_layer.text.compare.duplicates import repeats
from memory_layer.usecases.recall.vectors import passages_of

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors


class Pick(NamedTuple):
    """The lines to show, and the shown memory that stands for each one left out."""

    lines: tuple[RankedLine, ...]
    repeated: dict[str, str]  #: the id of a hit that gave way, and of the better one
    grouped: dict[str, str]  #: the id of another of a group, and of the one that is shown


def pick(engine: Engine, memories: Sequence[Memory], query: Query, embedder: Embedder | None) -> Pick:
    """Pick the lines to show of ranked memories; the caller holds the read transaction."""
    key = query.group_by
    if key is not None:
        check_key(key)
    groups = [None if key is None else group_of(memory, key) for memory in memories]
    likeness = _Likeness(engine, embedder, memories)
    found = picked(groups, query.limit, likeness.better if query.diverse else _never)
    ids = [memory.id for memory in memories]
    repeated, grouped = (
        {ids[place]: ids[shown] for place, shown in each.items()} for each in (found.repeated, found.grouped)
    )
    return Pick(found.lines, repeated, grouped)


def _never(place: int, shown: Sequence[int]) -> int | None:
    return None


class _Likeness:
    """Compares hits by vectors, which are read on first use, or by words."""

    def __init__(self, engine: Engine, embedder: Embedder | None, memories: Sequence[Memory]) -> None:
        self._engine = engine
        self._embedder = embedder
        self._memories = memories
        self._vectors: dict[int, PassageVectors | None] = {}

    def better(self, place: int, shown: Sequence[int]) -> int | None:
        """Return the best shown hit that says the same."""
        text, threshold = self._memories[place].content, self._engine.settings.duplicate_threshold
        for other in shown:
            if repeats(text, self._memories[other].content, self._cosine(place, other), threshold):
                return other
        return None

    def _cosine(self, one: int, other: int) -> float | None:
        """Return the cosine; None without a model, and for texts of several passages."""
        ours, theirs = self._single(one), self._single(other)
        if ours is None or theirs is None or ours.shape != theirs.shape:
            return None
        return float((ours @ theirs.T).item())

    def _single(self, place: int) -> PassageVectors | None:
        if place not in self._vectors and self._embedder is not None:
            found = passages_of(self._engine.store, self._memories[place].id, self._embedder.fingerprint)
            self._vectors[place] = found if found is not None and len(found) == 1 else None
        return self._vectors.get(place)

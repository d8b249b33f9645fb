"""Read and compare the stored vectors of memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Engine, Store
from memory_layer.ports.search import Made, Sought
from memory_layer.text.words import content_words

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.query import Filters
    from memory_layer.ports import PassageVectors, Vector


Pair = tuple[str, str]


#: Of the words of the shorter text, the share in both from which two are compared: texts that mean the same and share
#: fewer words than this are rare.
WORTH_COMPARING = 0.3
LONGEST_BY_WORDS = 8_192  #: characters; longer texts repeat another only if they are equal
#: Pairs compared by vectors, each a look into the store; the rest are compared by words alone.
MOST_COMPARED = 300
MORE = 24  #: how many more than asked for are compared exactly, because a store may round
SURE_SHARE = 4  #: a store may miss some of its candidates, but none of their nearest quarter


def embedded(engine: Engine, content: str) -> tuple[str, PassageVectors] | None:
    """Return the fingerprint and vectors of a text; None without a model."""
    embedder = engine.embedder()
    return (embedder.fingerprint, embedder.embed_memories([content])[0]) if embedder else None


def passages_of(store: Store, memory_id: str, fingerprint: str) -> PassageVectors | None:
    """Return a memory's vectors of this model, one row per passage; None if missing or incomplete."""
    for stored in store.vectors.get([memory_id], fingerprint):
        return matrix(stored.passages)
    return None


def copy_vectors(store: Store, source: str, target: str) -> None:
    """Copy the vectors of a memory to another with the same text, for models the other lacks."""
    found = store.vectors.get([source, target])
    known = {each.fingerprint for each in found if each.id == target}
    for each in reversed(found):
        if each.fingerprint not in known and (vectors := matrix(each.passages)) is not None:
            store.vectors.put(each.fingerprint, [Made(target, vectors)])


def likenesses(store: Store, pairs: Sequence[Pair]) -> dict[Pair, float]:
    """Return the cosine of each pair with one passage each and a common model, preferring the newest."""
    ids = dict.fromkeys(each for pair in pairs for each in pair)
    single: dict[str, dict[str, bytes]] = {}
    for stored in store.vectors.get(list(ids)) if ids else ():
        if len(stored.passages) == 1:
            single.setdefault(stored.id, {})[stored.fingerprint] = stored.passages[0]
    found = {pair: _likeness(*(single.get(each, {}) for each in pair)) for pair in pairs}
    return {pair: cosine for pair, cosine in found.items() if cosine is not None}


def _likeness(one: dict[str, bytes], other: dict[str, bytes]) -> float | None:
    from memory_layer.ranking.signals import cosine

    for fingerprint, numbers in one.items():  # the newest model first
        if fingerprint in other:
            return cosine(numbers, other[fingerprint])
    return None


def matrix(passages: Sequence[bytes]) -> PassageVectors | None:
    """Convert half-precision bytes to an array, one row per passage; None if the rows differ in size."""
    import numpy as np

    width = len(passages[0]) // 2
    if not width or any(len(each) != 2 * width for each in passages):
        return None
    return np.frombuffer(b"".join(passages), dtype="<f2").reshape(len(passages), width).astype(np.float32)


def matching(
    store: Store, terms: Sequence[str], filters: Filters, now: datetime, limit: int
) -> dict[str, float]:
    """Return the ids and scores of the best keyword matches, best first."""
    pool = store.search.candidates(Sought(terms, (), None, "", filters, now, limit))
    ranked = sorted(zip(pool.keyword_rank, pool.ids, pool.bm25, strict=True))
    return {memory_id: score for _, memory_id, score in ranked}


def nearest(
    store: Store, vector: Vector, fingerprint: str, filters: Filters, now: datetime, limit: int
) -> dict[str, float]:
    """Return the ids and exact cosines of the nearest memories by their best passage, nearest first."""
    sought = Sought((), (), vector, fingerprint, filters, now, SURE_SHARE * (limit + MORE))
    ids = store.search.candidates(sought).ids
    exact = store.search.similarities(vector, fingerprint, ids)
    in_order = [(each, exact[each]) for each in ids if each in exact]  # among equals the first
    return dict(sorted(in_order, key=lambda item: -item[1])[:limit])


class _Words(NamedTuple):
    memory: Memory
    words: frozenset[str]
    numbers: frozenset[str]


class SeenTexts:
    """The memories of a text so far, to skip repetitions."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._seen: list[_Words] = []
        self._last: _Words | None = None  #: the one that was compared last
        self._compared = 0

    def repeats(self, memory: Memory) -> bool:
        """Does the text already say this?"""
        one = self._last = _read(memory)
        return any(self._same(one, other) for other in self._seen)

    def add(self, memory: Memory) -> None:
        known = self._last is not None and self._last.memory is memory
        self._seen.append(self._last if known and self._last else _read(memory))

    def _same(self, one: _Words, other: _Words) -> bool:
        if one.memory.id == other.memory.id:
            return True
        if len(one.words & other.words) < WORTH_COMPARING * min(len(one.words), len(other.words)):
            return False
        if one.numbers - other.numbers and other.numbers - one.numbers:
            return False  # each has a number that the other lacks
        from memory_layer.text.compare.duplicates import repeats

        text, better, cosine = one.memory.content, other.memory.content, self._cosine(one, other)
        threshold = self._engine.settings.duplicate_threshold
        # Whichever comes first stands: a context has no room for the shorter of two beside the longer.
        return repeats(text, better, cosine, threshold) or repeats(better, text, cosine, threshold)

    def _cosine(self, one: _Words, other: _Words) -> float | None:
        if self._compared >= MOST_COMPARED:
            return None
        self._compared += 1
        pair = (one.memory.id, other.memory.id)
        return likenesses(self._engine.store, [pair]).get(pair)


def _read(memory: Memory) -> _Words:
    """Read the words of a text; a very long one counts as a single word, because only an equal text repeats it."""
    if len(memory.content) > LONGEST_BY_WORDS:
        from memory_layer.text.compare.duplicates import canonical

        return _Words(memory, frozenset([canonical(memory.content)]), frozenset())
    words = content_words(memory.content)
    return _Words(memory, words, frozenset(word for word in words if any(map(str.isdigit, word))))

"""Find the known memories that a new one may repeat, replace or contradict, for the caller to decide."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from memory_layer.errors import StoreUnavailable
from memory_layer.model.memory import Memory, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Tier
from memory_layer.ports import Engine
from memory_layer.ports.search import Neighbourhood
from memory_layer.text.compare import close
from memory_layer.text.words import query_terms

WORDS_MOST = 32  #: of a long text; the first ones say what it is about
ROWS_MOST = (
    500  #: memories that are looked at for common words, so that a large store costs no more than a small one
)
FACTS = Filters(tiers=(Tier.SEMANTIC,))  #: active, not expired, not superseded


class CloseMemory(NamedTuple):
    """A known memory that a new one may repeat, replace or contradict."""

    memory: Memory
    similarity: float  #: the cosine, or without vectors the share of common words
    strong: bool = False  #: whether a person should look if nobody can be asked


def surroundings_of(memory: Memory) -> Neighbourhood:
    """Return what a new memory is compared with: everything near it, whatever its category."""
    return Neighbourhood(memory.project, None, close.LEAST_COSINE, memory.id, limit=close.NEIGHBOURS)


def close_by_meaning(memory: Memory, near: Sequence[tuple[Memory, float]]) -> list[CloseMemory]:
    """Pick those of the nearest memories that stand out, closest first."""
    found = close.closest(
        memory.content, [known.content for known, _ in near], [cosine for _, cosine in near]
    )
    return [CloseMemory(*near[each.at], _is_strong(memory, near[each.at][0], each.value)) for each in found]


def _is_strong(memory: Memory, known: Memory, value: float) -> bool:
    if value < close.STRONG_ABOVE:
        return False
    from memory_layer.text.compare.guard import differences  # few pairs are that close

    return close.tells_a_change(memory.content) or not differences(memory.content, known.content)


def close_by_words(engine: Engine, memory: Memory, project: Project | None) -> list[CloseMemory]:
    """Pick the memories that share most words with a stored one, closest first; none if the store is busy."""
    filters = FACTS._replace(reach=Reach.PROJECT, project=project.id if project else None)
    from memory_layer.usecases.recall.vectors import matching

    try:
        terms = _rare_terms(engine, memory.content)
        ids = matching(engine.store, terms, filters, engine.now(), close.NEIGHBOURS + 1) if terms else {}
        known = engine.store.memories.get([each for each in ids if each != memory.id])
    except StoreUnavailable:
        return []
    found = close.closest(memory.content, [each.content for each in known], None)
    return [CloseMemory(known[each.at], each.value) for each in found]


def _rare_terms(engine: Engine, text: str) -> list[str]:
    """Return the rarest terms of a stored text that other memories have too, as many as may be looked up."""
    terms = list(dict.fromkeys(query_terms(text)))[:WORDS_MOST]
    _, counts = engine.store.search.frequencies(terms)
    known = sorted((counts[term], term) for term in terms if counts.get(term, 0) > 1)
    rows = accumulate(count for count, _ in known)
    return [term for (_, term), total in zip(known, rows, strict=True) if total <= ROWS_MOST]


def still_close(engine: Engine, found: Sequence[CloseMemory]) -> list[CloseMemory]:
    """Return those that a search would still give; what is superseded or has expired is not asked about."""
    ids = [each.memory.id for each in found]
    passed = engine.store.search.passing(ids, FACTS, engine.now()) if ids else {}
    return [each for each in found if each.memory.id in passed]

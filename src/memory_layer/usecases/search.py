"""Find the right few, say why, and remember what was returned."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from memory_layer.errors import InvalidInput, StoreUnavailable
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.query import Filters, Found, Hit, Mode, Query, Recall, Signal
from memory_layer.model.vocabulary import CATEGORIES, Category, LinkKind
from memory_layer.policy import lifecycle, limits, tokens, words
from memory_layer.policy.secrets import redact
from memory_layer.ports import Embedder, Engine, Facet, Match, Phrase
from memory_layer.ranking import signals
from memory_layer.ranking.columns import Columns, Question
from memory_layer.ranking.coverage import Wanted, idf
from memory_layer.ranking.order import Ranked, rank
from memory_layer.ranking.rankers import DEFAULT_RANKER, Ranker, balanced_with, ranker_named
from memory_layer.ranking.unembedded import with_stand_ins
from memory_layer.usecases.embed import notice_of_waiting
from memory_layer.usecases.evidence import evidence_of

if TYPE_CHECKING:
    from memory_layer.ports import Vector

POOL = 200  #: how many candidates each list gives
RRF_OVERFETCH = 3
LIMIT_MOST = 1000
NO_MODEL = "keyword search only: `mem model install` adds search by meaning"


class Asked(NamedTuple):
    """A question made ready: without secrets, in words, and as a vector if there is a model."""

    text: str
    mode: Mode
    terms: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    embedder: Embedder | None
    vector: Vector | None
    intent: Category | None
    redacted: tuple[str, ...]
    notice: str | None


def search(
    engine: Engine, query: Query, writer: Writer, shown: Callable[[Found], str] | None = None
) -> Found:
    """The best memories for a question, as many as fit a budget as `shown`; an agent's are kept as a recall."""
    asked = prepared(engine, query)
    with engine.store.reading():
        hits = best_hits(engine, asked, query)
    looking = query.peek or writer.is_person
    found = Found(
        recall=None if looking else engine.new_id("rec"),
        mode=asked.mode,
        ranker=ranker_named(query.ranker).name,
        hits=tuple(hits),
        intent=asked.intent,
        redacted=asked.redacted,
        notice=asked.notice,
    )
    if query.budget is not None:
        found = _within(found, query.budget, shown or _contents)
    return found if looking else found._replace(recall=_recorded(engine, asked, query, found, writer))


def prepared(engine: Engine, query: Query) -> Asked:
    """Check a question, redact it and turn it into words and a vector."""
    limits.check_text(query.text, "the query", limits.QUERY_CHARACTERS)
    if not 1 <= query.limit <= LIMIT_MOST:
        raise InvalidInput(f"the limit must lie between 1 and {LIMIT_MOST}, not {query.limit}")
    ranker = ranker_named(query.ranker)
    clean = redact(query.text)
    embedder = None if query.mode is Mode.KEYWORD else engine.embedder()
    mode = query.mode if embedder else Mode.KEYWORD
    quoted = words.phrases(clean.text) if mode is Mode.KEYWORD else []
    return Asked(
        text=clean.text,
        mode=mode,
        terms=tuple(words.query_terms(clean.text)),
        phrases=tuple(Phrase(tuple(words.terms(text)), text) for text in quoted),
        embedder=embedder,
        vector=embedder.embed_query(clean.text) if embedder else None,
        intent=_intent(clean.text) if ranker.name == "five-signal" else None,
        redacted=clean.kinds,
        notice=None if query.mode is Mode.KEYWORD else notice_of_waiting(engine) if embedder else NO_MODEL,
    )


def _intent(text: str) -> Category | None:
    # Its rules take milliseconds to compile, and one ranker asks.
    from memory_layer.policy.intent import intent

    return intent(text)


def best_hits(engine: Engine, asked: Asked, query: Query) -> list[Hit]:
    """Find, rank and read; the caller holds the reading moment."""
    ranked = ranked_pool(engine, asked, query.filters, query.ranker, query.limit)
    ranked = [entry for entry in ranked if entry.score > 0.0]  # nothing in it answers the question
    memories = engine.store.get_many([entry.id for entry in ranked])
    return _with_conflicts(engine, [_hit(*pair) for pair in zip(memories, ranked, strict=True)])


def ranked_pool(engine: Engine, asked: Asked, filters: Filters, ranker: str, limit: int) -> list[Ranked]:
    """The candidates of both lists in the order of the ranker."""
    chosen = _ranker(engine, ranker)
    depth = RRF_OVERFETCH * limit if chosen.name == "rrf" else max(POOL, limit)
    by_words, by_meaning = _lists(engine, asked, filters, depth)
    pool = _Pool(
        bm25={match.row: match.score for match in by_words},
        keyword_rank={match.row: rank for rank, match in enumerate(by_words)},
        cosine={match.row: match.score for match in by_meaning},
        vector_rank={match.row: rank for rank, match in enumerate(by_meaning)},
    )
    facets = engine.store.facets(list(dict.fromkeys([*pool.bm25, *pool.cosine])))
    facets.sort(key=lambda facet: facet.row)
    question = Question(
        has_vectors=asked.vector is not None,
        margin=signals.margin(match.score for match in by_words),
        limit=limit,
    )
    return rank(_ranker(engine, ranker), _columns(engine, asked, facets, pool), question, explain=True)


class _Pool(NamedTuple):
    bm25: dict[int, float]
    keyword_rank: dict[int, int]
    cosine: dict[int, float]
    vector_rank: dict[int, int]


def _lists(engine: Engine, asked: Asked, filters: Filters, depth: int) -> tuple[list[Match], list[Match]]:
    now = engine.now()
    by_words: list[Match] = []
    by_meaning: list[Match] = []
    if asked.mode is not Mode.SEMANTIC:
        by_words = engine.store.by_words(asked.terms, asked.phrases, filters, now, depth)
    if asked.embedder is not None and asked.vector is not None:
        by_meaning = engine.store.by_meaning(asked.vector, asked.embedder.fingerprint, filters, now, depth)
    return by_words, by_meaning


def _ranker(engine: Engine, name: str) -> Ranker:
    ranker = ranker_named(name)
    return balanced_with(engine.settings.strength) if ranker.name == DEFAULT_RANKER else ranker


def _columns(engine: Engine, asked: Asked, facets: Sequence[Facet], pool: _Pool) -> Columns:
    now = engine.now()
    cosine = _cosines(engine, asked, facets, pool)
    covered = _covered(engine, asked, facets)
    return Columns(
        ids=[facet.id for facet in facets],
        bm25=[pool.bm25.get(facet.row, 0.0) for facet in facets],
        keyword_rank=[pool.keyword_rank.get(facet.row, -1) for facet in facets],
        cosine=[cosine.get(facet.row, 0.0) for facet in facets],
        vector_rank=[pool.vector_rank.get(facet.row, -1) for facet in facets],
        coverage=[coverage for coverage, _ in covered],
        phrase=[phrase for _, phrase in covered],
        outcome_score=[lifecycle.drifted(facet.outcome_score, facet.last_used_at, now) for facet in facets],
        age_days=[(now - facet.updated_at).days for facet in facets],
        recall_count=[facet.recall_count for facet in facets],
        use_count=[facet.use_count for facet in facets],
        days_since_used=[_days_since(facet.last_used_at, now) for facet in facets],
        confidence=[facet.confidence for facet in facets],
        intent_boost=[
            CATEGORIES[facet.category].boost if facet.category is asked.intent else 1.0 for facet in facets
        ],
        evidence=evidence_of(engine, asked.text, asked.embedder, asked.vector, [f.row for f in facets]),
    )


def _days_since(moment: datetime | None, now: datetime) -> float:
    return -1.0 if moment is None else max(0.0, (now - moment).total_seconds() / 86400)


def _cosines(engine: Engine, asked: Asked, facets: Sequence[Facet], pool: _Pool) -> dict[int, float]:
    """The cosine of every candidate, also of those that only their words brought in."""
    missing = [facet.row for facet in facets if facet.row not in pool.cosine]
    if asked.embedder is None or asked.vector is None or not missing:
        return pool.cosine
    known = pool.cosine | engine.store.similarities(asked.vector, asked.embedder.fingerprint, missing)
    return with_stand_ins(known, pool.bm25)


def _covered(engine: Engine, asked: Asked, facets: Sequence[Facet]) -> list[tuple[float, float]]:
    """Coverage and phrase of every candidate; meaning alone knows neither."""
    if asked.mode is Mode.SEMANTIC or not asked.terms:
        return [(0.0, 0.0)] * len(facets)
    total, frequency = engine.store.frequencies(asked.terms)
    weights = {term: idf(total, frequency.get(term, 0)) for term in asked.terms}
    wanted = Wanted.of(asked.terms, weights, known=len(frequency))
    return [wanted.both(facet.terms.split()) for facet in facets]


def _hit(memory: Memory, ranked: Ranked) -> Hit:
    return Hit(
        memory=memory,
        score=ranked.score,
        signals=tuple(Signal(name=name, value=value, share=share) for name, value, share in ranked.parts),
    )


def _with_conflicts(engine: Engine, hits: list[Hit]) -> list[Hit]:
    """Mark what contradicts what, and put a pair side by side with the newer one first."""
    links = engine.store.links([hit.memory.id for hit in hits])
    rivals: dict[str, set[str]] = {}
    for link in links:
        if link.kind is LinkKind.CONFLICTS_WITH:
            rivals.setdefault(link.source, set()).add(link.target)
            rivals.setdefault(link.target, set()).add(link.source)
    if not rivals:
        return hits
    marked = [hit._replace(conflicts=tuple(sorted(rivals.get(hit.memory.id, ())))) for hit in hits]
    placed: dict[str, Hit] = {}
    for hit in marked:
        group = [other for other in marked if other is hit or other.memory.id in hit.conflicts]
        for member in sorted(group, key=lambda other: other.memory.created_at, reverse=True):
            placed.setdefault(member.memory.id, member)
    return list(placed.values())


def _contents(found: Found) -> str:
    return "\n".join(hit.memory.content for hit in found.hits)


def _within(found: Found, budget: int, shown: Callable[[Found], str]) -> Found:
    """As many of the best as fit, measured on the text that is really given."""

    def best(count: int) -> Found:
        return found._replace(hits=found.hits[:count])

    counts = range(1, len(found.hits) + 1)
    too_long = bisect_left(counts, True, key=lambda count: tokens.estimate(shown(best(count))) > budget)
    return best(too_long)._replace(cut=len(found.hits) - too_long)


def _recorded(engine: Engine, asked: Asked, query: Query, found: Found, writer: Writer) -> str | None:
    """Keep the exact list for later; a store that cannot be written still answers."""
    recall = Recall(
        id=found.recall or engine.new_id("rec"),
        at=engine.now(),
        query=asked.text,
        kind="search",
        mode=found.mode,
        ranker=found.ranker,
        writer=writer.name,
        session=writer.session,
        project=query.filters.project,
        hits=tuple((hit.memory.id, hit.score) for hit in found.hits),
    )
    fingerprint = asked.embedder.fingerprint if asked.embedder else None
    parts = [{signal.name: signal.value for signal in hit.signals} for hit in found.hits]
    try:
        with engine.store.writing():
            number = engine.store.record_query(asked.text, recall.at, fingerprint, asked.vector)
            engine.store.record_recall(recall, number, parts)
    except StoreUnavailable:
        return None
    return recall.id

"""Collect and rank the candidates for a query."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from memory_layer.model.memory import Memory
from memory_layer.model.outcome import Experience, drifted
from memory_layer.model.query import STRENGTHS, Filters, Mode
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import ALSO_MEANT, CATEGORIES, Category, Tier
from memory_layer.ports import Embedder, Engine, Workspace
from memory_layer.ports.search import Facet, Passed, Phrase, Pool, Sought
from memory_layer.ranking import signals
from memory_layer.ranking.columns import Columns, SearchQuestion
from memory_layer.ranking.coverage import QueryTerms, QueryWords, frequencies_of, rare_words
from memory_layer.ranking.evidence import Evidence
from memory_layer.ranking.order import Ranked, leading, rank
from memory_layer.ranking.rankers import DEFAULT_RANKER, Ranker, balanced_with, ranker_named
from memory_layer.ranking.signals import with_stand_ins
from memory_layer.usecases.recall.evidence import evidence_of, reported_for
from memory_layer.usecases.recall.query_words import understood
from memory_layer.usecases.who.projects import of_stale_projects

if TYPE_CHECKING:
    from memory_layer.model.sources import Standing
    from memory_layer.ports import Vector
    from memory_layer.ranking.columns import Column
    from memory_layer.text.time_words import TimeWindow

DEPTH = 50  #: how many candidates each list gives; four times as many changed no figure of eight data sets
FIVE_SIGNAL_DEPTH = 200  #: the same for the ranker that its design gives so many
DEPTH_FACTOR = 2  #: how many for each that is wanted, if that is more
WHOLE_DEPTH = 300  #: the same where whole groups of them count
RRF_OVERFETCH = 3
#: Candidates whose outcomes are read, per requested hit and at least: each costs a look into the
#: store, and thirty or all gave the same figures of learning.
EVIDENCE_FACTOR, EVIDENCE_LEAST = 2, 20
#: Candidates compared exactly, per requested hit and at least; the store rounds the others.
EXACT_FACTOR, EXACT_LEAST = 1.5, 15
MOST_CHECKED = 100  #: memories whose sources are looked at for one answer, best first
#: How much less a memory that is no event fits the days a query names: a fact may be older than its record.
UNDATED_FIT = 0.6
DATED = frozenset(
    (Category.PROGRESS, Category.OBSERVATION, Category.TROUBLESHOOTING, Category.DECISION, Category.CONTEXT)
)
#: For a way of doing something if the query asks how, and for a procedure or a handoff that it does not ask for.
ASKED_HOW, NOT_ASKED = 0.5, -0.25
#: Terms that say nothing to look for in a question about days: "what happened", "what did I work on".
UNTELLING = frozenset("happen work chang done go went new anyth someth event thing up".split())


class PreparedQuery(NamedTuple):
    """A prepared query: redacted, tokenised, and embedded if there is a model."""

    text: str
    mode: Mode
    words: QueryTerms
    phrases: tuple[Phrase, ...]
    embedder: Embedder | None
    vector: Vector | None
    intent: Category | None
    redacted: tuple[str, ...]
    notice: str | None
    place: Workspace | None = None  #: where the caller works, if that is known
    window: TimeWindow | None = None  #: the days it names
    asks_how: bool = False  #: whether it asks for a way to do something
    cut: bool = False  #: whether to leave out what is too far to be an answer
    embedding_ms: float = 0.0  #: how long the embedding took


class PoolEntry(NamedTuple):
    """A ranked candidate, and how to read it."""

    ranked: Ranked
    read: Callable[[], Memory]
    disputed: bool  #: whether it conflicts with another
    experience: Experience | None  #: what was reported of it for questions like this one
    standing: Standing | None = None  #: how what it cites stands today
    places: ListPlaces | None = None  #: counted only where a search is explained


class ListPlaces(NamedTuple):
    """The places of a candidate in the lists it came from, from 0, and the values they are ordered by."""

    keyword: int  #: -1 if it is not in that list
    semantic: int
    together: int  #: by both, without what was reported
    words: float  #: share of the best candidate's BM25
    meaning: float  #: cosine


def ranked_pool(
    engine: Engine,
    prepared: PreparedQuery,
    filters: Filters,
    ranker: str,
    limit: int,
    *,
    whole: bool = False,
    explained: bool = False,
) -> list[PoolEntry]:
    """Return the best candidates by their exact scores: the limit and some more, or all of them.

    When `explained`, all of them, with their places in the lists they came from.
    """
    chosen = _ranker(engine, ranker)
    depth = max(WHOLE_DEPTH if whole else DEPTH, DEPTH_FACTOR * limit)
    if chosen.name == "rrf":
        depth = RRF_OVERFETCH * limit
    elif chosen.name == "five-signal":
        depth = max(FIVE_SIGNAL_DEPTH, depth)
    sought = _sought(engine, prepared, filters, depth)
    pool = engine.store.search.candidates(sought)
    asked, prepared = prepared, _understood(engine, prepared, pool, filters)
    if prepared is not asked:
        sought = _sought(engine, prepared, filters, depth)
        pool = engine.store.search.candidates(sought)
    if prepared.window:
        pool = _joined(pool, engine.store.search.candidates(_of_those_days(sought, prepared.window)))
    if not pool.ids:
        return []
    # Which of them fit the days or the kind that the query asks for is seen when they are read.
    asks = chosen.to_best and (
        prepared.window is not None or prepared.asks_how or prepared.intent is not None
    )
    if whole or asks or explained:
        limit = len(pool.ids)
    columns = _columns(engine, prepared, pool, sought, chosen, of_stale_projects(engine, pool.ids))
    question = _question(prepared, pool, columns, chosen, max(int(EXACT_FACTOR * limit), EXACT_LEAST))
    first = max(EVIDENCE_FACTOR * limit, EVIDENCE_LEAST)
    question = question._replace(rare_words=_rare_words(engine, prepared, pool))
    columns, places, evidence = _with_evidence(engine, asked, pool, columns, chosen, question, first)
    passing = engine.store.search.passing([pool.ids[place] for place in places], filters, sought.now)
    places = [place for place in places if pool.ids[place] in passing]
    standings = _standings(engine, [passing[pool.ids[place]] for place in places], prepared)
    exact = _marked(_exact(engine, columns, places, pool.ids, sought), standings)
    if chosen.to_best:
        exact, question = _by_kind(exact, passing, prepared, question)
    ranked = rank(chosen, exact, question._replace(limit=len(exact)))
    entries = [
        _entry(each, passing[each.id], evidence.get(each.id), standings.get(each.id)) for each in ranked
    ]
    if not explained:
        return entries
    together = rank(chosen, exact.having(evidence=(), same_question=()), question._replace(limit=len(exact)))
    listed = _list_places(pool, places, exact, [each.id for each in together])
    return [entry._replace(places=listed[entry.ranked.id]) for entry in entries]


def _list_places(
    pool: Pool, places: Sequence[int], exact: Columns, together: Sequence[str]
) -> dict[str, ListPlaces]:
    """Return the places of the candidates in the plain lists, counting only those that pass the filters."""
    found = [pool.ids[place] for place in places]
    best = max((float(pool.bm25[place]) for place in places), default=0.0) or 1.0
    cosines = dict(zip(exact.ids, exact.given.get("cosine", ()), strict=False))

    def order(ranks: Column) -> dict[str, int]:
        listed = sorted((float(ranks[place]), pool.ids[place]) for place in places if ranks[place] >= 0)
        return {each: number for number, (_, each) in enumerate(listed)}

    by_words, by_meaning = order(pool.keyword_rank), order(pool.vector_rank)
    by_both = {each: number for number, each in enumerate(together)}
    words = {pool.ids[place]: float(pool.bm25[place]) / best for place in places}
    return {
        each: ListPlaces(
            by_words.get(each, -1),
            by_meaning.get(each, -1),
            by_both[each],
            words[each],
            float(cosines.get(each, 0.0)),
        )
        for each in found
    }


def _understood(engine: Engine, prepared: PreparedQuery, pool: Pool, filters: Filters) -> PreparedQuery:
    """Correct the words that neither a memory nor the model knows; the same query if there are none."""
    if prepared.mode is Mode.SEMANTIC or not prepared.words.terms:
        return prepared
    _, frequency = _frequencies(engine, prepared, pool)
    found = understood(engine, prepared.text, prepared.words, frequency, prepared.embedder, filters)
    if prepared.embedder and found.text != prepared.text:
        return prepared._replace(words=found.words, vector=prepared.embedder.embed_query(found.text))
    return prepared if found.words is prepared.words else prepared._replace(words=found.words)


def _frequencies(engine: Engine, prepared: PreparedQuery, pool: Pool) -> tuple[int, Mapping[str, int]]:
    """Return the number of memories, and how many of them hold each word of a query."""
    if pool.occurrences is None:
        return engine.store.search.frequencies(prepared.words.matched)
    known = zip(prepared.words.matched, pool.occurrences.containing, strict=True)
    return pool.occurrences.total, dict(known)


def _rare_words(engine: Engine, prepared: PreparedQuery, pool: Pool) -> float:
    """Return how many words a query has, by their rarity; only a search by meaning and words asks for it."""
    if prepared.vector is None or prepared.mode is Mode.SEMANTIC:
        return 0.0
    total, frequency = _frequencies(engine, prepared, pool)
    return rare_words(total, frequencies_of(prepared.words, frequency))


def _question(
    prepared: PreparedQuery, pool: Pool, columns: Columns, ranker: Ranker, limit: int
) -> SearchQuestion:
    """Return what all candidates of a pool are measured against."""
    # What has no vector yet may be nearer than it seems.
    comparable = pool.embedded or prepared.vector is None
    return SearchQuestion(
        has_vectors=prepared.vector is not None,
        margin=signals.margin(pool.bm25),
        limit=limit,
        least_match=STRENGTHS[-1][0] if prepared.cut and comparable and ranker.to_best else 0.0,
        best_bm25=max(pool.bm25),
        only_days=prepared.window is not None and UNTELLING.issuperset(prepared.words.terms),
        best_coverage=float(max(columns.given.get("coverage", ()), default=0.0)),
    )


def _of_those_days(sought: Sought, window: TimeWindow) -> Sought:
    """Return the query limited to the memories of the days that it names."""
    first = datetime.combine(window.first, time(), UTC)
    end = datetime.combine(window.last + timedelta(days=1), time(), UTC)
    filters = sought.filters
    after = max(filter(None, (filters.after, first)))
    before = min(filter(None, (filters.before, end)))
    return sought._replace(filters=filters._replace(after=after, before=before))


def _joined(pool: Pool, other: Pool) -> Pool:
    """Return the candidates of both pools; the columns of words are then computed from their texts."""
    known = set(pool.ids)
    new = [place for place, each in enumerate(other.ids) if each not in known]
    if not new:
        return pool

    def both(one: Column, more: Column) -> list[float]:
        return [*map(float, one), *(float(more[place]) for place in new)]

    unembedded = {other.ids[place] for place in other.unembedded}
    ids = [*pool.ids, *(other.ids[place] for place in new)]
    return Pool(
        ids=ids,
        judged=[*pool.judged, *(each for each in other.judged if each not in known)],
        bm25=both(pool.bm25, other.bm25),
        keyword_rank=both(pool.keyword_rank, [-1.0] * len(other.ids)),
        cosine=both(pool.cosine, other.cosine),
        vector_rank=both(pool.vector_rank, [-1.0] * len(other.ids)),
        unembedded=[*pool.unembedded, *(place for place, each in enumerate(ids) if each in unembedded)],
        embedded=pool.embedded and other.embedded,
    )


def _by_kind(
    columns: Columns, passing: Mapping[str, Passed], prepared: PreparedQuery, question: SearchQuestion
) -> tuple[Columns, SearchQuestion]:
    """Add how well each candidate fits the days and the kind of memory that the query asks for."""
    read = [passing[each] for each in columns.ids]
    in_time = [_fit(each, prepared.window) for each in read] if prepared.window else ()
    kinds = [_asked(each, prepared) for each in read]
    if not any(kinds) and not any(in_time):
        return columns, question
    return columns.having(in_time=in_time, asked_kind=kinds), question._replace(kinds=True)


def _fit(passed: Passed, window: TimeWindow) -> float:
    """Return how well a memory fits the days of a query; events fit best."""
    if not window.first <= passed.created_at.date() <= window.last:
        return 0.0
    return 1.0 if passed.tier is Tier.EPISODIC or passed.category in DATED else UNDATED_FIT


def _asked(passed: Passed, prepared: PreparedQuery) -> float:
    """Return 1 if the query asks for this kind of memory, less than 0 if a fact would do better."""
    intent = prepared.intent
    if intent is not None and passed.category in (intent, *ALSO_MEANT.get(intent, ())):
        return 1.0
    if prepared.asks_how:
        way = passed.tier is Tier.PROCEDURAL or passed.category in (Category.COMMAND, Category.WORKFLOW)
        return ASKED_HOW if way else 0.0
    if passed.tier is Tier.PROCEDURAL:
        return NOT_ASKED
    if passed.tier is not Tier.EPISODIC or prepared.window is not None:
        return 0.0
    from memory_layer.rules.episodes import is_handoff  # few hits are events

    return NOT_ASKED if is_handoff(passed.read()) else 0.0


def _marked(columns: Columns, standings: Mapping[str, Standing]) -> Columns:
    """Mark candidates with a changed or missing source."""
    drifted = {each for each, standing in standings.items() if standing.drifted}
    return (
        columns.having(citation_changed=[float(each in drifted) for each in columns.ids])
        if drifted
        else columns
    )


def _standings(engine: Engine, passed: Sequence[Passed], prepared: PreparedQuery) -> dict[str, Standing]:
    """Check citations of the candidates that have any; free for a search that finds none."""
    citing = [each for each in passed if each.cites]
    if not citing:
        return {}
    from memory_layer.usecases.upkeep.citations import checked_citations, unchecked

    first, others = citing[:MOST_CHECKED], citing[MOST_CHECKED:]
    standings = checked_citations(engine, [each.read() for each in first], prepared.place)
    return standings | {each.id: unchecked(each.read()) for each in others}


class LeadingCandidates(NamedTuple):
    """The candidates with the evidence about the best of them, and the places of those in the lead."""

    columns: Columns
    places: list[int]
    evidence: Mapping[str, Evidence]


def _with_evidence(
    engine: Engine,
    prepared: PreparedQuery,
    pool: Pool,
    columns: Columns,
    ranker: Ranker,
    question: SearchQuestion,
    first: int,
) -> LeadingCandidates:
    """Look up evidence for this very question, and for the leaders until none is left without it."""
    evidence: dict[str, Evidence] = {}
    silent = set(pool.judged)
    places = leading(ranker, columns, question._replace(limit=first)) if silent else []
    # What was reported for this very question counts, however far down its memory stands.
    asked = reported_for(engine, prepared.text, silent)
    while ids := sorted({*asked, *(pool.ids[place] for place in places)} & silent):
        silent.difference_update(ids)
        evidence |= evidence_of(engine, prepared.text, prepared.embedder, prepared.vector, ids)
        columns = columns.having(
            evidence=[evidence[each].g if each in evidence else 0.0 for each in pool.ids],
            same_question=[evidence[each].h if each in evidence else 0.0 for each in pool.ids],
        )
        places = leading(ranker, columns, question)
    return LeadingCandidates(columns, places if evidence else leading(ranker, columns, question), evidence)


def _entry(ranked: Ranked, passed: Passed, evidence: Evidence | None, standing: Standing | None) -> PoolEntry:
    reports = evidence.reports if evidence else None
    return PoolEntry(ranked, passed.read, passed.disputed, reports, standing)


def _ranker(engine: Engine, name: str) -> Ranker:
    ranker = ranker_named(name)
    return balanced_with(engine.settings.strength) if ranker.name == DEFAULT_RANKER else ranker


def _sought(engine: Engine, prepared: PreparedQuery, filters: Filters, depth: int) -> Sought:
    query = QueryTerms(()) if prepared.mode is Mode.SEMANTIC else prepared.words
    return Sought(
        terms=query.matched,
        phrases=prepared.phrases,
        vector=prepared.vector,
        fingerprint=prepared.embedder.fingerprint if prepared.embedder else "",
        filters=filters,
        now=engine.now(),
        depth=depth,
        related=tuple(query.related),
    )


def _columns(
    engine: Engine,
    prepared: PreparedQuery,
    pool: Pool,
    sought: Sought,
    ranker: Ranker,
    stale: Collection[str],
) -> Columns:
    """Build the feature columns; records are read only if the ranker or the store needs them."""
    facets: list[Facet] = []
    if ranker.reads_records or (sought.terms and pool.occurrences is None):
        found = {facet.id: facet for facet in engine.store.search.facets(pool.ids)}
        facets = [found[each] for each in pool.ids]
    coverage, phrase = _covered(engine, prepared.words, sought, facets, pool)
    records: dict[str, Column] = {}
    if ranker.reads_records:
        ranks = {"keyword_rank": pool.keyword_rank, "vector_rank": pool.vector_rank}
        records = ranks | _records(facets, prepared.intent, sought.now)
    return Columns(
        ids=[""] * len(pool.ids),  # of equals the first leads, whatever its id
        bm25=pool.bm25,
        cosine=with_stand_ins(pool.cosine, pool.bm25, pool.unembedded),
        coverage=coverage,
        phrase=phrase,
        project_stale=[float(each in stale) for each in pool.ids] if stale else (),
        **records,
    )


def _records(facets: Sequence[Facet], intent: Category | None, now: datetime) -> dict[str, Column]:
    asked_for = () if intent is None else (intent, *ALSO_MEANT.get(intent, ()))
    return {
        "outcome_score": [drifted(each.outcome_score, each.last_used_at, now) for each in facets],
        "age_days": [(now - each.updated_at).days for each in facets],
        "recall_count": [each.recall_count for each in facets],
        "use_count": [each.use_count for each in facets],
        "days_since_used": [_days_since(each.last_used_at, now) for each in facets],
        "confidence": [each.confidence for each in facets],
        "intent_boost": [
            CATEGORIES[each.category].boost if each.category in asked_for else 1.0 for each in facets
        ],
    }


def _days_since(moment: datetime | None, now: datetime) -> float:
    return -1.0 if moment is None else max(0.0, (now - moment).total_seconds() / 86400)


def _covered(
    engine: Engine, query: QueryTerms, sought: Sought, facets: Sequence[Facet], pool: Pool
) -> tuple[Column, Column]:
    """Return coverage and phrase of every candidate; empty for semantic search."""
    if not sought.terms:
        return (), ()
    if pool.occurrences is not None:
        from memory_layer.ranking.arrays import covered  # it loads numpy, which made the occurrences

        return covered(query, len(pool.ids), pool.occurrences)
    total, frequency = engine.store.search.frequencies([*query.matched, *query.related])
    wanted = QueryWords.expanded(query, total, frequency)
    both = [wanted.covering(facet.body.split(), facet.labels.split()) for facet in facets]
    return [coverage for coverage, _ in both], [phrase for _, phrase in both]


def _exact(
    engine: Engine, columns: Columns, places: Sequence[int], ids: Sequence[str], sought: Sought
) -> Columns:
    """Return the candidates at these places with their ids and exact cosines."""
    known: dict[str, Column] = {}
    in_order = sorted(places)
    if sought.vector is not None:
        leading_ids = [ids[place] for place in places]
        cosines = engine.store.search.similarities(sought.vector, sought.fingerprint, leading_ids)
        rounded = columns.given.get("cosine", [0.0] * len(ids))
        known["cosine"] = [cosines.get(ids[place], rounded[place]) for place in in_order]
    return columns.at(in_order, ids=[ids[place] for place in in_order], **known)

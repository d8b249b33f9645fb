"""Collect and rank the candidates for a query."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.memory import Memory
from memory_layer.model.outcome import Experience
from memory_layer.model.query import Filters, Mode
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import ALSO_MEANT, CATEGORIES, Category
from memory_layer.ports import Embedder, Engine, Workspace
from memory_layer.ports.search import Facet, Passed, Phrase, Pool, Sought
from memory_layer.ranking import signals
from memory_layer.ranking.columns import Columns, SearchQuestion
from memory_layer.ranking.coverage import QueryWords, idf
from memory_layer.ranking.evidence import Evidence
from memory_layer.ranking.order import Ranked, leading, rank
from memory_layer.ranking.rankers import DEFAULT_RANKER, FLOOR, Ranker, balanced_with, ranker_named
from memory_layer.ranking.signals import with_stand_ins
from memory_layer.rules import lifecycle
from memory_layer.usecases.recall.evidence import evidence_of
from memory_layer.usecases.who.projects import of_stale_projects

if TYPE_CHECKING:
    from memory_layer.model.sources import Standing
    from memory_layer.ports import Vector
    from memory_layer.ranking.columns import Column

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


class PreparedQuery(NamedTuple):
    """A prepared query: redacted, tokenised, and embedded if there is a model."""

    text: str
    mode: Mode
    terms: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    embedder: Embedder | None
    vector: Vector | None
    intent: Category | None
    redacted: tuple[str, ...]
    notice: str | None
    place: Workspace | None = None  #: where the caller works, if that is known


class PoolEntry(NamedTuple):
    """A ranked candidate, and how to read it."""

    ranked: Ranked
    read: Callable[[], Memory]
    disputed: bool  #: whether it conflicts with another
    experience: Experience | None  #: what was reported of it for questions like this one
    standing: Standing | None = None  #: how what it cites stands today


def ranked_pool(
    engine: Engine, prepared: PreparedQuery, filters: Filters, ranker: str, limit: int, *, whole: bool = False
) -> list[PoolEntry]:
    """Return the best candidates by their exact scores: the limit and some more, or all of them."""
    chosen = _ranker(engine, ranker)
    depth = max(WHOLE_DEPTH if whole else DEPTH, DEPTH_FACTOR * limit)
    if chosen.name == "rrf":
        depth = RRF_OVERFETCH * limit
    elif chosen.name == "five-signal":
        depth = max(FIVE_SIGNAL_DEPTH, depth)
    sought = _sought(engine, prepared, filters, depth)
    pool = engine.store.search.candidates(sought)
    if not pool.ids:
        return []
    if whole:
        limit = len(pool.ids)
    question = SearchQuestion(
        has_vectors=prepared.vector is not None,
        margin=signals.margin(pool.bm25),
        limit=max(int(EXACT_FACTOR * limit), EXACT_LEAST),
        best_bm25=max(pool.bm25),
        # Who asks by meaning alone wants the nearest, however far.
        floor=FLOOR if pool.embedded and chosen.to_best and prepared.mode is Mode.HYBRID else 0.0,
    )
    columns = _columns(engine, prepared, pool, sought, chosen, of_stale_projects(engine, pool.ids))
    first = max(EVIDENCE_FACTOR * limit, EVIDENCE_LEAST)
    columns, places, evidence = _with_evidence(engine, prepared, pool, columns, chosen, question, first)
    passing = engine.store.search.passing([pool.ids[place] for place in places], filters, sought.now)
    places = [place for place in places if pool.ids[place] in passing]
    standings = _standings(engine, [passing[pool.ids[place]] for place in places], prepared)
    exact = _marked(_exact(engine, columns, places, pool.ids, sought), standings)
    ranked = rank(chosen, exact, question._replace(limit=len(exact)))
    return [_entry(each, passing[each.id], evidence.get(each.id), standings.get(each.id)) for each in ranked]


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
    """Look up evidence for the leaders until no leader is left without it."""
    evidence: dict[str, Evidence] = {}
    silent = set(pool.judged)
    places = leading(ranker, columns, question._replace(limit=first)) if silent else []
    while ids := [each for place in places if (each := pool.ids[place]) in silent]:
        silent.difference_update(ids)
        evidence |= evidence_of(engine, prepared.text, prepared.embedder, prepared.vector, ids)
        columns = columns.having(
            evidence=[evidence[each].g if each in evidence else 0.0 for each in pool.ids]
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
    terms = () if prepared.mode is Mode.SEMANTIC else prepared.terms
    return Sought(
        terms=terms,
        phrases=prepared.phrases,
        vector=prepared.vector,
        fingerprint=prepared.embedder.fingerprint if prepared.embedder else "",
        filters=filters,
        now=engine.now(),
        depth=depth,
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
    coverage, phrase = _covered(engine, sought, facets, pool)
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
        "outcome_score": [lifecycle.drifted(each.outcome_score, each.last_used_at, now) for each in facets],
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


def _covered(engine: Engine, sought: Sought, facets: Sequence[Facet], pool: Pool) -> tuple[Column, Column]:
    """Return coverage and phrase of every candidate; empty for semantic search."""
    if not sought.terms:
        return (), ()
    if pool.occurrences is not None:
        from memory_layer.ranking.arrays import covered  # it loads numpy, which made the occurrences

        return covered(sought.terms, len(pool.ids), pool.occurrences)
    total, frequency = engine.store.search.frequencies(sought.terms)
    weights = {term: idf(total, frequency.get(term, 0)) for term in sought.terms}
    wanted = QueryWords.of(sought.terms, weights, known=len(frequency))
    both = [wanted.both(facet.body.split(), facet.labels.split()) for facet in facets]
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

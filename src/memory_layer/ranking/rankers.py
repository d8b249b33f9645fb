"""The named rankers; each is one formula that works on floats and on numpy columns.

All formulas have the same shape: a sum of terms, for some divided by the best sum of the pool, times factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.ranking import evidence, signals
from memory_layer.ranking.columns import Features, SearchQuestion
from memory_layer.ranking.signals import Maths, Number

DEFAULT_RANKER = "balanced"
STRENGTH = 0.45  #: how far evidence may move a relevant memory: x 0.55 .. x 1.45
CHANGED_CITATION = 0.8
STALE_PROJECT = 0.9
STALE_PROJECT_RECENCY = 0.5

if TYPE_CHECKING:
    #: Name, the signal's own value, what it adds to the sum (or multiplies the score by).
    Term: TypeAlias = tuple[str, Number, Number]


NEXT_TO_NOTHING = 1e-300  #: a score below it is 0


class RankingPool(NamedTuple):
    """The values a candidate is scored against: the query and the best candidate of the pool."""

    question: SearchQuestion
    best_bm25: float
    best_sum: float = 1.0  #: the highest sum of terms, for rankers that measure against it


class FormulaTerms(Protocol):
    def __call__(
        self, maths: Maths[Number], of: Features[Number], pool: RankingPool
    ) -> list[Term[Number]]: ...


class Ranker(NamedTuple):
    """score = sum of terms (/ best sum of the pool, never below 0, if `to_best`) x product of factors."""

    name: str
    terms: FormulaTerms
    factors: FormulaTerms
    to_best: bool = False
    reads_records: bool = False  #: whether it asks for more than words, meaning and evidence


def five_signal_terms(maths: Maths[Number], of: Features[Number], pool: RankingPool) -> list[Term[Number]]:
    """0.35 semantic + 0.25 outcome + 0.15 recency + 0.15 frequency + 0.10 confidence.

    semantic = cosine, or BM25 / best BM25 without vectors (it is then called `keyword_as_semantic`)
    · outcome = (score + 1) / 2 · recency = exp(-days / 30), halved for a stale project
    · frequency = min(1, ln(uses + 1) / ln 100) with uses = recalls + uses.
    """
    fresh = signals.recency(maths, of.age_days) * signals.dimmed(of.project_stale, STALE_PROJECT_RECENCY)
    keyword = signals.scaled_bm25(of.bm25, pool.best_bm25)
    meaning = ("semantic", of.cosine) if pool.question.has_vectors else ("keyword_as_semantic", keyword)
    return [
        _weighted(0.35, *meaning),
        _weighted(0.25, "outcome", signals.outcome(of.outcome_score)),
        _weighted(0.15, "recency", fresh),
        _weighted(0.15, "frequency", signals.frequency(maths, of.recall_count + of.use_count)),
        _weighted(0.10, "confidence", of.confidence),
    ]


def five_signal_factors(maths: Maths[Number], of: Features[Number], pool: RankingPool) -> list[Term[Number]]:
    """The category's boost, 1 unless the query asks for that category; gotchas, pitfalls and warnings are one."""
    return [("category_boost", of.intent_boost, of.intent_boost)]


def rrf_terms(maths: Maths[Number], of: Features[Number], pool: RankingPool) -> list[Term[Number]]:
    """1 / (60 + rank + 1) for each list, the first rank being 0; 0 for a list it is missing from."""
    return [
        ("keyword_list", of.keyword_rank, signals.rrf_share(maths, of.keyword_rank)),
        ("vector_list", of.vector_rank, signals.rrf_share(maths, of.vector_rank)),
    ]


def rrf_factors(maths: Maths[Number], of: Features[Number], pool: RankingPool) -> list[Term[Number]]:
    """(1 + 0.1 ln(1 + uses)) x exp(-0.01 days since last used), no decay if never used."""
    return [
        ("access_boost", of.use_count, signals.access_boost(maths, of.use_count)),
        ("access_decay", of.days_since_used, signals.access_decay(maths, of.days_since_used)),
    ]


def weighted_terms(maths: Maths[Number], of: Features[Number], pool: RankingPool) -> list[Term[Number]]:
    """0.7 cosine + 0.3 BM25 / best BM25."""
    return [
        _weighted(0.7, "semantic", of.cosine),
        _weighted(0.3, "keyword", signals.scaled_bm25(of.bm25, pool.best_bm25)),
    ]


def no_factors(maths: Maths[Number], of: Features[Number], pool: RankingPool) -> list[Term[Number]]:
    """Nothing multiplies the sum."""
    return []


def core_terms(maths: Maths[Number], of: Features[Number], pool: RankingPool) -> list[Term[Number]]:
    """core = cosine + trust x (0.2 c^2 BM25 / best BM25 + 0.8 coverage + 0.2 phrase) + 0.6 in time + 0.2 kind.

    trust = the margin, at least 0.2: where many texts hold the words equally, meaning decides.
    c = the best coverage of the pool: where no text holds most of the query's rare words, the best of them by BM25
    means little. A word outside the best stretch of 20 words of a text adds half to its coverage.
    """
    trust = signals.trust(pool.question.margin)
    keyword = 0.2 * trust * pool.question.best_coverage**2
    terms = [
        ("semantic", of.cosine, of.cosine),
        _weighted(keyword, "keyword", signals.scaled_bm25(of.bm25, pool.best_bm25)),
        _weighted(0.8 * trust, "coverage", of.coverage),
        _weighted(0.2 * trust, "phrase", of.phrase),
    ]
    if pool.question.kinds:
        terms += [_weighted(0.6, "in_time", of.in_time), _weighted(0.2, "asked_kind", of.asked_kind)]
    return terms


def balanced_with(strength: float) -> Ranker:
    """core / best core x (1 + strength x g) x settled x 0.8 if a citation changed x 0.9 if stale.

    settled = 1 - 0.99 |h| + 0.99 max(h, 0) x (1 + strength) / the score before it: reports for this very question
    take over from relevance, after two that agree almost completely. A strength below 0.45 lowers h in proportion.

    Without evidence and marks every factor is exactly 1: the order is the order of relevance.
    """

    share = min(strength / STRENGTH, 1.0)

    def settled(maths: Maths[Number], of: Features[Number], pool: RankingPool, related: Number) -> Number:
        if _is_one(unsettled := 1.0 - of.same_question):
            return unsettled  # as most are, and then nothing is worked out twice
        relevance = maths.at_least(_sum(core_terms(maths, of, pool)), 0.0) / pool.best_sum
        return evidence.settled(maths, share * of.same_question, relevance * related, 1.0 + strength)

    def factors(maths: Maths[Number], of: Features[Number], pool: RankingPool) -> list[Term[Number]]:
        changed = signals.dimmed(of.citation_changed, CHANGED_CITATION)
        related = 1.0 + strength * of.evidence
        return [
            ("evidence", of.evidence, related),
            ("same_question", of.same_question, settled(maths, of, pool, related)),
            ("citation_changed", of.citation_changed, changed),
            ("project_stale", of.project_stale, signals.dimmed(of.project_stale, STALE_PROJECT)),
        ]

    return Ranker(name="balanced", terms=core_terms, factors=factors, to_best=True)


RANKERS: dict[str, Ranker] = {
    "balanced": balanced_with(STRENGTH),
    "five-signal": Ranker("five-signal", five_signal_terms, five_signal_factors, reads_records=True),
    "rrf": Ranker("rrf", rrf_terms, rrf_factors, reads_records=True),
    "weighted": Ranker(name="weighted", terms=weighted_terms, factors=no_factors),
}


def ranker_named(name: str) -> Ranker:
    """Return the ranker with this name; the error for an unknown name lists them all."""
    try:
        return RANKERS[name.strip().lower().replace("_", "-")]
    except KeyError:
        raise InvalidInput(f"unknown ranker {name!r}; choose one of: {', '.join(RANKERS)}") from None


def _weighted(weight: float, name: str, value: Number) -> Term[Number]:
    return name, value, weight * value


def scored(
    ranker: Ranker, maths: Maths[Number], batches: Sequence[Features[Number]], question: SearchQuestion
) -> tuple[RankingPool, list[Number]]:
    """Score a pool given as many single candidates or as one batch of columns."""
    best = _highest(maths, [batch.bm25 for batch in batches])
    pool = RankingPool(question=question, best_bm25=max(best, question.best_bm25))
    sums = [_sum(ranker.terms(maths, batch, pool)) for batch in batches]
    if ranker.to_best:
        pool = pool._replace(best_sum=_highest(maths, sums) or 1.0)
        sums = [maths.at_least(one, 0.0) / pool.best_sum for one in sums]
    return pool, [_times_factors(ranker, maths, *each, pool) for each in zip(batches, sums, strict=True)]


def explained(
    ranker: Ranker, maths: Maths[Number], of: Features[Number], question: SearchQuestion
) -> tuple[RankingPool, Number, list[Term[Number]]]:
    """Score a pool given as one batch of columns, and return the terms behind each score."""
    pool = RankingPool(question=question, best_bm25=max(maths.highest(of.bm25), question.best_bm25))
    found = ranker.terms(maths, of, pool)
    if ranker.to_best:
        best = maths.highest(_sum(found))
        pool = pool._replace(best_sum=best if best >= NEXT_TO_NOTHING else 1.0)
    score, terms = _score_and_terms(ranker, maths, of, pool, found)
    return pool, score, terms


def parts(
    ranker: Ranker, maths: Maths[Number], of: Features[Number], pool: RankingPool
) -> list[Term[Number]]:
    """Return the signals of a score; their shares add up to it, a factor's share being what it adds or removes."""
    return _score_and_terms(ranker, maths, of, pool, ranker.terms(maths, of, pool))[1]


def _score_and_terms(
    ranker: Ranker, maths: Maths[Number], of: Features[Number], pool: RankingPool, found: list[Term[Number]]
) -> tuple[Number, list[Term[Number]]]:
    """Return a score and its signals, given its terms."""
    score = _sum(found)
    if ranker.to_best:
        score = maths.at_least(score, 0.0) / pool.best_sum
        found = [(name, value, share / pool.best_sum) for name, value, share in found]
        if maths.lowest(score) < NEXT_TO_NOTHING:
            counts = score - NEXT_TO_NOTHING
            found = [(name, value, maths.unless_negative(counts, share, 0.0)) for name, value, share in found]
    for name, value, factor in ranker.factors(maths, of, pool):
        if _is_one(factor):
            found.append((name, value, factor - factor))
        else:
            found.append((name, value, score * factor - score))
            score = score * factor
    return score, found


def _sum(terms: Sequence[Term[Number]]) -> Number:
    (_, _, total), *rest = terms
    for _, _, share in rest:
        total = total + share
    return total


def _times_factors(
    ranker: Ranker, maths: Maths[Number], of: Features[Number], score: Number, pool: RankingPool
) -> Number:
    for _, _, factor in ranker.factors(maths, of, pool):
        score = score if _is_one(factor) else score * factor
    return score


def _is_one(factor: object) -> bool:
    """Is a factor 1 for all candidates, as most are?"""
    return isinstance(factor, float) and factor == 1.0


def _highest(maths: Maths[Number], values: Sequence[Number]) -> float:
    return max((maths.highest(value) for value in values), default=0.0)

"""The named rankers. Each is one formula, written once for floats and for numpy columns.

Every formula has the same shape: a sum of terms, for some measured against the best sum of the
pool, times factors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.ranking import signals
from memory_layer.ranking.arithmetic import Maths, Number
from memory_layer.ranking.columns import Features, Question

DEFAULT_RANKER = "balanced"
STRENGTH = 0.45  #: how far evidence may move a relevant memory: x 0.55 .. x 1.45
FLOOR = 0.15  #: of `balanced`: meaning and words that say less than this together are no answer
CHANGED_CITATION = 0.8
STALE_PROJECT = 0.9
STALE_PROJECT_RECENCY = 0.5

if TYPE_CHECKING:
    #: Name, the signal's own value, what it adds to the sum (or multiplies the score by).
    Term: TypeAlias = tuple[str, Number, Number]


class Pool(NamedTuple):
    """What a candidate is measured against: the question and the best of its rivals."""

    question: Question
    best_bm25: float
    best_sum: float = 1.0  #: the highest sum of terms, for rankers that measure against it


class Terms(Protocol):
    def __call__(self, maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]: ...


class Ranker(NamedTuple):
    """score = sum of terms (/ best sum of the pool, never below 0, if `to_best`) x product of factors."""

    name: str
    terms: Terms
    factors: Terms
    to_best: bool = False
    reads_records: bool = False  #: whether it asks for more than words, meaning and evidence


def five_signal_terms(maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
    """0.35 semantic + 0.25 outcome + 0.15 recency + 0.15 frequency + 0.10 confidence.

    semantic = cosine, or BM25 / best BM25 without vectors (it is then called `keyword_as_semantic`)
    · outcome = (score + 1) / 2 · recency = exp(-days / 30), halved for a stale project
    · frequency = min(1, ln(uses + 1) / ln 100) with uses = recalls + uses.
    """
    fresh = signals.recency(maths, of.age_days) * signals.dimmed(of.project_stale, STALE_PROJECT_RECENCY)
    keyword = signals.scaled_bm25(of.bm25, pool.best_bm25)
    meant = ("semantic", of.cosine) if pool.question.has_vectors else ("keyword_as_semantic", keyword)
    return [
        _weighted(0.35, *meant),
        _weighted(0.25, "outcome", signals.outcome(of.outcome_score)),
        _weighted(0.15, "recency", fresh),
        _weighted(0.15, "frequency", signals.frequency(maths, of.recall_count + of.use_count)),
        _weighted(0.10, "confidence", of.confidence),
    ]


def five_signal_factors(maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
    """The category's boost, 1 unless the query asks for that category; gotchas, pitfalls and warnings are one."""
    return [("category_boost", of.intent_boost, of.intent_boost)]


def rrf_terms(maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
    """1 / (60 + rank + 1) for each list, the first rank being 0; 0 for a list it is missing from."""
    return [
        ("keyword_list", of.keyword_rank, signals.rrf_share(maths, of.keyword_rank)),
        ("vector_list", of.vector_rank, signals.rrf_share(maths, of.vector_rank)),
    ]


def rrf_factors(maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
    """(1 + 0.1 ln(1 + uses)) x exp(-0.01 days since last used), no decay if never used."""
    return [
        ("access_boost", of.use_count, signals.access_boost(maths, of.use_count)),
        ("access_decay", of.days_since_used, signals.access_decay(maths, of.days_since_used)),
    ]


def weighted_terms(maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
    """0.7 cosine + 0.3 BM25 / best BM25."""
    return [
        _weighted(0.7, "semantic", of.cosine),
        _weighted(0.3, "keyword", signals.scaled_bm25(of.bm25, pool.best_bm25)),
    ]


def no_factors(maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
    """Nothing multiplies the sum."""
    return []


def core_terms(maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
    """core = cosine + trust x (0.3 BM25 / best BM25 + 0.5 coverage + 0.2 phrase).

    trust = the margin, at least 0.2: where many texts hold the words equally, meaning decides.
    A word outside the best stretch of 20 words of a text adds half to its coverage.
    """
    trust = signals.trust(pool.question.margin)
    return [
        ("semantic", of.cosine, of.cosine),
        _weighted(0.3 * trust, "keyword", signals.scaled_bm25(of.bm25, pool.best_bm25)),
        _weighted(0.5 * trust, "coverage", of.coverage),
        _weighted(0.2 * trust, "phrase", of.phrase),
    ]


def balanced_with(strength: float) -> Ranker:
    """core / best core x (1 + strength x g) x 0.8 if a citation changed x 0.9 if stale.

    In a hybrid search, what is worth less than 0.15 before it is divided by the best is no answer.

    Without evidence and marks every factor is exactly 1: the order is the order of relevance.
    """

    def factors(maths: Maths[Number], of: Features[Number], pool: Pool) -> list[Term[Number]]:
        changed = signals.dimmed(of.citation_changed, CHANGED_CITATION)
        return [
            ("evidence", of.evidence, 1.0 + strength * of.evidence),
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
    """The ranker a user means, or an error that lists them."""
    try:
        return RANKERS[name.strip().lower().replace("_", "-")]
    except KeyError:
        raise InvalidInput(f"unknown ranker {name!r}; the rankers are: {', '.join(RANKERS)}") from None


def _weighted(weight: float, name: str, value: Number) -> Term[Number]:
    return name, value, weight * value

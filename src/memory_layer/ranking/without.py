"""Undo the effect of reports on a score, from the signals that were kept with it."""

from __future__ import annotations

from collections.abc import Mapping

from memory_layer.ranking.evidence import LEAST_SCORE, TAKEN_OVER
from memory_layer.ranking.rankers import CHANGED_CITATION, STALE_PROJECT, STRENGTH

_OUTCOME_WEIGHT = 0.25  #: of the ranker `five-signal`
_NEUTRAL_OUTCOME = 0.5


def without_experience(
    ranker: str, score: float, signals: Mapping[str, float], strength: float = STRENGTH
) -> float:
    """Return the score that a memory would have had without reports; other rankers know none."""
    if ranker == "balanced":
        return _relevance(score, signals, strength)
    if ranker == "five-signal":
        outcome = signals.get("outcome", _NEUTRAL_OUTCOME)
        boost = signals.get("category_boost", 1.0)
        return score - boost * _OUTCOME_WEIGHT * (outcome - _NEUTRAL_OUTCOME)
    return score


def _relevance(score: float, signals: Mapping[str, float], strength: float) -> float:
    """Solve the formula of `balanced` for the relevance; marks of citations and idle projects stay."""
    g, h = signals.get("evidence", 0.0), signals.get("same_question", 0.0)
    h *= min(strength / STRENGTH, 1.0)
    marks = CHANGED_CITATION if signals.get("citation_changed") else 1.0
    marks *= STALE_PROJECT if signals.get("project_stale") else 1.0
    related = (score / marks - TAKEN_OVER * max(h, 0.0) * (1.0 + strength)) / (1.0 - TAKEN_OVER * abs(h))
    return max(related, 0.0) / max(1.0 + strength * g, LEAST_SCORE) * marks

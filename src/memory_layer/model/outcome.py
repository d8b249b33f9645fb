"""Outcomes reported for memories."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Outcome, Status

#: After so many idle days a score drifts toward 0, and halves within so many more.
IDLE_DAYS_BEFORE_DRIFT = 30.0
DRIFT_HALF_LIFE_DAYS = 30.0


def drifted(score: float, last_used_at: datetime | None, now: datetime) -> float:
    """Return the score that counts now: after 30 idle days it halves every 30 days."""
    if not score or last_used_at is None:
        return score
    return faded(score, (now - last_used_at) / timedelta(days=1))


def faded(score: float, idle_days: float) -> float:
    """Return a score after idle days."""
    return score * math.pow(0.5, max(idle_days - IDLE_DAYS_BEFORE_DRIFT, 0.0) / DRIFT_HALF_LIFE_DAYS)


#: How the id of an outcome begins that nobody reported: it was concluded from what was seen in a session.
SEEN = "seen_"
#: The weight of such an outcome; a reported one weighs 1.
SEEN_WEIGHT = 2 / 3


class OutcomeEvent(NamedTuple):
    """A report of what happened when a memory was used."""

    id: str
    memory: str
    result: Outcome
    counted: bool
    at: datetime
    session: str
    writer: str
    query: str | None = None
    recall: str | None = None
    evidence: str | None = None

    @property
    def is_seen(self) -> bool:
        """Was it concluded from a session, and not reported?"""
        return self.id.startswith(SEEN)

    @property
    def weight(self) -> float:
        return SEEN_WEIGHT if self.is_seen else 1.0


class Experience(NamedTuple):
    """Outcome counts of a memory for questions similar to the one asked."""

    worked: int = 0
    partial: int = 0
    failed: int = 0
    seen: int = 0  #: so many of them nobody reported: they follow from what was seen in sessions

    @property
    def reports(self) -> int:
        return self.worked + self.partial + self.failed


class Judged(NamedTuple):
    """The effect of an outcome on a memory."""

    id: str
    result: Outcome
    outcome_score: float
    status: Status
    counted: bool
    repeated: bool = False  #: the event was known already, and nothing moved now

"""Outcomes reported for memories."""

from __future__ import annotations

from datetime import datetime

from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Outcome, Status


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


class Experience(NamedTuple):
    """Outcome counts of a memory for questions similar to the one asked."""

    worked: int = 0
    partial: int = 0
    failed: int = 0


class Judged(NamedTuple):
    """The effect of an outcome on a memory."""

    id: str
    result: Outcome
    outcome_score: float
    status: Status
    counted: bool
    repeated: bool = False  #: the event was known already, and nothing moved now

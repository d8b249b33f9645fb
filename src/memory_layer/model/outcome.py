"""Reports of what happened when a memory was used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory_layer.model.vocabulary import Outcome, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeEvent:
    """One report of what happened when a memory was used."""

    id: str
    memory: str
    result: Outcome
    counted: bool
    at: datetime
    query: str | None = None
    recall: str | None = None
    evidence: str | None = None
    session: str
    writer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What an outcome did to a memory."""

    id: str
    result: Outcome
    outcome_score: float
    status: Status
    counted: bool

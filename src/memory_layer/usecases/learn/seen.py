"""Conclude what the memories of a session did, from its steps alone and without a store."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.steps import SeenOutcome, ShownMemory, Step
from memory_layer.rules.sessions.outcomes import seen_outcomes


def conclude(steps: Sequence[Step], shown: Sequence[ShownMemory]) -> list[SeenOutcome]:
    """Return at most one outcome for each memory that the session was given."""
    return seen_outcomes(steps, shown)

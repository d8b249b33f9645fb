"""Conclude from the steps of a session which of the memories it was shown helped or misled it."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.steps import SeenOutcome, ShownMemory, Step


def seen_outcomes(steps: Sequence[Step], shown: Sequence[ShownMemory]) -> list[SeenOutcome]:
    return []

"""Suggest memories from errors that a session overcame."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.steps import Lesson, Step


def lessons(steps: Sequence[Step]) -> list[Lesson]:
    return []

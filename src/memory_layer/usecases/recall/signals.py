"""Say in plain words what a signal saw."""

from __future__ import annotations

from memory_layer.model.outcome import Experience
from memory_layer.ranking import explain


def in_words(name: str, value: float, experience: Experience | None = None) -> str:
    """What a signal's value says; one that is not known any more is named with its number."""
    seen = explain.seen(name, value)
    return f"{seen}: {explain.experience(experience)}" if name == "evidence" and experience else seen

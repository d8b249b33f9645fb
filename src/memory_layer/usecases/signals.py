"""Say in plain words what a signal saw."""

from __future__ import annotations

from memory_layer.ranking import explain


def in_words(name: str, value: float) -> str:
    """What a signal's value says; one that is not known any more is named with its number."""
    return explain.seen(name, value)

"""Judge a message by rules alone: no store, no model, and cheap to import, for callers that hear every message."""

from __future__ import annotations

from memory_layer.model.capture import Listened, Noticed
from memory_layer.rules import capture as rules
from memory_layer.rules import reminder as cues

CUES = cues.CUES


def listen(text: str, before: str = "") -> Listened:
    """Return what would be stored of a message, and a reminder if more of it seems to last.

    `before` is the same person's previous message.
    """
    found = rules.noticed(text, before)
    return Listened(found, cues.reminder(text, [each.content for each in found]))


def noticed(text: str, before: str = "") -> tuple[Noticed, ...]:
    """Return what would be stored of a message."""
    return rules.noticed(text, before)


def cues_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the cues of each sentence, by which a reminder is decided."""
    return cues.cues_of(text)

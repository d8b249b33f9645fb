"""The JSON shape of what is given unasked: contexts, prompts and warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.doors.wire import Shape, plain

if TYPE_CHECKING:
    from memory_layer.model.context import Context, Reproduced
    from memory_layer.model.prompt import Prompt
    from memory_layer.model.warning import Warned


def context(context: Context) -> Shape:
    """A text for an agent, with the memories it was made of."""
    return {
        "recall": context.recall,
        "text": context.text,
        "tokens": context.tokens,
        "budget": context.budget,
        "digest": context.digest,
        "memories": [
            {
                "id": line.memory.id,
                "layer": line.layer.value,
                "score": round(line.score, 6),
                "signals": {name: round(value, 6) for name, value in line.signals.items()},
            }
            for line in context.lines
        ],
        "left_out": context.left_out,
        "redacted": list(context.redacted),
        "notice": context.notice,
    }


def prompt(prompt: Prompt) -> Shape:
    """A whole prompt, with the memories in it."""
    return {
        "recall": prompt.recall,
        "text": prompt.text,
        "tokens": prompt.tokens,
        "digest": prompt.digest,
        "budget": prompt.budget,
        "memory_tokens": prompt.section.tokens,
        "memories": [each.id for each in prompt.section.memories],
        "left_out": list(prompt.section.left_out),
        "redacted": list(prompt.redacted),
    }


def warned(warned: Warned) -> Shape:
    """At most two lines for an agent."""
    return {
        "recall": warned.recall,
        "text": warned.text,
        "warnings": [
            {"id": each.memory.id, "because": each.because, "line": each.line} for each in warned.warnings
        ],
        "redacted": list(warned.redacted),
    }


def reproduced(again: Reproduced) -> Shape:
    shape: Shape = plain(again)
    return shape

"""The JSON of contexts, prompts, events, handoffs and procedures, the same for all doors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memory_layer.doors.wire import Shape, fields, listed, moment, plain

if TYPE_CHECKING:
    from memory_layer.model.context import Context, Reproduced, Warned
    from memory_layer.model.episodes import Episode, Handoff, Recorded, Timeline
    from memory_layer.model.runs import Procedure, Prompt, Saved


def context(context: Context) -> Shape:
    """Return a context with the memories it was made of."""
    return {
        **fields(context, "recall text tokens budget digest"),
        "memories": [
            {
                "id": line.memory.id,
                "layer": line.layer.value,
                "score": round(line.score, 6),
                "signals": {name: round(value, 6) for name, value in line.signals.items()},
            }
            for line in context.lines
        ],
        **fields(context, "left_out redacted notice"),
    }


def prompt(prompt: Prompt) -> Shape:
    """Return a prompt with the memories in it."""
    return {
        **fields(prompt, "recall text tokens digest budget"),
        "memory_tokens": prompt.section.tokens,
        "memories": [each.id for each in prompt.section.memories],
        "left_out": list(prompt.section.left_out),
        "redacted": list(prompt.redacted),
    }


def warned(warned: Warned) -> Shape:
    """Return at most two warnings."""
    return {
        **fields(warned, "recall text"),
        "warnings": [
            {"id": each.memory.id, "because": each.because, "line": each.line} for each in warned.warnings
        ],
        "redacted": list(warned.redacted),
    }


def reproduced(again: Reproduced) -> Shape:
    shape: Shape = plain(again)
    return shape


def recorded(done: Recorded) -> Shape:
    """Return the result of recording an event; the reason only if it waits for review."""
    shape: Shape = plain(done)
    return shape if done.reason is not None else {name: shape[name] for name in shape if name != "reason"}


def timeline(line: Timeline) -> Shape:
    return listed(map(_episode, line.items), line.next, counted=False)


def _episode(each: Episode) -> Shape:
    return {
        **fields(each.memory, "id status reason"),
        **fields(each, "session number kind outcome"),
        "at": moment(each.memory.created_at),
        **fields(each.memory, "content tags project writer"),
    }


def handoff(left: Handoff | None) -> Shape | None:
    return None if left is None else plain(left)


def handed_off(done: Recorded, left: Handoff) -> Shape:
    """Return a handoff as it was stored, and its status."""
    status = {"status": done.status, "number": done.number, "redacted": list(done.redacted)}
    waits = {} if done.reason is None else {"reason": done.reason}
    return {**plain(left), **status, **waits}


def procedure(kept: Procedure) -> Shape:
    return fields(kept, "id name when steps scope tags worked failed partial proven project status version")


def procedures(kept: Iterable[Procedure]) -> list[Shape]:
    return [procedure(each) for each in kept]


def saved(done: Saved) -> Shape:
    """Return a procedure as it is now, its status after saving, and what it waits for."""
    shape = procedure(done.procedure) | {"saved": done.status, "redacted": list(done.redacted)}
    return shape if done.reason is None else shape | {"reason": done.reason}

"""The JSON shapes of events, handoffs and procedures, one for all doors."""

from __future__ import annotations

from collections.abc import Iterable

from memory_layer.doors.wire import Shape, moment, plain
from memory_layer.model.episodes import Episode, Handoff, Recorded, Timeline
from memory_layer.model.procedures import Procedure, Saved


def recorded(done: Recorded) -> Shape:
    """What became of an event; the reason only if it waits for a person."""
    shape: Shape = plain(done)
    return shape if done.reason is not None else {name: shape[name] for name in shape if name != "reason"}


def timeline(line: Timeline) -> Shape:
    return {"items": [_episode(each) for each in line.items], "next": line.next}


def _episode(each: Episode) -> Shape:
    memory = each.memory
    return {
        "id": memory.id,
        "status": memory.status.value,
        "reason": plain(memory.reason),
        "session": each.session,
        "number": each.number,
        "kind": each.kind,
        "outcome": each.outcome,
        "at": moment(memory.created_at),
        "content": memory.content,
        "tags": list(memory.tags),
        "project": memory.project,
        "writer": memory.writer,
    }


def handoff(left: Handoff | None) -> Shape | None:
    return None if left is None else plain(left)


def handed_off(done: Recorded, left: Handoff) -> Shape:
    """A handoff as it was kept, and what became of it."""
    told = {"status": done.status, "number": done.number, "redacted": list(done.redacted)}
    waits = {} if done.reason is None else {"reason": done.reason}
    return {**plain(left), **told, **waits}


def procedure(kept: Procedure) -> Shape:
    return {
        "id": kept.id,
        "name": kept.name,
        "when": kept.when,
        "steps": list(kept.steps),
        "scope": list(kept.scope),
        "tags": list(kept.tags),
        "worked": kept.worked,
        "failed": kept.failed,
        "partial": kept.partial,
        "proven": kept.proven,
        "project": kept.project,
        "status": kept.status,
        "version": kept.version,
    }


def procedures(kept: Iterable[Procedure]) -> list[Shape]:
    return [procedure(each) for each in kept]


def saved(done: Saved) -> Shape:
    """A procedure as it is now, what saving did to it, and what it waits for."""
    shape = procedure(done.procedure) | {"saved": done.status, "redacted": list(done.redacted)}
    return shape if done.reason is None else shape | {"reason": done.reason}

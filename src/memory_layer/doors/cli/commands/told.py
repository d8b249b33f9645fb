"""Events, handoffs and procedures as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import click

from memory_layer.doors.cli.render import INDENT, age, count, entry, field, short_id, short_ids, visible
from memory_layer.model.episodes import Episode, Handoff, Recorded, Timeline
from memory_layer.model.procedures import Procedure, Saved
from memory_layer.model.vocabulary import Status

_COLOURS = {"success": "green", "failure": "red"}


def recorded(done: Recorded) -> str:
    head = click.style(short_id(done.id), fg="cyan")
    return f"{head}  {done.status}  event {done.number} of session {field(done.session)}"


def remarks(redacted: Sequence[str], reason: str | None) -> Iterator[str]:
    """What is worth knowing beside the answer."""
    if redacted:
        yield f"redacted before storing: {', '.join(redacted)}"
    if reason is not None:
        yield f"held back until a person approves it in `mem review`: {visible(reason)}"


def timeline(line: Timeline, width: int | None) -> str:
    """One entry for each event, newest last."""
    short = short_ids(each.memory.id for each in line.items)
    return "\n".join(_event(each, short[each.memory.id], width) for each in line.items)


def _event(each: Episode, short: str, width: int | None) -> str:
    memory = each.memory
    head = [f"{memory.created_at:%Y-%m-%d %H:%M} UTC", click.style(short, fg="cyan")]
    head += [click.style(field(each.kind or "forgotten"), bold=True)]
    if each.outcome:
        head.append(click.style(field(each.outcome), fg=_COLOURS.get(each.outcome)))
    place = f"{field(each.session)} #{each.number}" if each.session is not None else "in no session"
    mark = [] if memory.status is Status.ACTIVE else [f"{memory.status}: {memory.reason}"]
    return entry(head, memory.content, [place, *mark], width)


def handoff(left: Handoff, now: datetime) -> str:
    """What the last session left, part by part."""
    head = f"{click.style(short_id(left.id), fg='cyan')}  handoff of session {field(left.session or '')}"
    lines = [f"{head}, {age(left.at, now)}"]
    lines += [f"{INDENT}{line}" for line in visible(left.text).splitlines()]
    parts = {"Done": left.done, "Next": left.next, "Open questions": left.questions, "Files": left.files}
    for heading, each in parts.items():
        if each:
            lines += [click.style(f"{heading}:", bold=True), *(f"  - {field(text)}" for text in each)]
    return "\n".join(lines)


def procedure(kept: Procedure, width: int | None) -> str:
    """A procedure in full: when to use it, and its steps in their order."""
    lines = [_head(kept)]
    if kept.when:
        lines.append(f"When: {field(kept.when)}")
    if kept.scope:
        lines.append(f"Applies to: {field(', '.join(kept.scope))}")
    for number, step in enumerate(kept.steps, 1):
        first, *more = visible(step).splitlines()
        lines += [f"{number}. {first}", *(f"   {line}" for line in more)]
    return "\n".join(lines)


def procedures(kept: Sequence[Procedure]) -> str:
    return "\n".join(f"{_head(each)}  {field(each.when)}".rstrip() for each in kept)


def saved(done: Saved) -> str:
    return f"{_head(done.procedure)}  {done.status}, version {done.procedure.version}"


def _head(kept: Procedure) -> str:
    """Its id and name, how many steps it has and how they did."""
    told = [count(len(kept.steps), "step")]
    results = {
        "worked": (kept.worked, "green"),
        "partial": (kept.partial, "yellow"),
        "failed": (kept.failed, "red"),
    }
    told += [click.style(f"{name} {n}", fg=colour) for name, (n, colour) in results.items() if n]
    told += ["global"] if kept.project is None else []
    name = click.style(field(kept.name), bold=True)
    return f"{click.style(short_id(kept.id), fg='cyan')}  {name}  ({' · '.join(told)})"

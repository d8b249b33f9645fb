"""`mem episode`, `mem timeline` and `mem handoff`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import click

from memory_layer.doors.cli.arguments import (
    OneOf,
    command,
    global_option,
    limit_option,
    page_option,
    project_option,
    scope_options,
    tag_option,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import (
    INDENT,
    age,
    count,
    entry,
    field,
    short_id,
    short_ids,
    status_text,
    visible,
)
from memory_layer.model.episodes import Episode, EpisodeKind, Handoff, Recorded, Timeline
from memory_layer.model.runs import Procedure, Saved
from memory_layer.model.vocabulary import Outcome, Status
from memory_layer.verbs.learn import EPISODE, HANDOFF, LAST_HANDOFF, TIMELINE

KINDS = ", ".join(EpisodeKind)
_COLOURS = {"worked": "green", "partial": "yellow", "failed": "red"}


@command(
    "episode",
    'mem episode "Chose SQLite over Postgres: one file is enough" --kind decision',
    'mem episode "Nightly build broke" --kind error --outcome failed --tag ci',
)
@click.argument("text", nargs=-1, metavar="[TEXT|-]")
@click.option(
    "--kind",
    type=OneOf(EpisodeKind),
    metavar="KIND",
    default="observation",
    help=f"The kind of event: {KINDS}. Default: observation.",
)
@click.option("--outcome", type=OneOf(Outcome), help="The result.")
@tag_option
@click.option("--at", metavar="WHEN", help="When it happened: 2h for two hours ago, or a date. Default: now.")
@project_option()
@global_option("Do not attach it to a project.")
@who_options
@click.pass_obj
def episode(
    call: CommandCall,
    text: tuple[str, ...],
    kind: EpisodeKind,
    outcome: Outcome | None,
    tags: tuple[str, ...],
    at: str | None,
) -> None:
    """Record an event.

    Events are numbered within their session and append-only: they cannot be edited, do not expire, and the same text
    twice is two events. `mem audit verify` detects events that were changed, removed or truncated. An event is also a
    memory: `mem search` finds it, `--tier episodic` finds only events, and `mem archive` hides one. With
    `--kind session_end` the text is shown to the next session like a handoff, unless the session has one already.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import add

    event = {"text": add.text(call, text), "kind": kind, "outcome": outcome, "at": at}
    with call.open() as memory:
        done = memory.run(EPISODE, event | {"tags": tags})
    call.reply(wire_context.recorded(done), recorded_text(done))
    for line in remarks(done.redacted, done.reason):
        call.say(line)


@command("timeline", "mem timeline --since 7d", "mem timeline --kind decision --all --json")
@click.option(
    "--since",
    "--after",
    "since",
    metavar="WHEN",
    help="Only events since 7d, 2w or 12h ago, or since a date.",
)
@click.option("--until", "--before", "until", metavar="WHEN", help="Only events before that.")
@click.option("--session", metavar="NAME", help="Only this session.")
@click.option(
    "--kind", type=OneOf(EpisodeKind), multiple=True, metavar="KIND", help="Only this kind; repeatable."
)
@limit_option(20)
@page_option
@scope_options
@click.pass_obj
def timeline(
    call: CommandCall,
    since: str | None,
    until: str | None,
    session: str | None,
    kind: tuple[EpisodeKind, ...],
    limit: int,
    start: str | None,
) -> None:
    """Show recorded events, newest last.

    Shows the last events of the project of the current directory and the global ones; --from continues with earlier
    ones. Archived events are marked, forgotten ones are empty, and events waiting for review are not shown.
    """
    from memory_layer.doors import wire_context

    span = {"since": since, "until": until, "session": session, "kinds": kind}
    with call.open() as memory:
        line = memory.run(TIMELINE, span | {"limit": limit, "after": start})
    call.reply(wire_context.timeline(line), timeline_text(line, call.width))
    call.say_more(line.next, "There are earlier events")
    if not line.items:
        call.say("no events here yet; record one with `mem episode`")


@command(
    "handoff",
    'mem handoff --done "retries work" --next "test them on staging"',
    "mem handoff",
)
@click.argument("text", nargs=-1, metavar="[TEXT]")
@click.option("--done", metavar="TEXT", multiple=True, help="What was done; repeatable.")
@click.option("--next", "next_steps", metavar="TEXT", multiple=True, help="What to do next; repeatable.")
@click.option("--question", "questions", metavar="TEXT", multiple=True, help="An open question; repeatable.")
@click.option("--file", "files", metavar="PATH", multiple=True, help="A relevant file; repeatable.")
@project_option()
@global_option("Do not attach it to a project.")
@who_options
@click.pass_obj
def handoff(call: CommandCall, /, **options: Any) -> None:
    """Leave notes for the next session.

    Without notes, shows the last handoff of the project and its age. A handoff is shown to new sessions until there is
    a newer one. It is an event of kind session_end, so the timeline and searches include it.
    """
    parts = options | {"text": " ".join(options["text"])}
    if not any(parts.values()):
        _show_last(call)
        return
    from memory_layer.doors import wire_context

    with call.open() as memory:
        done, left = memory.run(HANDOFF, parts)
    call.reply(wire_context.handed_off(done, left), recorded_text(done))
    for line in remarks(done.redacted, done.reason):
        call.say(line)


def _show_last(call: CommandCall) -> None:
    from memory_layer.doors import wire_context

    with call.open() as memory:
        left = memory.run(LAST_HANDOFF, {})
        call.reply(wire_context.handoff(left), handoff_text(left, memory.engine.now()) if left else "")
    if left is None:
        call.say("no handoff here yet; leave one with `mem handoff --done … --next …`")


def recorded_text(done: Recorded) -> str:
    head = click.style(short_id(done.id), fg="cyan")
    return f"{head}  {done.status}  event {done.number} of session {field(done.session)}"


def remarks(redacted: Sequence[str], reason: str | None) -> Iterator[str]:
    """Yield remarks about a recorded text."""
    if redacted:
        yield f"redacted before storing: {', '.join(redacted)}"
    if reason is not None:
        yield f"Not active yet, needs your approval (`mem review`): {visible(reason)}"


def timeline_text(line: Timeline, width: int | None) -> str:
    """List events, newest last."""
    short = short_ids(each.memory.id for each in line.items)
    return "\n".join(_event(each, short[each.memory.id], width) for each in line.items)


def _event(each: Episode, short: str, width: int | None) -> str:
    memory = each.memory
    head = [f"{memory.created_at:%Y-%m-%d %H:%M} UTC", click.style(short, fg="cyan")]
    head += [click.style(field(each.kind or "forgotten"), bold=True)]
    if each.outcome:
        head.append(click.style(field(each.outcome), fg=_COLOURS.get(each.outcome)))
    place = f"{field(each.session)} #{each.number}" if each.session is not None else "no session"
    mark = [] if memory.status is Status.ACTIVE else [status_text(memory)]
    return entry(head, memory.content, [place, *mark], width)


def handoff_text(left: Handoff, now: datetime) -> str:
    """Show a handoff, part by part."""
    head = f"{click.style(short_id(left.id), fg='cyan')}  handoff of session {field(left.session or '')}"
    lines = [f"{head}, {age(left.at, now)}"]
    lines += [f"{INDENT}{line}" for line in visible(left.text).splitlines()]
    parts = {"Done": left.done, "Next": left.next, "Open questions": left.questions, "Files": left.files}
    for heading, each in parts.items():
        if each:
            lines += [click.style(f"{heading}:", bold=True), *(f"  - {field(text)}" for text in each)]
    return "\n".join(lines)


def procedure_text(procedure: Procedure) -> str:
    """Show a procedure in full."""
    lines = [_head(procedure)]
    if procedure.when:
        lines.append(f"When: {field(procedure.when)}")
    if procedure.scope:
        lines.append(f"Applies to: {field(', '.join(procedure.scope))}")
    for number, step in enumerate(procedure.steps, 1):
        first, *more = visible(step).splitlines()
        lines += [f"{number}. {first}", *(f"   {line}" for line in more)]
    return "\n".join(lines)


def procedures_text(procedures: Sequence[Procedure]) -> str:
    return "\n".join(f"{_head(each)}  {field(each.when)}".rstrip() for each in procedures)


def saved_text(done: Saved) -> str:
    return f"{_head(done.procedure)}  {done.status}, version {done.procedure.version}"


def _head(procedure: Procedure) -> str:
    """Show the id and name of a procedure, its number of steps and its outcomes."""
    notes = [count(len(procedure.steps), "step")]
    results = {
        "worked": (procedure.worked, "green"),
        "partial": (procedure.partial, "yellow"),
        "failed": (procedure.failed, "red"),
    }
    notes += [click.style(f"{name} {n}", fg=colour) for name, (n, colour) in results.items() if n]
    notes += ["global"] if procedure.project is None else []
    name = click.style(field(procedure.name), bold=True)
    return f"{click.style(short_id(procedure.id), fg='cyan')}  {name}  ({' · '.join(notes)})"

"""`mem episode`, `mem timeline` and `mem handoff`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import (
    OneOf,
    Scoping,
    command,
    project_option,
    scope_options,
    target_from,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import INDENT, age, count, entry, field, short_id, short_ids, visible
from memory_layer.model.episodes import Episode, EpisodeKind, EpisodeOutcome, Handoff, Recorded, Timeline
from memory_layer.model.runs import Procedure, Saved
from memory_layer.model.vocabulary import Status
from memory_layer.verbs.call import Target
from memory_layer.verbs.learn import EPISODE, HANDOFF, LAST_HANDOFF, TIMELINE

_COLOURS = {"success": "green", "failure": "red"}


@command(
    "episode",
    'mem episode "Chose SQLite over Postgres: one file is enough" --kind decision',
    'mem episode "The nightly build broke on the new linker" --kind error --outcome failure --tag ci',
)
@click.argument("text", nargs=-1, metavar="[TEXT|-]")
@click.option(
    "--kind", type=OneOf(EpisodeKind), default="observation", help="observation unless said otherwise."
)
@click.option("--outcome", type=OneOf(EpisodeOutcome), help="How it came out.")
@click.option("-t", "--tag", multiple=True, help="Repeatable.")
@click.option("--tags", metavar="A,B", help="Several at once.")
@click.option(
    "--at", metavar="WHEN", help="When it happened: 2h for two hours ago, or a date; now by default."
)
@project_option
@click.option("--global", "only_global", is_flag=True, help="It belongs to no project.")
@who_options
@click.pass_obj
def episode(
    call: CommandCall,
    text: tuple[str, ...],
    kind: EpisodeKind,
    outcome: EpisodeOutcome | None,
    tag: tuple[str, ...],
    tags: str | None,
    at: str | None,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Record what happened.

    An event is numbered in its session and only ever added: nothing rewords it, the same text twice is two events, and
    it does not expire. `mem audit verify` finds out if one was changed, removed or cut off. It is a memory all the
    same: `mem search` finds it, `--tier episodic` finds events alone, `mem archive` takes one out of sight. With
    `--kind session_end` the text is offered to the next session, as a handoff is, unless its session has handed over.
    """
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import add

    event = {"text": add.text(call, text), "kind": kind, "outcome": outcome, "at": at}
    with call.open(Target(project, only_global), as_name, session) as memory:
        done = memory.run(EPISODE, event | {"tags": add.listed(tag, tags)})
    call.reply(wire_context.recorded(done), recorded_text(done))
    for line in remarks(done.redacted, done.reason):
        call.say(line)


@command("timeline", "mem timeline --since 7d", "mem timeline --kind decision --all --json")
@click.option(
    "--since", "--after", "since", metavar="WHEN", help="What happened since then: 7d, 2w, 12h, or a date."
)
@click.option("--until", "--before", "until", metavar="WHEN", help="What happened before that.")
@click.option("--session", metavar="NAME", help="One session alone.")
@click.option("--kind", type=OneOf(EpisodeKind), multiple=True, help="Repeatable.")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="At most this many; 20 by default."
)
@click.option("--from", "start", metavar="PLACE", help="Go back from where the last timeline began.")
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
    **given: Unpack[Scoping],
) -> None:
    """Show what happened, newest last.

    The last events of the project of the working directory and the global ones, as a diary is read: --from goes on
    with what happened before. Archived events are shown and marked, forgotten ones have an empty place; what waits for
    a person's review is not shown.
    """
    from memory_layer.doors import wire_context

    span = {"since": since, "until": until, "session": session, "kinds": kind}
    with call.open(target_from(given)) as memory:
        line = memory.run(TIMELINE, span | {"limit": limit, "after": start})
    call.reply(wire_context.timeline(line), timeline_text(line, call.width))
    if line.next:
        call.say(f"there is more before that; go back with --from {line.next}")
    if not line.items:
        call.say("nothing has been recorded here; `mem episode` records what happens")


class Handing(TypedDict):
    """The options that say what a session leaves."""

    text: tuple[str, ...]
    done: tuple[str, ...]
    following: tuple[str, ...]
    question: tuple[str, ...]
    file: tuple[str, ...]


@command(
    "handoff",
    'mem handoff --done "retries work" --next "test them on staging" --question "is 3 the right number?"',
    "mem handoff",
)
@click.argument("text", nargs=-1, metavar="[TEXT]")
@click.option("--done", metavar="TEXT", multiple=True, help="What was done. Repeatable, as all parts are.")
@click.option("--next", "following", metavar="TEXT", multiple=True, help="What to do next.")
@click.option("--question", metavar="TEXT", multiple=True, help="What is still open.")
@click.option("--file", metavar="PATH", multiple=True, help="A file that matters.")
@project_option
@click.option("--global", "only_global", is_flag=True, help="It belongs to no project.")
@who_options
@click.pass_obj
def handoff(
    call: CommandCall,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
    **given: Unpack[Handing],
) -> None:
    """Close a session with what the next one should know.

    With nothing to say it shows the last handoff of the project and how old it is. One is offered until there is a
    newer one. It is an event of kind session_end, so it stands in the timeline and is found by a search.
    """
    parts: dict[str, object] = {
        "text": " ".join(given["text"]),
        "done": given["done"],
        "next_steps": given["following"],
        "questions": given["question"],
        "files": given["file"],
    }
    target = Target(project, only_global)
    if not any(parts.values()):
        _show_last(call, target)
        return
    from memory_layer.doors import wire_context

    with call.open(target, as_name, session) as memory:
        done, left = memory.run(HANDOFF, parts)
    call.reply(wire_context.handed_off(done, left), recorded_text(done))
    for line in remarks(done.redacted, done.reason):
        call.say(line)


def _show_last(call: CommandCall, target: Target) -> None:
    from memory_layer.doors import wire_context

    with call.open(target) as memory:
        left = memory.run(LAST_HANDOFF, {})
        call.reply(wire_context.handoff(left), handoff_text(left, memory.engine.now()) if left else "")
    if left is None:
        call.say("no session has handed anything over here; `mem handoff --done … --next …` does")


def recorded_text(done: Recorded) -> str:
    head = click.style(short_id(done.id), fg="cyan")
    return f"{head}  {done.status}  event {done.number} of session {field(done.session)}"


def remarks(redacted: Sequence[str], reason: str | None) -> Iterator[str]:
    """What is worth knowing beside the answer."""
    if redacted:
        yield f"redacted before storing: {', '.join(redacted)}"
    if reason is not None:
        yield f"held back until a person approves it in `mem review`: {visible(reason)}"


def timeline_text(line: Timeline, width: int | None) -> str:
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


def handoff_text(left: Handoff, now: datetime) -> str:
    """What the last session left, part by part."""
    head = f"{click.style(short_id(left.id), fg='cyan')}  handoff of session {field(left.session or '')}"
    lines = [f"{head}, {age(left.at, now)}"]
    lines += [f"{INDENT}{line}" for line in visible(left.text).splitlines()]
    parts = {"Done": left.done, "Next": left.next, "Open questions": left.questions, "Files": left.files}
    for heading, each in parts.items():
        if each:
            lines += [click.style(f"{heading}:", bold=True), *(f"  - {field(text)}" for text in each)]
    return "\n".join(lines)


def procedure_text(kept: Procedure, width: int | None) -> str:
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


def procedures_text(kept: Sequence[Procedure]) -> str:
    return "\n".join(f"{_head(each)}  {field(each.when)}".rstrip() for each in kept)


def saved_text(done: Saved) -> str:
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

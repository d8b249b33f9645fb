"""`mem episode`, `mem timeline` and `mem handoff`."""

from __future__ import annotations

from typing import TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import (
    OneOf,
    Scoping,
    project_option,
    scope_options,
    target_from,
    who_options,
)
from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command
from memory_layer.model.episodes import EpisodeKind, EpisodeOutcome
from memory_layer.verbs.learn import EPISODE, HANDOFF, LAST_HANDOFF, TIMELINE
from memory_layer.verbs.scope import Target


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
    call: Call,
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
    from memory_layer.doors.cli.commands import given, told

    event = {"text": given.text(call, text), "kind": kind, "outcome": outcome, "at": at}
    with call.open(Target(project, only_global), as_name, session) as memory:
        done = memory.run(EPISODE, event | {"tags": given.listed(tag, tags)})
    call.reply(wire_context.recorded(done), told.recorded(done))
    for line in told.remarks(done.redacted, done.reason):
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
    call: Call,
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
    from memory_layer.doors.cli.commands import told

    span = {"since": since, "until": until, "session": session, "kinds": kind}
    with call.open(target_from(given)) as memory:
        line = memory.run(TIMELINE, span | {"limit": limit, "after": start})
    call.reply(wire_context.timeline(line), told.timeline(line, call.width))
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
    call: Call,
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
    from memory_layer.doors.cli.commands import told

    with call.open(target, as_name, session) as memory:
        done, left = memory.run(HANDOFF, parts)
    call.reply(wire_context.handed_off(done, left), told.recorded(done))
    for line in told.remarks(done.redacted, done.reason):
        call.say(line)


def _show_last(call: Call, target: Target) -> None:
    from memory_layer.doors import wire_context
    from memory_layer.doors.cli.commands import told

    with call.open(target) as memory:
        left = memory.run(LAST_HANDOFF, {})
        call.reply(wire_context.handoff(left), told.handoff(left, memory.engine.now()) if left else "")
    if left is None:
        call.say("no session has handed anything over here; `mem handoff --done … --next …` does")

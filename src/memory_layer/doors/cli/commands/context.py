"""`mem context` and `mem warn`."""

from __future__ import annotations

from typing import Unpack

import click

from memory_layer.doors.cli.arguments import (
    OneOf,
    Scoping,
    command,
    in_order,
    scope_options,
    target_from,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import count
from memory_layer.model.context import BUDGET, MOST_CHARACTERS, Context, Format
from memory_layer.verbs.recall import CONTEXT, WARN

wanted_options = in_order(
    click.option("--task", metavar="TEXT", help="What you are going to do."),
    click.option("--query", metavar="TEXT", help="Also search for this."),
    click.option("--path", multiple=True, help="Prefer memories that apply to this file; repeatable."),
    click.option(
        "--budget",
        type=click.IntRange(1),
        default=BUDGET,
        metavar="TOKENS",
        help=f"At most this many tokens. Default: {BUDGET}.",
    ),
    click.option(
        "--max-characters",
        type=click.IntRange(1),
        default=MOST_CHARACTERS,
        metavar="N",
        help=f"At most this many characters. Default: {MOST_CHARACTERS:,}.",
    ),
    click.option(
        "--format",
        "form",
        type=OneOf(Format),
        default=Format.MARKDOWN.value,
        help="The format. Default: markdown.",
    ),
    click.option("--compact", is_flag=True, help="Short for --format compact."),
    click.option("--start", is_flag=True, help="Start a session: put the last handoff first."),
    click.option("--peek", is_flag=True, help="Do not record a recall."),
)


class Wanting(Scoping):
    """The options of a context."""

    task: str | None
    query: str | None
    path: tuple[str, ...]
    budget: int
    max_characters: int
    form: Format
    compact: bool
    start: bool
    peek: bool


@command(
    "context",
    "mem context --project .",
    'mem context --task "make uploads resumable" --path src/upload.py --budget 400',
    "mem context --compact --start --json",
)
@wanted_options
@scope_options
@who_options
@click.pass_obj
def context(call: CommandCall, as_name: str | None, session: str | None, **options: Unpack[Wanting]) -> None:
    """Print the memories to load before a task.

    First come policies, architecture and preferences of high priority, then recent memories relevant to the task, then
    up to three procedures, as far as the budget allows. No output means nothing relevant is stored. A context given to
    an agent is recorded as a recall.
    """
    from memory_layer.doors import wire_context

    if options["compact"] and options["form"] not in (Format.MARKDOWN, Format.COMPACT):
        raise click.UsageError(f"use either --compact or --format {options['form']}")
    values = {
        "task": options["task"],
        "query": options["query"],
        "paths": options["path"],
        "budget": options["budget"],
        "max_characters": options["max_characters"],
        "format": Format.COMPACT if options["compact"] else options["form"],
        "start": options["start"],
        "peek": options["peek"],
    }
    with call.open(target_from(options), as_name, session) as memory:
        found = memory.run(CONTEXT, values)
    call.reply(wire_context.context(found), found.text)
    _remark(call, found, options["budget"])


def _remark(call: CommandCall, found: Context, budget: int) -> None:
    """Print remarks about the context."""
    if not found.text:
        call.say("nothing fits the budget" if found.left_out else "nothing relevant is stored")
    elif found.left_out:
        left_out = count(found.left_out, "more memory", "more memories")
        call.say(f"{left_out} didn't fit the {budget:,}-token budget")
    if found.redacted:
        call.say(f"removed from the query: {', '.join(found.redacted)}")
    if found.notice:
        call.say(f"note: {found.notice}")


@command(
    "warn",
    'mem warn --command "git push --force"',
    "mem warn --file src/upload/parts.py",
    'mem warn --error "$(tail -n 40 build.log)" --json',
)
@click.option("--command", "command_line", metavar="TEXT", help="A command you are about to run.")
@click.option("--file", "--path", "path", metavar="PATH", help="A file you are about to change.")
@click.option("--error", metavar="TEXT", help="An error you just got.")
@click.option("--repeat", is_flag=True, help="Repeat warnings that this session was given recently.")
@scope_options
@who_options
@click.pass_obj
def warn(
    call: CommandCall,
    command_line: str | None,
    path: str | None,
    error: str | None,
    repeat: bool,
    as_name: str | None,
    session: str | None,
    **options: Unpack[Scoping],
) -> None:
    """Warn about known problems with a command, file or error.

    Searches gotchas, pitfalls, warnings and troubleshooting about the command, file or error, and procedures that
    failed. Prints a line or two; no output means no known problems.
    """
    from memory_layer.doors import wire_context

    values = {"command": command_line, "path": path, "error": error, "repeat": repeat}
    with call.open(target_from(options), as_name, session) as memory:
        warned = memory.run(WARN, values)
    call.reply(wire_context.warned(warned), warned.text)

"""`mem context` and `mem warn`."""

from __future__ import annotations

from typing import Any

import click

from memory_layer.doors.cli.arguments import (
    OneOf,
    budget_option,
    command,
    in_order,
    order_option,
    scope_options,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import count
from memory_layer.model.context import MOST_CHARACTERS, Context, Format
from memory_layer.verbs.give import CONTEXT, WARN

wanted_options = in_order(
    click.option("--task", metavar="TEXT", help="What you are going to do."),
    click.option(
        "--task-id", metavar="TASK", help="A task of `mem tasks`: use its text, and link the memories to it."
    ),
    click.option("--query", metavar="TEXT", help="Also search for this."),
    click.option(
        "--path", "paths", multiple=True, help="Prefer memories that apply to this file; repeatable."
    ),
    budget_option(),
    click.option(
        "--max-characters",
        type=click.IntRange(1),
        default=MOST_CHARACTERS,
        metavar="N",
        help=f"At most this many characters. Default: {MOST_CHARACTERS:,}.",
    ),
    click.option(
        "--format",
        type=OneOf(Format),
        default=Format.MARKDOWN.value,
        help="The format. Default: markdown.",
    ),
    click.option("--compact", is_flag=True, help="Short for --format compact."),
    click.option("--start", is_flag=True, help="Start a session: put the open handoffs first."),
    order_option,
    click.option("--peek", is_flag=True, help="Do not record a recall."),
)


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
def context(call: CommandCall, /, **options: Any) -> None:
    """Print the memories to load before a task.

    First come rules, then what the task and its files need, then the best rule, command, hazard and design decision,
    and up to three procedures, as far as the budget allows. Without a task: rules, preferences, everyday commands, the
    state of the project and hazards. No output means nothing is stored that may be given. A context given to an agent
    is recorded as a recall.
    """
    from memory_layer.doors import wire_context

    if options.pop("compact"):
        if options["format"] not in (Format.MARKDOWN, Format.COMPACT):
            raise click.UsageError(f"use either --compact or --format {options['format']}")
        options["format"] = Format.COMPACT
    with call.open() as memory:
        found = memory.run(CONTEXT, options)
    call.reply(wire_context.context(found), found.text)
    _remark(call, found)


def _remark(call: CommandCall, found: Context) -> None:
    """Print remarks about the context."""
    if not found.text:
        call.say("nothing fits the budget" if found.left_out else "nothing relevant is stored")
    elif found.left_out:
        left_out = count(found.left_out, "more memory", "more memories")
        call.say(f"{left_out} didn't fit the {found.budget:,}-token budget")
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
    call: CommandCall, command_line: str | None, path: str | None, error: str | None, repeat: bool
) -> None:
    """Warn about known problems with a command, file or error.

    Searches dangers, and rules that forbid or demand something, about the command, file or error, and procedures
    that failed. Prints a line or two; no output means no known problems.
    """
    from memory_layer.doors import wire_context

    values = {"command": command_line, "path": path, "error": error, "repeat": repeat}
    with call.open() as memory:
        warned = memory.run(WARN, values)
    call.reply(wire_context.warned(warned), warned.text)

"""`mem context`."""

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
from memory_layer.model.context import BUDGET, MOST_CHARACTERS, Context, Format
from memory_layer.verbs.recall import CONTEXT, WARN

wanted_options = in_order(
    click.option("--task", metavar="TEXT", help="What is going to be done."),
    click.option("--query", metavar="TEXT", help="What else to look for."),
    click.option("--path", multiple=True, help="What applies to this file first; repeatable."),
    click.option(
        "--budget",
        type=click.IntRange(1),
        default=BUDGET,
        metavar="TOKENS",
        help=f"The most the whole text may take; {BUDGET} by default.",
    ),
    click.option(
        "--max-characters",
        type=click.IntRange(1),
        default=MOST_CHARACTERS,
        metavar="N",
        help=f"The most characters, whatever the budget is; {MOST_CHARACTERS:,} by default.",
    ),
    click.option("--format", "form", type=OneOf(Format), default=Format.MARKDOWN.value),
    click.option("--compact", is_flag=True, help="The same as --format compact."),
    click.option("--start", is_flag=True, help="A session begins: put the last handoff first."),
    click.option("--peek", is_flag=True, help="Look without counting as a recall."),
)


class Wanting(Scoping):
    """The options that say what a context is for."""

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
def context(call: CommandCall, as_name: str | None, session: str | None, **given: Unpack[Wanting]) -> None:
    """Give what an agent should know before it begins.

    First what always applies: policies, architecture and preferences of high priority. Then what is present enough
    and fits the task, then up to three procedures, as much of each as the budget holds. An empty answer is a good
    one. What an agent is given is recorded as a recall.
    """
    if given["compact"] and given["form"] not in (Format.MARKDOWN, Format.COMPACT):
        raise click.UsageError(f"--compact and --format {given['form']} are two formats; choose one")
    values = {
        "task": given["task"],
        "query": given["query"],
        "paths": given["path"],
        "budget": given["budget"],
        "max_characters": given["max_characters"],
        "format": Format.COMPACT if given["compact"] else given["form"],
        "start": given["start"],
        "peek": given["peek"],
    }
    with call.open(target_from(given), as_name, session) as memory:
        found = memory.run(CONTEXT, values)
    call.write(call.in_json(_shape(found)) if call.as_json else found.text)
    _remark(call, found)


def _shape(found: Context) -> object:
    from memory_layer.doors import wire_context

    return wire_context.context(found)


def _remark(call: CommandCall, found: Context) -> None:
    """Say what is worth knowing beside the text."""
    if not found.text:
        told = "nothing fits the budget" if found.left_out else "there is nothing to give"
        call.say(told)
    elif found.left_out:
        call.say(f"left out for want of room: {found.left_out}")
    if found.redacted:
        call.say(f"left out of the question: {', '.join(found.redacted)}")
    if found.notice:
        call.say(f"note: {found.notice}")


@command(
    "warn",
    'mem warn --command "git push --force"',
    "mem warn --file src/upload/parts.py",
    'mem warn --error "$(tail -n 40 build.log)" --json',
)
@click.option("--command", "command_line", metavar="TEXT", help="A command that is about to be run.")
@click.option("--file", "--path", "path", metavar="PATH", help="A file that is about to be changed.")
@click.option("--error", metavar="TEXT", help="An error that has just come up.")
@click.option("--repeat", is_flag=True, help="Say also what this session was told a short while ago.")
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
    **given: Unpack[Scoping],
) -> None:
    """Say what is known to go wrong here, in a line or two, or nothing.

    Looks among gotchas, pitfalls, warnings and troubleshooting for what speaks about the command, applies to the file
    or names the error, and among procedures for those that failed. Silence is the usual answer.
    """
    from memory_layer.doors import wire_context

    values = {"command": command_line, "path": path, "error": error, "repeat": repeat}
    with call.open(target_from(given), as_name, session) as memory:
        warned = memory.run(WARN, values)
    call.reply(wire_context.warned(warned), warned.text)

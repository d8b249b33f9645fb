"""`mem warn`."""

from __future__ import annotations

from typing import Unpack

import click

from memory_layer.doors.cli.arguments import Scoping, scope_options, target_from, who_options
from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command
from memory_layer.verbs.recall import WARN


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
    call: Call,
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
    from memory_layer.doors import wire_given

    values = {"command": command_line, "path": path, "error": error, "repeat": repeat}
    with call.open(target_from(given), as_name, session) as memory:
        warned = memory.run(WARN, values)
    call.reply(wire_given.warned(warned), warned.text)

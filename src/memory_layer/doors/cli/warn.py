"""`mem warn`."""

from __future__ import annotations

from typing import Unpack

import click

from memory_layer.doors.cli.arguments import Scoping, asked_from, scope_options, who_options
from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command


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
    from memory_layer.doors.scope import reading
    from memory_layer.model.warning import Action
    from memory_layer.usecases import warn as usecase
    from memory_layer.usecases.layering import Around

    with call.engine() as engine:
        where = reading(engine, asked_from(given), call.here)
        action = Action(command_line, where.inside(path, call.here) if path else path, error)
        writer = call.writer(engine, where, as_name, session)
        around = Around(where.reach, where.project, where.place)
        warned = usecase.warn(engine, action, writer, around, repeat=repeat)
        call.reply(wire_given.warned(warned), warned.text)

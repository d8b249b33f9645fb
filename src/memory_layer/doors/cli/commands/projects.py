"""`mem projects`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command, family, who_options
from memory_layer.doors.cli.call import CommandCall
from memory_layer.verbs.govern import REGISTER_FOLDER, REGISTERED, UNREGISTER_FOLDER, FolderRequest

if TYPE_CHECKING:
    from memory_layer.usecases.who.registered import Registration
    from memory_layer.verbs.call import Verb

_folder = click.argument("folder", metavar="PATH", type=click.Path(path_type=Path))


@family("projects", "mem projects", "mem projects add ~/code/shop", alone=True)
@click.pass_context
def projects(ctx: click.Context) -> None:
    """List the projects, or choose whose files agents may read.

    Shows the short id, name, number of memories and key of each project. A project without a commit for 90 days is
    stale, and its memories rank slightly lower. Registered folders are marked.
    """
    if ctx.invoked_subcommand is None:
        _list(ctx.obj)


def _list(call: CommandCall) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render
    from memory_layer.verbs.look_up import PROJECTS, STALE_PROJECTS

    with call.open() as memory:
        known, idle = memory.run(PROJECTS, {}), memory.run(STALE_PROJECTS, {})
        roots = memory.run(REGISTERED, {})
    rows = [(each, count, each.key in idle, roots.get(each.id, ())) for each, count in known]
    call.reply(
        wire.listed(wire.project(*row) for row in rows), "\n".join(render.project(*row) for row in rows)
    )
    if not known:
        call.say("no projects yet; run `mem add` in a repository to create the first one")


@command("add", "mem projects add ~/code/shop", "mem projects add . --json", of=projects)
@_folder
@who_options
@click.pass_obj
def add(call: CommandCall, folder: Path) -> None:
    """Let agents cite the files of a repository.

    Needs a person at a terminal. The MCP server (`mem mcp`) reads the files of the project in which it was started,
    and of the projects registered here, as far as git tracks or does not ignore them. If an agent cites any other
    file, only the path is stored.
    """
    _change(call, REGISTER_FOLDER, folder)


@command("remove", "mem projects remove ~/code/shop", "mem projects remove . --json", of=projects)
@_folder
@who_options
@click.pass_obj
def remove(call: CommandCall, folder: Path) -> None:
    """Stop agents from citing the files of a repository.

    Needs a person at a terminal. The memories of the project and stored excerpts stay.
    """
    _change(call, UNREGISTER_FOLDER, folder)


def _change(call: CommandCall, verb: Verb[FolderRequest, Registration], folder: Path) -> None:
    from memory_layer.doors import wire

    with call.open() as memory:
        done = memory.run(verb, {"folder": folder})
    word = "registered" if done.registered else "no longer registered:"
    call.reply(wire.plain(done), f"{word} {done.root}")

"""`mem projects`: the known ones, and those whose files agents may read."""

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
    """List the known projects, or say whose files agents may read.

    With the short id, the name and the key of each, and how many live memories it has. One without a commit for 90 days
    is stale: what it knows counts a little less in a search. A registered one is marked.
    """
    if ctx.invoked_subcommand is None:
        _list(ctx.obj)


def _list(call: CommandCall) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render
    from memory_layer.verbs.recall import PROJECTS, STALE_PROJECTS

    with call.open() as memory:
        known, idle = memory.run(PROJECTS, {}), memory.run(STALE_PROJECTS, {})
        roots = memory.run(REGISTERED, {})
    rows = [(each, count, each.key in idle, roots.get(each.id, ())) for each, count in known]
    call.reply([wire.project(*row) for row in rows], "\n".join(render.project(*row) for row in rows))
    if not known:
        call.say("no projects yet; `mem add` inside a repository makes the first one")


@command("add", "mem projects add ~/code/shop", "mem projects add . --json", of=projects)
@_folder
@who_options
@click.pass_obj
def add(call: CommandCall, folder: Path, as_name: str | None, session: str | None) -> None:
    """Let agents cite the files of a repository; only a person at a terminal can.

    A server that agents call (`mem mcp`) reads the files of the project that it was started in, and of those that are
    registered here: what git tracks there or does not ignore. Of any other file that an agent cites, only the path is
    kept.
    """
    _change(call, REGISTER_FOLDER, folder, as_name, session)


@command("remove", "mem projects remove ~/code/shop", "mem projects remove . --json", of=projects)
@_folder
@who_options
@click.pass_obj
def remove(call: CommandCall, folder: Path, as_name: str | None, session: str | None) -> None:
    """Take that back; only a person at a terminal can.

    The memories of the project and the excerpts that were kept stay.
    """
    _change(call, UNREGISTER_FOLDER, folder, as_name, session)


def _change(
    call: CommandCall,
    verb: Verb[FolderRequest, Registration],
    folder: Path,
    as_name: str | None,
    session: str | None,
) -> None:
    from memory_layer.doors import wire

    with call.open(None, as_name, session) as memory:
        done = memory.run(verb, {"folder": folder})
    word = "registered" if done.registered else "not registered any more:"
    call.reply(wire.plain(done), f"{word} {done.root}")

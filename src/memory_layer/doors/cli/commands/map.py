"""`mem map`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.render import count
from memory_layer.model.map import MapState
from memory_layer.verbs.map import LAY_OUT

if TYPE_CHECKING:
    from memory_layer.doors.cli.call import CommandCall
    from memory_layer.model.map import LaidOut


@command("map", "mem map", "mem map --json")
@click.pass_obj
def map_command(call: CommandCall) -> None:
    """Compute the map that the page of `mem serve` shows.

    Memories with a similar meaning lie near each other. The server starts this in the background when somebody looks at
    the map, so you need it only to compute the map in advance. Needs the embedding model.
    """
    from memory_layer.doors import wire

    with call.open() as memory:
        done = memory.run(LAY_OUT, {})
    call.reply(wire.plain(done), _text(done))


def _text(done: LaidOut) -> str:
    if done.state is MapState.COMPUTING:
        return "Another process is computing the map."
    if done.state is MapState.OUTDATED:
        return "The positions could not be kept: the folder beside the store cannot be written."
    memories = count(done.memories, "memory", "memories")
    how = f"all {memories}" if done.anew else f"{done.placed:,} of {memories}"
    lines = [f"placed {how}" if done.placed else f"the map of {memories} is up to date"]
    lines += [f"Not embedded yet: {done.unembedded:,}. Run `mem embed`."] if done.unembedded else []
    return "\n".join(lines)

"""`mem forget`."""

from __future__ import annotations

import click

from memory_layer.doors.cli.arguments import MemoryId, who_options
from memory_layer.doors.cli.call import EXIT_NEEDS_A_DECISION, Call
from memory_layer.doors.cli.command import command
from memory_layer.model.vocabulary import Reason
from memory_layer.verbs.govern import FORGET, FORGET_PREVIEW
from memory_layer.verbs.verb import Dispatcher


@command("forget", "mem forget mem_abc123", "mem forget mem_abc123 mem_def456 --yes")
@click.argument("ids", nargs=-1, required=True, type=MemoryId(), metavar="ID...")
@click.option("--yes", is_flag=True, help="Erase; without it only what would be erased is shown.")
@who_options
@click.pass_obj
def forget(call: Call, ids: tuple[str, ...], yes: bool, as_name: str | None, session: str | None) -> None:
    """Erase memories for good; only a person at a terminal can.

    Text, tags, metadata, citations, vectors, old versions and links go, from the tables and from the bytes of the
    file, and with them the archived memories that were merged into these or skipped for them. An id, counts and
    the digests of the history stay. It cannot be undone. Questions that were searched for belong to their own log
    and stay. So do the same words in another memory or its history, which the preview names. Copies made before
    still hold everything: exports, and the backups that `mem backup --list` shows with their dates. `mem archive`
    only puts a memory aside. With --yes the terminal shows a code to be typed, once in a quarter of an hour.
    """
    with call.open(None, as_name, session) as memory:
        if yes:
            _erase(call, memory, ids)
        elif _preview(call, memory, ids):
            raise click.exceptions.Exit(EXIT_NEEDS_A_DECISION)


def _preview(call: Call, memory: Dispatcher, ids: tuple[str, ...]) -> bool:
    """Show what would be erased; return whether there is anything."""
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import show

    traces = memory.run(FORGET_PREVIEW, {"memory_ids": ids})
    call.reply(wire.would_forget(traces), show.would_forget(traces, call.width))
    left = any(each.memory.reason is not Reason.FORGOTTEN for each in traces)
    if left:
        call.say("this cannot be undone; nothing was erased yet, --yes does it")
    else:
        call.say("forgotten already; nothing of it is left to erase")
    return left


def _erase(call: Call, memory: Dispatcher, ids: tuple[str, ...]) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    def begin(label: str, total: int) -> None:
        what = "erasing;" if total else "forgotten already; only old bytes are cleared again:"
        call.say(f"{what} the file is written anew, which takes a moment")

    done = memory.run(FORGET, {"memory_ids": ids}, begin=begin)
    call.reply(wire.forgotten(done), render.memories(done.memories, memory.engine.now(), call.width))
    if not done.swept:
        call.say(
            "another process uses the store, so its files still hold old bytes; the same again clears them"
        )

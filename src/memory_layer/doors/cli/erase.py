"""`mem forget`."""

from __future__ import annotations

import click

from memory_layer.doors.cli.arguments import MemoryId, who_options
from memory_layer.doors.cli.call import EXIT_NEEDS_A_DECISION, Call
from memory_layer.doors.cli.command import command
from memory_layer.doors.scope import Asked, reading
from memory_layer.model.memory import Writer
from memory_layer.ports import Engine


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
    only puts a memory aside.
    """
    with call.engine() as engine:
        writer = call.writer(engine, reading(engine, Asked(), call.here), as_name, session)
        if yes:
            _erase(call, engine, ids, writer)
        else:
            _preview(call, engine, ids, writer)
    if not yes:
        raise click.exceptions.Exit(EXIT_NEEDS_A_DECISION)


def _preview(call: Call, engine: Engine, ids: tuple[str, ...], writer: Writer) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import record
    from memory_layer.usecases.forget import preview

    traces = preview(engine, ids, writer)
    call.reply(wire.would_forget(traces), record.would_forget(traces, call.width))
    call.say("this cannot be undone; nothing was erased yet, --yes does it")


def _erase(call: Call, engine: Engine, ids: tuple[str, ...], writer: Writer) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render
    from memory_layer.usecases.forget import forget

    call.say("erasing; the file is written anew, which takes a moment")
    done = forget(engine, ids, writer)
    call.reply(wire.forgotten(done), render.memories(done.memories, engine.now(), call.width))
    if not done.swept:
        call.say(
            "another process uses the store, so its files still hold old bytes; the same again clears them"
        )

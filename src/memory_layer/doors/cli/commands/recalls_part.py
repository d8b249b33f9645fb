"""`mem recalls`."""

from __future__ import annotations

import click

from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command
from memory_layer.verbs.recall import RECALL, RECALLS, TEXT_GIVEN


@command("recalls", "mem recalls --limit 5", "mem recalls rec_abc123", "mem recalls --session nightly --json")
@click.argument("recall_id", required=False, metavar="[ID]")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="At most this many; 20 by default."
)
@click.option("--session", metavar="NAME", help="Only what this session was given.")
@click.option("--text", is_flag=True, help="With ID: the text that was given, made again and compared.")
@click.pass_obj
def recalls(call: Call, recall_id: str | None, limit: int, session: str | None, text: bool) -> None:
    """Show what agents were given.

    The last answers, newest first; with ID one of them, with the exact list, and for each memory the score and the
    signals it had then beside what it says now. What a person looked for is not recorded. Looking never counts as use.
    """
    from memory_layer.doors import wire, wire_given
    from memory_layer.doors.cli.commands import recalls

    if recall_id is not None and session is not None:
        raise click.UsageError("--session lists answers; it takes no ID")
    if text and recall_id is None:
        raise click.UsageError("--text needs the ID of one answer")
    with call.open() as memory:
        now = memory.engine.now()
        if text:
            again = memory.run(TEXT_GIVEN, {"recall_id": recall_id})
            call.reply(wire_given.reproduced(again), again.text)
            if not again.same:
                call.say("this is not the text that was given: a memory of it was erased or lost since")
            return
        if recall_id is not None:
            one = memory.run(RECALL, {"recall_id": recall_id})
            call.reply(wire.recall(one), recalls.one(one, now, call.width))
            return
        listed = memory.run(RECALLS, {"session": session, "limit": limit})
    call.reply(wire.recalls(listed), recalls.several(listed, now, call.width))
    if not listed:
        call.say(
            "no agent has been given anything yet" if session is None else "nothing was given in this session"
        )

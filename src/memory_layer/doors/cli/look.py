"""`mem show`, `mem list` and `mem stats`."""

from __future__ import annotations

from typing import Unpack

import click

from memory_layer.doors.cli.arguments import (
    Filtering,
    MemoryId,
    Scoping,
    asked_from,
    filter_options,
    filters_from,
    scope_options,
    who_options,
)
from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command
from memory_layer.doors.scope import Asked, reading
from memory_layer.model.query import Filters, Reach
from memory_layer.usecases.browse import SORTS


@command("show", "mem show mem_abc123", "mem show abc123 --json")
@click.argument("memory_id", type=MemoryId(), metavar="ID")
@click.option("--peek", is_flag=True, help="Look without counting as use.")
@who_options
@click.pass_obj
def show(call: Call, memory_id: str, peek: bool, as_name: str | None, session: str | None) -> None:
    """Show one memory in full.

    With its links and the reports about it. Opened by an agent it counts as used, opened by a person it does not.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import record
    from memory_layer.usecases import browse

    with call.engine() as engine:
        where = reading(engine, Asked(), call.here)
        details = browse.show(
            engine, memory_id, call.writer(engine, where, as_name, session), peek, where.place
        )
        call.reply(wire.details(details), record.details(details, engine.now(), call.width))


@command("list", "mem list --limit 20 --sort score", "mem list -c gotcha --after 30d --json")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="At most this many; 20 by default."
)
@click.option("--sort", type=click.Choice(SORTS), default="created", help="Newest or highest first.")
@click.option("--from", "start", metavar="PLACE", help="Go on where the last list ended.")
@scope_options
@filter_options
@click.pass_obj
def list_command(call: Call, limit: int, sort: str, start: str | None, **given: Unpack[Filtering]) -> None:
    """List memories.

    Those of the project of the working directory and the global ones, unless asked for others.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render
    from memory_layer.usecases import browse

    with call.engine() as engine:
        where = reading(engine, asked_from(given), call.here)
        filters = filters_from(engine, where, given, call.here)
        page = browse.list_memories(engine, filters, sort, limit, start)
        call.reply(wire.page(page), render.memories(page.items, engine.now(), call.width))
    if page.next:
        call.say(f"{page.total:,} in all; go on with --from {page.next}")
    if not page.items:
        call.say("no memories")


@command("stats", "mem stats", "mem stats --project . --json")
@scope_options
@click.pass_obj
def stats(call: Call, **given: Unpack[Scoping]) -> None:
    """Show how much is stored and how it fared.

    Over the whole store, unless a project (with the global memories) or --global is asked for.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import record
    from memory_layer.usecases import browse
    from memory_layer.usecases.review import review

    asked = asked_from(given)
    with call.engine() as engine:
        if asked == Asked():
            asked = Asked(everything=True)
        where = reading(engine, asked, call.here)
        filters = Filters(reach=where.reach, project=where.project_id)
        totals, left = (
            browse.stats(engine, filters),
            0 if call.as_json else review(engine, filters, limit=1).total,
        )
    call.reply(wire.stats(totals), record.stats(totals, call.settings.archive_below))
    if left:
        wide = {Reach.ALL: " --all", Reach.GLOBAL: " --global"}.get(where.reach, "")
        wide = f" --project {given['project']}" if given["project"] else wide
        call.say(f"{left:,} {'waits' if left == 1 else 'wait'} for you: mem review{wide}")

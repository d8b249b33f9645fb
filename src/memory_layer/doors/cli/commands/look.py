"""`mem show`, `mem list` and `mem stats`."""

from __future__ import annotations

from typing import Unpack

import click

from memory_layer.doors.cli.arguments import (
    Filtering,
    MemoryId,
    Scoping,
    filter_options,
    filters_from,
    scope_options,
    target_from,
    who_options,
)
from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command
from memory_layer.model.query import SORTS
from memory_layer.verbs.recall import LIST, SHOW, STATS
from memory_layer.verbs.scope import Target


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
    from memory_layer.doors.cli.commands import show

    with call.open(None, as_name, session) as memory:
        details = memory.run(SHOW, {"memory_id": memory_id, "peek": peek})
        call.reply(wire.details(details), show.details(details, memory.engine.now(), call.width))


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

    values = {"filters": filters_from(given), "sort": sort, "limit": limit, "after": start}
    with call.open(target_from(given)) as memory:
        page = memory.run(LIST, values)
        call.reply(wire.page(page), render.memories(page.items, memory.engine.now(), call.width))
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
    from memory_layer.doors.cli.commands import show
    from memory_layer.verbs.govern import REVIEW

    target = target_from(given)
    target = Target(everything=True) if target == Target() else target
    with call.open(target) as memory:
        totals = memory.run(STATS, {})
        left = 0 if call.as_json else memory.run(REVIEW, {"limit": 1}).total
    call.reply(wire.stats(totals), show.stats(totals, call.settings.archive_below))
    if left:
        wide = " --all" if target.everything else " --global"
        wide = f" --project {target.project}" if target.project else wide
        call.say(f"{left:,} {'waits' if left == 1 else 'wait'} for you: mem review{wide}")

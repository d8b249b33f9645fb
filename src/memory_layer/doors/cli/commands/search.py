"""`mem search` and `mem why`."""

from __future__ import annotations

from typing import Any

import click

from memory_layer.doors.cli.arguments import (
    command,
    filter_options,
    question_from,
    question_options,
    scope_options,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import count
from memory_layer.model.query import Found
from memory_layer.verbs.recall import SEARCH, WHY


@command(
    "search", 'mem search "naming conventions" --limit 5', 'mem search "flaky upload" -c gotcha --all --json'
)
@question_options
@click.option(
    "--budget", type=click.IntRange(1), metavar="TOKENS", help="At most this many tokens. Default: no limit."
)
@click.option("--nearest", is_flag=True, help="Also show what is too far from the query to be an answer.")
@click.option("--explain", is_flag=True, help="Show how each score is made up.")
@click.option("--peek", is_flag=True, help="Do not record a recall.")
@click.option("--full", is_flag=True, help="With --json: print every field of each memory.")
@scope_options
@filter_options
@who_options
@click.pass_obj
def search(
    call: CommandCall,
    /,
    budget: int | None,
    nearest: bool,
    explain: bool,
    peek: bool,
    full: bool,
    **options: Any,
) -> None:
    """Search the memories.

    Searches the project of the current directory and the global memories. In keyword mode, quoted phrases match
    exactly. Each result is a strong, likely or weak match; a query that nothing answers finds nothing. Results given
    to an agent are recorded as a recall; searches by a person are not.
    """
    with call.open() as memory:

        def shown(found: Found) -> str:
            if call.as_json:
                from memory_layer.doors import wire

                return call.in_json(wire.found(found, explain=explain, full=full))
            from memory_layer.doors.cli import render

            text = render.hits(found, memory.engine.now(), call.width, explain=explain)
            return text if call.width else click.unstyle(text)  # the budget counts what is printed

        values = question_from(options) | {"budget": budget, "nearest": nearest, "peek": peek}
        found = memory.run(SEARCH, values, measure=shown)
        call.write(shown(found))
        hint = "" if nearest else "; --nearest shows what comes closest"
        _remark(call, found, hint)
        if found.duplicates:
            call.say(f"{count(found.duplicates, 'duplicate')} left out; see `mem why`")


@command("why", 'mem why "naming conventions"', 'mem why "deploy fails" --limit 3 --json')
@question_options
@scope_options
@filter_options
@click.pass_obj
def why(call: CommandCall, /, **options: Any) -> None:
    """Explain the results of a search, and what it left out.

    Shows each result with the value of every signal and its share of the score, and each near miss with the reason
    it was left out. Never counts as use.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    with call.open() as memory:
        found = memory.run(WHY, question_from(options))
        call.reply(wire.explained(found), render.explained(found, memory.engine.now(), call.width))
        _remark(call, found)


def _remark(call: CommandCall, found: Found, hint: str = "") -> None:
    """Print remarks about a search."""
    if found.cut and not found.hits:
        call.say(f"nothing shown: even the best of {count(found.cut, 'result')} doesn't fit the budget")
    elif found.cut:
        call.say(f"{count(found.cut, 'more result')} didn't fit the budget")
    elif not found.hits:
        call.say(f"nothing stored answers this{hint}")
    if found.group_by is not None and found.hits and all(hit.group is None for hit in found.hits):
        call.say(f"none of these has {found.group_by!r}, so they are not grouped")
    if found.redacted:
        call.say(f"removed from the query: {', '.join(found.redacted)}")
    if found.notice:
        call.say(f"note: {found.notice}")

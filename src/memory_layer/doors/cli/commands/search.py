"""`mem search` and `mem why`."""

from __future__ import annotations

from typing import Unpack

import click

from memory_layer.doors.cli.arguments import (
    Asking,
    command,
    filter_options,
    question_from,
    question_options,
    scope_options,
    target_from,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.model.query import Found
from memory_layer.verbs.recall import SEARCH, WHY


@command(
    "search", 'mem search "naming conventions" --limit 5', 'mem search "flaky upload" -c gotcha --all --json'
)
@question_options
@click.option(
    "--budget", type=click.IntRange(1), metavar="TOKENS", help="The most the whole answer may take."
)
@click.option("--explain", is_flag=True, help="Show where each score comes from.")
@click.option("--peek", is_flag=True, help="Look without counting as a recall.")
@click.option("--full", is_flag=True, help="With --json: every field of each memory.")
@scope_options
@filter_options
@who_options
@click.pass_obj
def search(
    call: CommandCall,
    budget: int | None,
    explain: bool,
    peek: bool,
    full: bool,
    as_name: str | None,
    session: str | None,
    **given: Unpack[Asking],
) -> None:
    """Find the memories that fit a question.

    Looks at the project of the working directory and at the global memories. Quoted phrases match exactly in
    keyword mode. What an agent is given is recorded as a recall; what a person looks at is not.
    """
    with call.open(target_from(given), as_name, session) as memory:

        def shown(found: Found) -> str:
            if call.as_json:
                from memory_layer.doors import wire

                return call.in_json(wire.found(found, explain=explain, full=full))
            from memory_layer.doors.cli import render

            text = render.hits(found, memory.engine.now(), call.width, explain=explain)
            return text if call.width else click.unstyle(text)  # the budget counts what is really written

        found = memory.run(SEARCH, question_from(given) | {"budget": budget, "peek": peek}, measure=shown)
        call.write(shown(found))
        _remark(call, found, "; `mem why` shows what came near")
        if found.duplicates:
            call.say(f"left out as duplicates of better ones: {found.duplicates}; `mem why` names them")


@command("why", 'mem why "naming conventions"', 'mem why "deploy fails" --limit 3 --json')
@question_options
@scope_options
@filter_options
@click.pass_obj
def why(call: CommandCall, **given: Unpack[Asking]) -> None:
    """Explain what a search returns, and what it leaves out.

    Each result comes with the value of every signal and its share of the score, and each near miss with the
    reason why it was left out. Looking never counts as use.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    with call.open(target_from(given)) as memory:
        found = memory.run(WHY, question_from(given))
        call.reply(wire.explained(found), render.explained(found, memory.engine.now(), call.width))
        _remark(call, found)


def _remark(call: CommandCall, found: Found, way_on: str = "") -> None:
    """Say what is worth knowing beside the answer."""
    if found.cut:
        left = "but not even the best fits the budget" if not found.hits else "that did not fit the budget"
        call.say(f"{found.cut} {'more ' if found.hits else ''}found, {left}")
    elif not found.hits:
        call.say(f"nothing found{way_on}")
    if found.group_by is not None and found.hits and all(hit.group is None for hit in found.hits):
        call.say(f"none of these has {found.group_by!r} to group by, so each stands for itself")
    if found.redacted:
        call.say(f"left out of the question: {', '.join(found.redacted)}")
    if found.notice:
        call.say(f"note: {found.notice}")

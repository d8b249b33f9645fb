"""`mem` without a command: an overview of the current project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memory_layer.doors import wire
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import age, count, field, one_line
from memory_layer.model.overview import CONNECT, LATELY_DAYS
from memory_layer.model.query import EXPIRING_DAYS
from memory_layer.model.vocabulary import FAMILIES
from memory_layer.usecases.who.privacy import pause_sentence
from memory_layer.verbs.look_up import OVERVIEW

if TYPE_CHECKING:
    from memory_layer.model.episodes import Handoff
    from memory_layer.model.overview import NextStep, Overview

MOST_LINES = 5  #: of a handoff
LONGEST_LINE = 76  #: characters of a line of a handoff
FIRST_STEPS = "`mem import` finds rules files such as CLAUDE.md, `mem add` stores a memory"


def show_overview(call: CommandCall) -> None:
    """Print the overview, or how to begin where nothing is stored."""
    with call.open() as memory:
        found = _for_connected(call, memory.run(OVERVIEW, {}))
        now = memory.engine.now()
    call.reply(wire.overview(found), overview_text(found, now))
    if paused := pause_sentence(call.settings.state_folder, now):
        call.say(paused)


def _for_connected(call: CommandCall, found: Overview) -> Overview:
    """Leave out the advice to connect agents where one is connected."""
    from memory_layer.agents.kept import has_notes

    steps = tuple(step for step in found.next if step.command != CONNECT)
    return found._replace(next=steps) if has_notes(call.settings.state_folder) else found


def overview_text(overview: Overview, now: datetime) -> str:
    """Show an overview in sections; of an empty store only how to begin."""
    steps = list(_steps(overview.next))
    if not overview.stats.size_bytes:
        return "\n".join(line.strip() for line in steps)
    sections = (
        ("Known", _known(overview)),
        ("Waiting", _waiting(overview)),
        (f"Last {LATELY_DAYS} days", _lately(overview)),
        (f"Last session, {age(overview.handoff.at, now)}", _left(overview.handoff))
        if overview.handoff
        else ("", []),
        ("Next", steps),
    )
    blocks = [_head(overview)]
    blocks += ["\n".join([click.style(name, bold=True), *lines]) for name, lines in sections if lines]
    return "\n\n".join(blocks)


def _head(overview: Overview) -> str:
    stats = overview.stats
    place = f"project {field(stats.project)} and global" if stats.project else "global"
    return f"{count(stats.total, 'memory', 'memories')} ({place}), {stats.active:,} active"


def _known(overview: Overview) -> list[str]:
    """Count each family that occurs."""
    known = overview.stats.known
    numbers = {family: sum(known.get(each, 0) for each in FAMILIES[family]) for family in FAMILIES}
    found = [f"{family} {number:,}" for family, number in numbers.items() if number]
    return [f"  {', '.join(found)}"] if found else []


def _waiting(overview: Overview) -> list[str]:
    kinds = [f"{number:,} {kind}" for kind, number in overview.waiting.items() if number]
    lines = [f"  {sum(overview.waiting.values()):,} for review: {', '.join(kinds)}"] if kinds else []
    soon = overview.stats.expiring
    return lines + ([f"  {soon:,} expire{'s' * (soon == 1)} within {EXPIRING_DAYS} days"] if soon else [])


def _lately(overview: Overview) -> list[str]:
    found = [f"{number:,} {result}" for result, number in overview.recent_outcomes.items() if number]
    return [f"  {', '.join(found)}"] if found else []


def _left(left: Handoff) -> list[str]:
    """Show what a handoff says is next, open and done, in a few lines."""
    parts = (("next", left.next), ("open", left.questions), ("done", left.done))
    lines = [one_line(text) for text in left.text.splitlines() if text.strip()]
    lines += [f"{name}: {one_line(text)}" for name, texts in parts for text in texts]
    cut = [
        f"  {field(line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + '…')}" for line in lines
    ]
    return cut[:MOST_LINES]


def _steps(steps: Sequence[NextStep]) -> Iterator[str]:
    widest = max((len(step.command) for step in steps), default=0)
    for step in steps:
        yield f"  {click.style(f'{step.command:<{widest}}', fg='cyan')}  {step.why}"

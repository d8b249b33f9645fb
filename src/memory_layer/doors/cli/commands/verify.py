"""`mem verify`: check what memories cite."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import MemoryId, who_options
from memory_layer.doors.cli.call import Call, bars
from memory_layer.doors.cli.command import command
from memory_layer.verbs.scope import Target
from memory_layer.verbs.upkeep import VERIFY

if TYPE_CHECKING:
    from memory_layer.model.sources import Finding, Verified

MOST_SHOWN = 20  #: citations of one state


@command("verify", "mem verify", "mem verify --project . --dry-run", "mem verify mem_abc123 --json")
@click.argument("ids", nargs=-1, type=MemoryId(), metavar="[ID]...")
@click.option("--dry-run", is_flag=True, help="Only say how the sources stand.")
@click.option("-p", "--project", metavar="PATH|NAME|KEY", help="Only what belongs to this project.")
@click.option("--all", "everything", is_flag=True, help="What belongs to any project.")
@who_options
@click.pass_obj
def verify(
    call: Call,
    ids: tuple[str, ...],
    dry_run: bool,
    project: str | None,
    everything: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Check whether what memories cite is still there.

    Looks at the project of the working directory, unless asked for others. A source is fresh, moved, changed, missing
    or unverifiable. Citations of lines that moved follow them, which `mem undo` takes back; memories whose source
    changed or is missing wait in `mem review`. Only files of the project are read, and no address is fetched.
    """
    from memory_layer.doors import wire

    values = {"memory_ids": ids, "everything": everything, "dry_run": dry_run}
    with call.open(Target(project), as_name, session, trial=dry_run) as memory, bars() as begin:
        done = memory.run(VERIFY, values, begin=begin)
    call.reply(wire.verified(done), _told(done))


def _told(done: Verified) -> str:
    """What is not where it was, the first of each state where they are many, and the sums."""
    from memory_layer.doors.cli.render import count, short_id

    if not done.memories:
        return "no memory cites anything"
    lines: list[str] = []
    for state, group in groupby(done.findings, key=lambda each: each.check.state):
        some = list(group)
        lines += map(_line, some[:MOST_SHOWN])
        if len(some) > MOST_SHOWN:
            lines.append(f"… and {len(some) - MOST_SHOWN:,} more {state}; `--json` lists all")
    sums = ", ".join(f"{number:,} {state}" for state, number in done.counts.items() if number)
    lines.append(f"{count(sum(done.counts.values()), 'citation')} of {_memories(done.memories)}: {sums}")
    if done.operation:
        lines.append(f"`mem undo {short_id(done.operation)}` puts the citations that moved back")
    if any(each.check.state.drifted for each in done.findings) and not done.dry_run:
        lines.append("what changed or is missing waits in `mem review --kind drifted`")
    return "\n".join(lines)


def _memories(number: int) -> str:
    from memory_layer.doors.cli.render import count

    return count(number, "memory", "memories")


def _line(finding: Finding) -> str:
    from memory_layer.doors.cli.render import short_id, source, state, visible

    check = finding.check
    now = f" to {source(check.now)}" if check.now else ""
    told = f"{source(check.citation)}{now}"
    return f"{short_id(finding.memory)}  {state(check.state):<7}  {told}  {visible(finding.content)}"

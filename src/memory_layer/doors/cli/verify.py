"""`mem verify`: check what memories cite."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import MemoryId, who_options
from memory_layer.doors.cli.call import Call, progress
from memory_layer.doors.cli.command import command
from memory_layer.doors.scope import Asked, reading
from memory_layer.errors import NotFound

if TYPE_CHECKING:
    from memory_layer.model.memory import Project
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
    if bool(ids) + (project is not None) + everything > 1:
        raise click.UsageError("choose one: memories by their ids, a project, or --all")
    from memory_layer.doors import wire
    from memory_layer.usecases import verify as use

    with call.engine(trial=dry_run) as engine:
        here = reading(engine, Asked(), call.here)
        writer = call.writer(engine, here, as_name, session)
        there = here if project is None else reading(engine, Asked(project=project), call.here)
        named = None if ids or everything else _known(there.project, project)
        with progress(use.citing(engine, ids, named), "Checking") as advance:
            done = use.verify(
                engine, writer, ids=ids, project=named, place=there.place, dry_run=dry_run, progress=advance
            )
    call.reply(wire.verified(done), _told(done))


def _known(found: Project | None, name: str | None) -> Project:
    if found is None:
        other = f"the project {name[:80]!r}" if name else "the project here; --all checks every project"
        raise NotFound(f"nothing was ever stored for {other}")
    return found


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

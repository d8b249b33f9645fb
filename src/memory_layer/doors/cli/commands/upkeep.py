"""`mem consolidate`: keep the store tidy."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import who_options
from memory_layer.doors.cli.call import Call, bars
from memory_layer.doors.cli.command import command
from memory_layer.verbs.scope import Target
from memory_layer.verbs.upkeep import CONSOLIDATE

if TYPE_CHECKING:
    from memory_layer.model.upkeep import Consolidated, Step

MOST_SHOWN = 20  #: steps of one kind

#: What each deed is called in a sum: what would be done, what was, and to what.
_SUMS = {
    "finish": ("finish", "finished", "{} that a dead writer left"),
    "archive": ("archive", "archived", "{}"),
    "merge": ("merge", "merged", "{} into others that say the same"),
    "review": ("put", "put", "{} up for review"),
    "follow": ("follow", "followed", "the moved sources of {}"),
    "drift": ("put", "put", "{} with a changed or missing source up for review"),
    "promote": ("raise", "raised", "the priority of {}"),
    "suggest": ("suggest", "suggested", "{}"),
}


@command("consolidate", "mem consolidate --dry-run", "mem consolidate", "mem consolidate --if-due --json")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--if-due", is_flag=True, help="Only if a week has passed; else do and say nothing.")
@click.option("-p", "--project", metavar="PATH|NAME|KEY", help="Only what belongs to this project.")
@who_options
@click.pass_obj
def consolidate(
    call: Call, dry_run: bool, if_due: bool, project: str | None, as_name: str | None, session: str | None
) -> None:
    """Keep the store tidy.

    Archives what has expired or what nobody has touched for long, merges memories that say the same, puts pairs that
    nearly do up for review, checks what is cited, raises what was confirmed three times, and suggests what recurs: a
    text of three projects for all of them, and what keeps failing as a pitfall. Nothing is reworded, and what a person
    wrote, approved or made a rule is not hidden. `mem undo` takes all of it back.
    """
    from memory_layer.doors import wire

    with call.open(Target(project), as_name, session, trial=dry_run) as memory, bars() as begin:
        done = memory.run(CONSOLIDATE, {"dry_run": dry_run, "if_due": if_due}, begin=begin)
    if done is None:
        return
    call.reply(wire.consolidated(done), _told(done))
    if done.notice:
        call.say(f"note: {done.notice}")


def _told(done: Consolidated) -> str:
    """Every step in a line, the first of each kind where they are many, and the sums."""
    sums = [_sum(deed, count, done.dry_run) for deed, count in done.counts.items() if count]
    if not sums:
        return "there is nothing to tidy"
    lines: list[str] = []
    for _, group in groupby(done.steps, key=lambda step: step.deed):
        some = list(group)
        lines += [_line(step) for step in some[:MOST_SHOWN]]
        if more := len(some) - MOST_SHOWN:
            lines += [f"… and {more:,} more to {some[0].deed}; `--json` lists all"] if more > 0 else []
    lines.append(("would " if done.dry_run else "") + ", ".join(sums))
    if done.operation:
        from memory_layer.doors.cli.render import short_id

        lines.append(f"`mem undo {short_id(done.operation)}` takes it back")
    return "\n".join(lines)


def _line(step: Step) -> str:
    from memory_layer.doors.cli.render import short_id, visible, with_short_ids

    name = short_id(step.memory) if step.memory else "(new)"
    reason = with_short_ids(visible(step.reason))
    return f"{name:<12}  {step.deed:<7}  {visible(step.content)}  ({reason})"


def _sum(deed: str, number: int, dry_run: bool) -> str:
    from memory_layer.doors.cli.render import count

    would, did, what = _SUMS[deed]
    many = count(number, "pair") if deed == "review" else count(number, "memory", "memories")
    return f"{would if dry_run else did} {what.format(many)}"

"""`mem sync`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command, project_option, who_options
from memory_layer.doors.cli.call import CommandCall, bars
from memory_layer.doors.cli.render import count, short_id
from memory_layer.verbs.transfer import SYNC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory_layer.model.imports import Skipped
    from memory_layer.model.sync import SyncReport

SHOWN = 12  #: lines about files or memories; --json has all of them


@command("sync", "mem sync .memories", "mem sync .memories --dry-run")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
@project_option("Share the memories of this project. Default: the one around the current directory.")
@who_options
@click.pass_obj
def sync(call: CommandCall, folder: Path, dry_run: bool) -> None:
    """Share a project's memories through a folder in its git repository.

    Writes what is new here to DIR, one text file for each revision of a memory, and imports what others have written
    there. Commit and merge DIR like any other folder: its files never conflict. A text that was changed on both sides
    is kept twice and waits in `mem review`. Imported memories are trusted no more than an agent's, and change nothing
    that a person here wrote or approved. Events, outcomes, approvals, secrets, global memories and whatever waits for
    review stay here.
    """
    from memory_layer.doors import wire

    with call.open(trial=dry_run) as memory, bars() as begin:
        values = {"folder": folder, "dry_run": dry_run}
        report = memory.run(SYNC, values, target=call.target, begin=begin)
    call.reply(wire.plain(report), summary(report))
    for line in remarks(report):
        call.say(line)


def summary(report: SyncReport) -> str:
    """Sum up a sync, one line for the folder and one for the store."""
    would = "would be " if report.dry_run else ""
    lines = [
        f"{report.folder}: {count(report.written, 'file')} {would}written,"
        f" {count(report.removed, 'superseded file')} {would}deleted"
    ]
    parts = (
        (report.added, "added"),
        (report.updated, "updated"),
        (report.archived, "archived"),
        (report.conflicts, "changed on both sides: both texts are kept and wait in `mem review`"),
        (report.staged, "not active yet: need your approval (`mem review`)"),
        (report.withheld, "not written: a secret, or waiting for a person"),
        (len(report.skipped), "skipped"),
    )
    return "\n".join([*lines, *(f"  {number:,} {words}" for number, words in parts if number)])


def remarks(report: SyncReport) -> list[str]:
    """List what was skipped or not applied, and how to undo the sync."""
    lines = [*_listed("skipped", report.skipped), *_listed("note:", report.notes)]
    if report.operation:
        lines.append(f"Undo: `mem undo {short_id(report.operation)}`")
    if report.dry_run:
        lines.append("Dry run: nothing changed. Run without --dry-run to apply.")
    return lines


def _listed(word: str, items: Sequence[Skipped]) -> list[str]:
    lines = [f"{word} {each.where}: {each.why}" for each in items[:SHOWN]]
    rest = len(items) - SHOWN
    return [*lines, f"{word} {rest:,} more; --json lists all"] if rest > 0 else lines

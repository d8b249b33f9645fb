"""`mem backup` and `mem doctor`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import who_options
from memory_layer.doors.cli.call import (
    EXIT_FAILED,
    EXIT_NEEDS_A_DECISION,
    EXIT_STORE_UNAVAILABLE,
    Call,
    in_percent,
    progress,
)
from memory_layer.doors.cli.command import command
from memory_layer.doors.cli.commands.new_file import NewFile
from memory_layer.errors import InvalidInput

if TYPE_CHECKING:
    from memory_layer.model.memory import Writer


@command("backup", "mem backup", "mem backup --restore ~/memories-of-monday.db --yes")
@click.argument("file", required=False, type=NewFile("`mem backup --list` lists the backups"))
@click.option("--list", "listing", is_flag=True, help="Show the backups beside the store.")
@click.option(
    "--restore", "source", type=click.Path(path_type=Path), metavar="FILE", help="Put this one back."
)
@click.option("--yes", is_flag=True, help="Restore; without it only what would be replaced is shown.")
@click.option(
    "--accept-broken-history",
    is_flag=True,
    help="Restore even if its history does not hold, or memories do not fit it.",
)
@who_options
@click.pass_obj
def backup(
    call: Call,
    file: Path | None,
    listing: bool,
    source: Path | None,
    yes: bool,
    accept_broken_history: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Save the whole store, list what was saved, or put it back.

    Saves into FILE, or into the folder `backups` beside the store under a name with the time. Others go on working
    meanwhile; no file is ever written over; what was saved is checked before it is called saved. Restoring
    needs a person at a terminal. It replaces everything in the store, and keeps the store as it was as one more
    backup. A backup still holds what was forgotten after it was made. `mem restore` is something else: it brings one
    archived memory back.
    """
    if sum((file is not None, listing, source is not None)) > 1:
        raise InvalidInput("name a file to save to, or --list, or --restore FILE; one at a time")
    if (yes or accept_broken_history) and source is None:
        raise InvalidInput("--yes and --accept-broken-history belong to --restore FILE")
    if listing:
        _list(call)
    elif source is not None:
        _restore(call, source, yes, accept_broken_history, _writer(call, as_name, session))
    else:
        _save(call, file)


def _save(call: Call, file: Path | None) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import health
    from memory_layer.usecases.upkeep import backup as usecase
    from memory_layer.wiring import open_vault

    place = None if file is None else call.here / file
    with progress(100, "Saving") as advance:
        saved = usecase.backup(open_vault(call.settings), place, datetime.now(UTC), in_percent(advance))
    call.reply(wire.plain(saved), health.saved(saved))
    for flaw in saved.flaws:
        call.say(f"note: the store itself has a flaw, and so has the copy: {flaw}; `mem doctor` says more")


def _list(call: Call) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import health
    from memory_layer.usecases.upkeep import backup as usecase
    from memory_layer.wiring import open_vault

    found = usecase.backups(open_vault(call.settings))
    call.reply(wire.plain(found), health.listed(found))
    if not found:
        call.say("no backups yet; `mem backup` makes one")


def _restore(call: Call, source: Path, yes: bool, accept_broken_history: bool, writer: Writer) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import health
    from memory_layer.usecases.upkeep import backup as usecase
    from memory_layer.wiring import open_vault

    vault, file = open_vault(call.settings), call.here / source
    if not yes:
        seen = usecase.preview(vault, file, writer)
        call.reply(wire.plain(seen), health.restoring(seen))
        broken = usecase.broken_history(seen.after)
        how = "--yes --accept-broken-history does it all the same" if broken else "--yes does it"
        call.say(f"nothing was replaced yet, {how}; the store as it is would be kept as a backup")
        raise click.exceptions.Exit(EXIT_NEEDS_A_DECISION)
    done = usecase.restore(
        vault, file, writer, datetime.now(UTC), accept_broken_history=accept_broken_history
    )
    call.reply(wire.plain(done), health.restoring(done))


def _writer(call: Call, as_name: str | None, session: str | None) -> Writer:
    from memory_layer.usecases.who.identify import identify

    now = datetime.now(UTC)
    return identify(
        call.settings,
        now,
        door="cli",
        as_name=as_name,
        session=session,
        terminal=call.terminal,
        confirmed=call.is_confirmed(now),
    )


@command("doctor", "mem doctor", "mem doctor --fix --json")
@click.option("--fix", is_flag=True, help="Repair what can be repaired; the store as it was is kept.")
@click.pass_obj
def doctor(call: Call, fix: bool) -> None:
    """Examine the store for damage, and repair it.

    Looks at every record, index, counter, vector, reference and page, at the history, at who may open the files, and
    at the model. Without --fix nothing is changed. With it the store is copied first, and a repair that would make
    anything worse is taken back. The exit code is 0 when all is well or repaired, 1 when problems are left, and 5
    when the store cannot be opened at all.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import health
    from memory_layer.usecases.upkeep.doctor import STEPS, examine, treat
    from memory_layer.wiring import practice

    with progress(STEPS, "Examining") as advance:
        found = (treat if fix else examine)(practice(call.settings, "cli"), advance)
    call.reply(wire.plain(found), health.diagnosis(found, call.width))
    if not found.opens:
        raise click.exceptions.Exit(EXIT_STORE_UNAVAILABLE)
    if found.problems:
        raise click.exceptions.Exit(EXIT_FAILED)

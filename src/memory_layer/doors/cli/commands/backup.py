"""`mem backup` and `mem doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command, who_options
from memory_layer.doors.cli.call import (
    EXIT_FAILED,
    EXIT_NEEDS_A_DECISION,
    EXIT_STORE_UNAVAILABLE,
    CommandCall,
    in_percent,
    progress,
)
from memory_layer.doors.cli.commands.show import size
from memory_layer.doors.cli.commands.transfer import NewFile
from memory_layer.doors.cli.render import INDENT, wrapped
from memory_layer.errors import InvalidInput
from memory_layer.model.upkeep import Check, State

if TYPE_CHECKING:
    from memory_layer.model.memory import Writer
    from memory_layer.ports.files import BackupFile, Contents
    from memory_layer.usecases.upkeep.backup import Restoring
    from memory_layer.usecases.upkeep.doctor import Diagnosis

#: The name and colour of each state.
WORDS = {
    State.OK: ("ok", "green"),
    State.NOTICE: ("notice", "yellow"),
    State.PROBLEM: ("problem", "red"),
    State.REPAIRED: ("repaired", "green"),
    State.CANNOT_REPAIR: ("cannot repair", "red"),
    State.NOT_CHECKED: ("not checked", "yellow"),
}
STATE_WIDTH = max(len(word) for word, _ in WORDS.values())
NAME_WIDTH = 12
SHORT_HASH = 12


@command("backup", "mem backup", "mem backup --restore ~/memories-of-monday.db --yes")
@click.argument("file", required=False, type=NewFile("`mem backup --list` lists the backups"))
@click.option("--list", "listing", is_flag=True, help="List the backups next to the store.")
@click.option(
    "--restore", "source", type=click.Path(path_type=Path), metavar="FILE", help="Restore this backup."
)
@click.option("--yes", is_flag=True, help="Restore. Default: only show what would be replaced.")
@click.option(
    "--accept-broken-history",
    is_flag=True,
    help="Restore even if its history is broken or does not match its memories.",
)
@who_options
@click.pass_obj
def backup(
    call: CommandCall,
    file: Path | None,
    listing: bool,
    source: Path | None,
    yes: bool,
    accept_broken_history: bool,
) -> None:
    """Back up the store, list the backups, or restore one.

    Saves to FILE, or to the folder `backups` next to the store under a name with the time. The store stays usable
    meanwhile, no file is overwritten, and the backup is checked before it is reported as saved. Restoring needs a
    person at a terminal: it replaces the whole store and keeps the old one as another backup. A backup still holds
    memories that were forgotten later. To restore a single archived memory, use `mem restore`.
    """
    if sum((file is not None, listing, source is not None)) > 1:
        raise InvalidInput("use only one of FILE, --list and --restore FILE")
    if (yes or accept_broken_history) and source is None:
        raise InvalidInput("--yes and --accept-broken-history need --restore FILE")
    if listing:
        _list(call)
    elif source is not None:
        _restore(call, source, yes, accept_broken_history, _writer(call))
    else:
        _save(call, file)


def _save(call: CommandCall, file: Path | None) -> None:
    from memory_layer.doors import wire
    from memory_layer.usecases.upkeep import backup as usecase
    from memory_layer.wiring import open_vault

    place = None if file is None else call.here / file
    with progress(100, "Saving") as advance:
        saved = usecase.backup(open_vault(call.settings), place, datetime.now(UTC), in_percent(advance))
    call.reply(wire.plain(saved), saved_text(saved))
    for flaw in saved.flaws:
        call.say(f"note: the store has a flaw, and so does the backup: {flaw}; see `mem doctor`")


def _list(call: CommandCall) -> None:
    from memory_layer.doors import wire
    from memory_layer.usecases.upkeep import backup as usecase
    from memory_layer.wiring import open_vault

    found = usecase.backups(open_vault(call.settings))
    call.reply(wire.listed(map(wire.plain, found)), backups_text(found))
    if not found:
        call.say("no backups yet; `mem backup` makes one")


def _restore(call: CommandCall, source: Path, yes: bool, accept_broken_history: bool, writer: Writer) -> None:
    from memory_layer.doors import wire
    from memory_layer.usecases.upkeep import backup as usecase
    from memory_layer.wiring import open_vault

    vault, file = open_vault(call.settings), call.here / source
    if not yes:
        seen = usecase.preview(vault, file, writer)
        call.reply(wire.plain(seen), restoring_text(seen))
        broken = usecase.broken_history(seen.after)
        how = "--yes --accept-broken-history to restore it anyway" if broken else "--yes to restore"
        call.say(f"Nothing replaced. Add {how}; the current store will be kept as a backup.")
        raise click.exceptions.Exit(EXIT_NEEDS_A_DECISION)
    done = usecase.restore(
        vault, file, writer, datetime.now(UTC), accept_broken_history=accept_broken_history
    )
    call.reply(wire.plain(done), restoring_text(done))


def _writer(call: CommandCall) -> Writer:
    from memory_layer.usecases.who.identify import identify

    now = datetime.now(UTC)
    return identify(
        call.settings,
        now,
        door="cli",
        as_name=call.as_name,
        session=call.session,
        terminal=call.terminal,
        confirmed=call.is_confirmed(now),
    )


@command("doctor", "mem doctor", "mem doctor --fix --json")
@click.option("--fix", is_flag=True, help="Repair what can be repaired, and keep a copy of the old store.")
@click.pass_obj
def doctor(call: CommandCall, fix: bool) -> None:
    """Check the store for damage, and repair it.

    Checks every record, index, counter, vector, reference and page, the history, the file permissions and the model.
    Without --fix nothing is changed. With --fix the store is copied first, and a repair that would make anything worse
    is rolled back. Exits with 0 if all is well or repaired, 1 if problems are left, and 5 if the store cannot be
    opened.
    """
    from memory_layer.doors import wire
    from memory_layer.usecases.upkeep.doctor import STEPS, examine, treat
    from memory_layer.wiring import practice

    with progress(STEPS, "Checking") as advance:
        found = (treat if fix else examine)(practice(call.settings, "cli"), advance)
    call.reply(wire.plain(found), diagnosis_text(found, call.width))
    if not found.opens:
        raise click.exceptions.Exit(EXIT_STORE_UNAVAILABLE)
    if found.problems:
        raise click.exceptions.Exit(EXIT_FAILED)


def saved_text(contents: Contents) -> str:
    return f"saved {contents.file}\n{_holds(contents)}"


def backups_text(found: Sequence[BackupFile]) -> str:
    return "\n".join(f"{each.file}\n  {_contents(each)}" for each in found)


def _contents(each: BackupFile) -> str:
    return _holds(each.contents) if each.contents else f"{size(each.size)}, not a readable store"


def restoring_text(found: Restoring) -> str:
    """Compare both stores, and name the copy of the replaced one."""
    was, comes = ("was", "is now") if found.restored else ("is", "would be")
    before = _holds(found.before) if found.before else "no store that can be read"
    lines = [f"the store {was}: {before}", f"the store {comes}: {_holds(found.after)}"]
    lines += [f"note: {flaw}" for flaw in found.after.flaws]
    if found.kept:
        lines.append(f"the old store was kept as {found.kept}")
    return "\n".join(lines)


def diagnosis_text(found: Diagnosis, width: int | None) -> str:
    lines = [line for check in found.checks for line in _check(check, width)]
    if found.copy:
        lines.append(f"the old store was kept as {found.copy}")
    if found.note:
        lines.append(found.note)
    lines.append(_verdict(found))
    return "\n".join(lines)


def _verdict(found: Diagnosis) -> str:
    if not found.opens:
        return "The store cannot be opened."
    unseen = ", ".join(check.name for check in found.checks if check.state is State.NOT_CHECKED)
    if found.problems:
        also = f"; not checked: {unseen}" if unseen else ""
        return f"{found.problems} {'problem' if found.problems == 1 else 'problems'}{also}."
    if unseen:
        return f"No problems found, but some checks could not run: {unseen}."
    if any(check.name == "backups" and check.state is State.NOTICE for check in found.checks):
        return "Nothing is damaged, but see the notice about backups."
    return "All is well."


def _check(check: Check, width: int | None) -> list[str]:
    word, color = WORDS[check.state]
    head = f"{click.style(f'{word:<{STATE_WIDTH}}', fg=color)}  {check.name:<{NAME_WIDTH}} "
    indent = STATE_WIDTH + NAME_WIDTH + 3
    advised = check.fix and (check.is_wrong or check.state is State.NOTICE)
    text = f"{check.detail} ({check.fix})" if advised else check.detail
    if width is None:
        return [f"{head}{text}"]
    lines = wrapped(text, max(20, width - indent + len(INDENT))).splitlines()
    return [f"{head}{lines[0].strip()}", *(f"{'':{indent}}{line.strip()}" for line in lines[1:])]


def _holds(contents: Contents) -> str:
    dates = f", from {_day(contents.first_at)} to {_day(contents.last_at)}" if contents.first_at else ""
    return (
        f"{contents.memories:,} {'memory' if contents.memories == 1 else 'memories'}{dates}, {size(contents.size)},"
        f" {contents.changes:,} changes up to {contents.audit_hash[:SHORT_HASH]}"
    )


def _day(at: datetime | None) -> str:
    return at.date().isoformat() if at else "?"

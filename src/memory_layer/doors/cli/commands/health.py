"""How backups and what the doctor found are shown to people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.commands.show import size
from memory_layer.doors.cli.render import wrapped
from memory_layer.model.safety import Check, State

if TYPE_CHECKING:
    from memory_layer.ports.files import Contents, Listed
    from memory_layer.usecases.upkeep.backup import Restoring
    from memory_layer.usecases.upkeep.doctor import Diagnosis

#: How each state is written, and in which colour.
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


def saved(contents: Contents) -> str:
    return f"saved {contents.file}\n{_holds(contents)}"


def listed(found: Sequence[Listed]) -> str:
    return "\n".join(f"{each.file}\n  {_said(each)}" for each in found)


def _said(each: Listed) -> str:
    return _holds(each.contents) if each.contents else f"{size(each.size)}, not a readable store"


def restoring(found: Restoring) -> str:
    """Both stores beside each other, and where the replaced one lies now."""
    was, comes = ("was", "is now") if found.restored else ("is", "would be")
    before = _holds(found.before) if found.before else "no store that can be read"
    lines = [f"the store {was}: {before}", f"the store {comes}: {_holds(found.after)}"]
    lines += [f"note: {flaw}" for flaw in found.after.flaws]
    if found.kept:
        lines.append(f"as it was it lies in {found.kept}")
    return "\n".join(lines)


def diagnosis(found: Diagnosis, width: int | None) -> str:
    lines = [line for check in found.checks for line in _check(check, width)]
    if found.copy:
        lines.append(f"the store as it was lies in {found.copy}")
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
        return f"No problem was found, but not everything could be checked: {unseen}."
    if any(check.name == "backups" and check.state is State.NOTICE for check in found.checks):
        return "Nothing is damaged; but look at the notice about the backups."
    return "All is well."


def _check(check: Check, width: int | None) -> list[str]:
    word, color = WORDS[check.state]
    head = f"{click.style(f'{word:<{STATE_WIDTH}}', fg=color)}  {check.name:<{NAME_WIDTH}} "
    indent = STATE_WIDTH + NAME_WIDTH + 3
    advised = check.fix and (check.is_wrong or check.state is State.NOTICE)
    told = f"{check.detail} ({check.fix})" if advised else check.detail
    if width is None:
        return [f"{head}{told}"]
    lines = wrapped(told, max(20, width - indent)).splitlines()
    return [f"{head}{lines[0].strip()}", *(f"{'':{indent}}{line.strip()}" for line in lines[1:])]


def _holds(contents: Contents) -> str:
    dates = f", from {_day(contents.first_at)} to {_day(contents.last_at)}" if contents.first_at else ""
    return (
        f"{contents.memories:,} {'memory' if contents.memories == 1 else 'memories'}{dates}, {size(contents.size)},"
        f" {contents.changes:,} changes up to {contents.audit_hash[:SHORT_HASH]}"
    )


def _day(at: datetime | None) -> str:
    return at.date().isoformat() if at else "?"

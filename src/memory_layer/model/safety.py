"""What keeps a store safe: where backups lie, and what an examination finds."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from memory_layer.model.record import NamedTuple

BACKUPS = "backups"  #: the folder beside the store


class State(StrEnum):
    """What came of one check."""

    OK = "ok"
    NOTICE = "notice"  #: nothing is damaged, but worth knowing
    PROBLEM = "problem"
    REPAIRED = "repaired"
    CANNOT_REPAIR = "cannot_repair"
    NOT_CHECKED = "not_checked"  #: something else has to be repaired first


class Check(NamedTuple):
    """One thing that was looked at."""

    name: str
    state: State
    found: int  #: how many things are wrong
    detail: str  #: what was found and what it means, in one sentence
    fix: str | None = None  #: what repairs it

    @property
    def is_wrong(self) -> bool:
        return self.state in (State.PROBLEM, State.CANNOT_REPAIR)


FIX = "`mem doctor --fix`"
LISTED = "`mem backup --list` shows what can be restored"
#: Whether it helps shows only when it is tried, so the other way is named as well.
FIX_OR_BACKUP = f"{FIX} saves what can be read; where it cannot, {LISTED}"
#: What is wrong in a way that no repair knows the truth about.
LOST = f"no repair can know what was there; {LISTED}"
SHOWN = 3  #: how many names a sentence has
LONGEST_COMPLAINT = 200  #: characters of what a store says against itself


def ok(detail: str) -> Check:
    """Return that nothing was found."""
    return Check("", State.OK, 0, detail)


def problem(found: int, detail: str, fix: str | None) -> Check:
    """Return that so many things are wrong."""
    return Check("", State.PROBLEM, found, detail, fix)


def some(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    shown = ", ".join(names[:SHOWN])
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"


def one_line(text: str) -> str:
    """Return somebody else's words as a part of a sentence."""
    return " ".join(text.split())[:LONGEST_COMPLAINT]

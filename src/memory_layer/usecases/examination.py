"""One look at a store under examination, and the words for what it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime

from memory_layer.errors import StoreDamaged, StoreUnavailable
from memory_layer.model.memory import Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.safety import Check, State
from memory_layer.ports import Edit
from memory_layer.ports.safety import Examined

FIX = "`mem doctor --fix`"
BACKUPS = "`mem backup --list` shows what can be restored"
#: Whether it helps shows only when it is tried, so the other way is named as well.
FIX_OR_BACKUP = f"{FIX} saves what can be read; where it cannot, {BACKUPS}"
SHOWN = 3  #: how many ids a sentence names
LONGEST_COMPLAINT = 200  #: characters of what the store says against itself


class Case(NamedTuple):
    """A store under examination, and who is at work on it."""

    store: Examined
    now: datetime
    fingerprint: str | None  #: of the installed model
    vector_sizes: Mapping[
        str, int
    ]  #: how many numbers the vectors of a fingerprint have, where that is known
    writer: Writer
    operation: str


Look = Callable[[Case], Check]
Mend = Callable[[Case], None]


class Examination(NamedTuple):
    name: str
    look: Look
    mend: Mend | None = None
    of_one_moment: bool = True  #: False: the look itself needs the store's write lock


def looked(examination: Examination, case: Case) -> Check:
    """One check, whatever the store does to it."""
    try:
        with case.store.reading() if examination.of_one_moment else nullcontext():
            return examination.look(case)._replace(name=examination.name)
    except StoreDamaged:
        says = "could not be looked at, because pages of the file are damaged"
        return Check(examination.name, State.PROBLEM, 1, says, FIX_OR_BACKUP)
    except StoreUnavailable as error:
        return Check(
            examination.name, State.NOT_CHECKED, 0, f"could not be looked at: {one_line(str(error))}"
        )


def edit_of(case: Case) -> Edit:
    """How a repair is signed."""
    return Edit(case.writer, case.operation, "repair", case.now)


def ok(detail: str) -> Check:
    """Nothing was found."""
    return Check("", State.OK, 0, detail)


def problem(found: int, detail: str, fix: str | None) -> Check:
    """So many things are wrong."""
    return Check("", State.PROBLEM, found, detail, fix)


def some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    shown = ", ".join(names[:SHOWN])
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"


def one_line(text: str) -> str:
    """Somebody else's words as a part of a sentence."""
    return " ".join(text.split())[:LONGEST_COMPLAINT]

"""One look at a store under examination, and how it is mended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from memory_layer.errors import StoreDamaged, StoreUnavailable
from memory_layer.model.memory import Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.safety import FIX_OR_BACKUP, Check, State, one_line
from memory_layer.ports import Edit
from memory_layer.ports.files import Examined


class Case(NamedTuple):
    """A store under examination, and who is at work on it."""

    store: Examined
    now: datetime
    fingerprint: str | None  #: of the installed model
    writer: Writer
    operation: str


Look = Callable[[Case], Check]
Mend = Callable[[Case], None]


class Examination(NamedTuple):
    """A check: of the store's own kind unless it has a look, about its records if it has one."""

    name: str
    look: Look | None = None
    mend: Mend | None = None  #: what is done to records before the store mends its own
    mendable: bool = True


def looked(examination: Examination, case: Case) -> Check:
    """Return one check, whatever the store does to it."""
    try:
        return _look(examination, case)._replace(name=examination.name)
    except StoreDamaged:
        says = "could not be looked at, because pages of the file are damaged"
        return Check(examination.name, State.PROBLEM, 1, says, FIX_OR_BACKUP)
    except StoreUnavailable as error:
        return Check(
            examination.name, State.NOT_CHECKED, 0, f"could not be looked at: {one_line(str(error))}"
        )


def _look(examination: Examination, case: Case) -> Check:
    if examination.look is None:
        return case.store.look(examination.name)
    with case.store.reading():
        return examination.look(case)


def mend(examination: Examination, case: Case) -> None:
    """Mend what is wrong with the records, then what is wrong beneath them."""
    if examination.mend is not None:
        examination.mend(case)
    case.store.mend(examination.name)


def edit_of(case: Case) -> Edit:
    """Return how a repair is signed."""
    return Edit(case.writer, case.operation, "repair", case.now)

"""Results of keeping a store tidy, and of checking it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from memory_layer.model.record import NamedTuple

BACKUPS = "backups"  #: the folder beside the store
FIX = "`mem doctor --fix`"
LISTED = "`mem backup --list` shows what can be restored"
#: Whether it helps shows only when it is tried, so the other way is named as well.
FIX_OR_BACKUP = f"{FIX} saves what can be read; where it cannot, {LISTED}"
#: What is wrong in a way that no repair knows the truth about.
LOST = f"no repair can know what was there; {LISTED}"
SHOWN = 3  #: how many names a sentence has
LONGEST_COMPLAINT = 200  #: characters of what a store says against itself


class Deed(StrEnum):
    """A step of consolidation, in the order in which the steps run."""

    FINISH = "finish"  #: a dead writer left it half stored
    ARCHIVE = "archive"  #: it has expired, or nobody has touched it for long
    MERGE = "merge"  #: another memory says the same
    REVIEW = "review"  #: another memory says nearly the same; a person should look
    FOLLOW = "follow"  #: the lines that it cites have moved
    DRIFT = "drift"  #: what it cites has changed or is gone; a person should look
    PROMOTE = "promote"  #: it was confirmed so often that it counts for more
    SUGGEST = "suggest"  #: something recurs, and waits for a person as a memory of its own


class ConsolidationStep(NamedTuple):
    """One thing that was done, or would be."""

    deed: Deed
    memory: str | None  #: its id; None for a suggestion that a dry run would make
    reason: str  #: in one line
    content: str  #: the beginning of what the memory says
    other: str | None = None  #: the memory that took it over, or that it is to be compared with


class Consolidated(NamedTuple):
    """The result of a consolidation."""

    operation: str | None  #: which `undo` takes back; None if nothing was changed
    dry_run: bool
    counts: Mapping[Deed, int]
    steps: tuple[ConsolidationStep, ...]
    notice: str | None = None  #: what could not be looked at


class ConsolidationMark(NamedTuple):
    """The time of the last consolidation, and the newest change it saw."""

    begun: datetime | None = None  #: by somebody who may still be at it
    finished: datetime | None = None
    sequence: int = 0  #: the newest change that was looked at


class Upkeep(NamedTuple):
    """The standing of a store's tidying."""

    last: datetime | None  #: when the last run finished
    counts: Mapping[Deed, int]  #: what it did
    runs: int  #: how many have finished
    due: datetime | None  #: when the next one is; None while nothing is stored
    automatic: bool  #: whether it starts by itself then


class Failure(NamedTuple):
    """Something that went wrong once."""

    id: str
    text: str  #: what shows it: an evidence, the task of a run, what an event says
    project: str | None  #: the key of the project it happened in
    at: datetime
    memories: tuple[str, ...] = ()  #: that were used, or that tell of it


class State(StrEnum):
    """The result of one check."""

    OK = "ok"
    NOTICE = "notice"  #: nothing is damaged, but worth knowing
    PROBLEM = "problem"
    REPAIRED = "repaired"
    CANNOT_REPAIR = "cannot_repair"
    NOT_CHECKED = "not_checked"  #: something else has to be repaired first


class Check(NamedTuple):
    """One check of the store, and its result."""

    name: str
    state: State
    found: int  #: how many things are wrong
    detail: str  #: what was found and what it means, in one sentence
    fix: str | None = None  #: what repairs it

    @property
    def is_wrong(self) -> bool:
        return self.state in (State.PROBLEM, State.CANNOT_REPAIR)


class Mishaps(NamedTuple):
    """Failures in the log."""

    log: str  #: the path of the file
    number: int
    last: str  #: the last one in one sentence; empty if there was none


def ok(detail: str) -> Check:
    """Return a check that found nothing."""
    return Check("", State.OK, 0, detail)


def problem(found: int, detail: str, fix: str | None) -> Check:
    """Return a check that found problems."""
    return Check("", State.PROBLEM, found, detail, fix)


def some(names: Sequence[str]) -> str:
    """List the first names, and how many more there are."""
    shown = ", ".join(names[:SHOWN])
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"


def one_line(text: str) -> str:
    """Fit somebody else's text into a sentence."""
    return " ".join(text.split())[:LONGEST_COMPLAINT]

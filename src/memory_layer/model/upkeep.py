"""What keeping a store tidy did, and what it looks at."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from memory_layer.model.record import NamedTuple


class Deed(StrEnum):
    """What was done with a memory, in the order in which it is done."""

    FINISH = "finish"  #: a dead writer left it half stored
    ARCHIVE = "archive"  #: it has expired, or nobody has touched it for long
    MERGE = "merge"  #: another memory says the same
    REVIEW = "review"  #: another memory says nearly the same; a person should look
    FOLLOW = "follow"  #: the lines that it cites have moved
    DRIFT = "drift"  #: what it cites has changed or is gone; a person should look
    PROMOTE = "promote"  #: it was confirmed so often that it counts for more
    SUGGEST = "suggest"  #: something recurs, and waits for a person as a memory of its own


class Step(NamedTuple):
    """One thing that was done, or would be."""

    deed: Deed
    memory: str | None  #: its id; None for a suggestion that a dry run would make
    reason: str  #: in one line
    content: str  #: the beginning of what the memory says
    other: str | None = None  #: the memory that took it over, or that it is to be compared with


class Consolidated(NamedTuple):
    """Everything that one consolidation did."""

    operation: str | None  #: which `undo` takes back; None if nothing was changed
    dry_run: bool
    counts: Mapping[Deed, int]
    steps: tuple[Step, ...]
    notice: str | None = None  #: what could not be looked at


class Mark(NamedTuple):
    """When a store was last consolidated, and how far."""

    begun: datetime | None = None  #: by somebody who may still be at it
    finished: datetime | None = None
    sequence: int = 0  #: the newest change that was looked at


class Failure(NamedTuple):
    """Something that went wrong once."""

    id: str
    text: str  #: what shows it: an evidence, the task of a run, what an event says
    project: str | None  #: the key of the project it happened in
    at: datetime
    memories: tuple[str, ...] = ()  #: that were used, or that tell of it

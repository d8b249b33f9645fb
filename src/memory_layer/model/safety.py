"""What keeps a store safe: where backups lie, and what an examination finds."""

from __future__ import annotations

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


class Strange(NamedTuple):
    """A part of the schema that is not as the program makes it."""

    kind: str  #: table, index or trigger
    name: str
    missing: bool  #: else it is there, but different


class Tally(NamedTuple):
    """A memory's counters beside what the outcome log says."""

    row: int
    id: str
    worked: int
    partial: int
    failed: int
    use_count: int
    outcome_score: float
    reports: int  #: in the log, counted or not
    counted_worked: int
    counted_partial: int
    counted_failed: int
    by_log: (
        bool  #: whether its score was made by reports here alone: none was taken back, and none brought along
    )

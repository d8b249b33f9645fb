"""What keeps a store safe: backups of it, and what an examination found."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

BACKUPS = "backups"  #: the folder beside the store


class Contents(NamedTuple):
    """What a store's file holds."""

    file: Path
    size: int  #: bytes
    memories: int
    changes: int  #: entries of the audit chain
    audit_hash: str  #: of the last entry
    first_at: datetime | None  #: when its oldest memory was stored
    last_at: datetime | None  #: when a memory was last changed
    flaws: tuple[str, ...] = ()  #: what is wrong with it, in words


class Listed(NamedTuple):
    """A file among the backups; without contents it is not a readable store."""

    file: Path
    size: int  #: bytes
    contents: Contents | None


class Restoring(NamedTuple):
    """What a restore replaces by what; with `restored` false it only would."""

    restored: bool
    before: Contents | None  #: the store as it was; None if there was none that could be read
    after: Contents
    kept: Path | None  #: where the store as it was lies now


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


class Diagnosis(NamedTuple):
    """Everything that was looked at, and where the store as it was lies if something was repaired."""

    file: Path
    checks: tuple[Check, ...]
    opens: bool = True  #: whether the store can be used at all
    copy: Path | None = None
    note: str | None = None  #: what else there is to say about a repair

    @property
    def problems(self) -> int:
        return sum(check.is_wrong for check in self.checks)


class Salvage(NamedTuple):
    """What could be read of a damaged file."""

    file: Path  #: the new store it was written to
    saved: int  #: memories
    lost: tuple[str, ...]  #: the ids of those that could not be read
    unnamed: int  #: how many more there must have been, whose ids are gone too


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
    reports: int  #: in the log
    counted_worked: int
    counted_partial: int
    counted_failed: int

"""What came of bringing memories in from elsewhere."""

from __future__ import annotations

from typing import NamedTuple


class Skipped(NamedTuple):
    """Something that was not taken over as it is, and why."""

    where: str  #: a line, an id, or the part of the source it is about
    why: str


class Report(NamedTuple):
    """What an import found and what became of it."""

    source: str  #: the format that was read
    read: int
    added: int
    exists: int
    merged: int = 0
    similar: int = 0
    conflicts: int = 0
    staged: int = 0
    skipped: tuple[Skipped, ...] = ()
    redacted: tuple[str, ...] = ()  #: the kinds of secrets that were taken out
    operation: str | None = None
    dry_run: bool = False

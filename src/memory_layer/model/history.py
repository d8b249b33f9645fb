"""Versions of a memory, operations, and flaws in their record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory_layer.model.memory import Change, Memory
from memory_layer.model.record import Listing, NamedTuple
from memory_layer.model.vocabulary import LinkKind, WriterKind


class KeptVersion(NamedTuple):
    """A version that the store can still show."""

    number: int  #: 1 for the first
    change: Change  #: the entry that made it
    memory: Memory  #: the record as it was, with today's counters
    intact: bool  #: whether its digest is the one its entry left


class PieceKind(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Piece(NamedTuple):
    """A span of text that stayed, was removed or was added."""

    kind: PieceKind
    text: str


class Difference(NamedTuple):
    """A field that a version changed."""

    field: str
    old: object
    new: object
    pieces: tuple[Piece, ...] = ()  #: the text with its changes marked; only for the content


class Version(NamedTuple):
    """A version of a memory: who made it, how, and what it changed."""

    number: int  #: 1 for the first
    at: datetime
    action: str  #: add, archive, restore, merge, approve, outcome, revert, undo, …
    operation: str  #: the id of the command's whole group of changes
    undoes: str | None  #: the operation that this one took back
    writer: str
    door: str
    intact: bool  #: false when the record of it does not fit the audit chain
    changes: tuple[Difference, ...]  #: nothing for the first version
    memory: Memory  #: the whole record as it was, with today's counters


class History(Listing[Version]):
    """Versions of a memory, newest first."""

    memory: Memory
    versions: tuple[Version, ...]
    next: str | None = None  #: where older ones go on, if not all were asked for


class Note(NamedTuple):
    """A change that made no version: to a link, a task's link, a counter, an outcome or the end of a run."""

    number: int
    told: Mapping[str, Any]  #: what it is about, with `before` and `after`

    @property
    def by_a_person(self) -> bool:
        """Return whether a person made it; a name alone does not prove that."""
        return self.told.get("writer_kind") == WriterKind.PERSON

    @property
    def superseded(self) -> tuple[str, str] | None:
        """Return the link by which undoing this would let one memory supersede another."""
        again = (
            self.told.get("kind") == LinkKind.SUPERSEDES and self.told["before"] and not self.told["after"]
        )
        return (self.told["source"], self.told["target"]) if again else None

    @property
    def memories(self) -> tuple[str, ...]:
        """Return the memories it is about."""
        if self.run is not None:
            return tuple((self.told["after"] or self.told["before"] or {"used": ()})["used"])
        if "outcome" in self.told:
            return (str(self.told["outcome"]).rpartition(":")[2],)
        return tuple(self.told[name] for name in ("memory", "source", "target") if name in self.told)

    @property
    def run(self) -> str | None:
        """Return the run whose end it is about."""
        return self.told.get("run")


class Logged(NamedTuple):
    """An entry of the log, and the memories it is about as they are now."""

    change: Change
    memories: tuple[Memory, ...]
    said: str | None = None  #: what was said of them without making a version, in words
    confirmed_by: str | None = None  #: by which means a person confirmed the operation


class Operation(NamedTuple):
    """All changes of one command."""

    id: str
    at: datetime
    writer: str
    door: str
    actions: tuple[tuple[str, int], ...]  #: each action with how often it was taken
    memories: tuple[str, ...]
    undoes: str | None  #: the operation that this one took back
    undone: bool


class PassedOver(NamedTuple):
    """A later operation of the same writer that was not undone."""

    operation: str
    why: str  #: forgotten: there is nothing to go back to; elsewhere: it changed another project


class Undone(NamedTuple):
    """The result of undoing an operation."""

    operation: str  #: the new one, which can be undone in turn
    undoes: str
    memories: tuple[Memory, ...]  #: as they are now
    actions: tuple[tuple[str, int], ...] = ()  #: what was taken back, each with how often
    projects: tuple[str | None, ...] = ()  #: whose memories it was about; None for global ones
    notes: tuple[str, ...] = ()  #: what became of links, reports and confirmations, in words
    passed_over: tuple[PassedOver, ...] = ()  #: when no operation was named


class FlawKind(StrEnum):
    """A way in which the audit log and the memories can disagree."""

    EDITED = "edited"  #: an entry is not what its hash covers
    GAP = "gap"  #: an entry is missing in the middle
    CUT_OFF = "cut_off"  #: entries are missing at the end
    HEAD = "head"  #: the head is missing or names another last entry
    RECORD = "record"  #: a memory is not as its last entry left it
    SIGNATURE = "signature"  #: a signature, or a passkey, does not fit the entries
    ACCESS = "access"  #: a token or the passphrase is not the one that the entries name
    PAYLOAD = "payload"  #: the old values kept with an entry do not fit its digests


class Flaw(NamedTuple):
    """A disagreement between the audit log and the memories."""

    kind: FlawKind
    entry: int | None  #: the number of the entry; None when there is none
    memory: str | None
    says: str
    session: str | None = None  #: whose events do not follow from each other


class Verdict(NamedTuple):
    """The result of verifying the audit log."""

    intact: bool
    entries: int
    head: str  #: the hash of the last entry
    flaws: tuple[Flaw, ...]  #: the first broken entry, memories that do not fit theirs, then events
    sessions: int = 0  #: how many have events, each in a chain of its own
    signatures: int = 0  #: operations signed with a passkey, all of which were verified

"""The revisions of memories in a shared folder, and the report of a sync."""

from __future__ import annotations

from enum import StrEnum

from memory_layer.model.imports import Skipped
from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import LinkKind

SharedLink = tuple[LinkKind, str]  #: the kind, and the id of the other memory


class SharedStatus(StrEnum):
    ACTIVE = "active"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"


class Revision(NamedTuple):
    """One state of a memory, as one file says it; a tombstone has no memory."""

    id: str
    status: SharedStatus
    memory: Memory | None = None  #: only the fields that travel count; the others have an importer's values
    links: tuple[SharedLink, ...] = ()
    replaces: tuple[str, ...] = ()  #: the digests of all revisions before this one
    text_of: str | None = None  #: the revision before this one that brought the text; None if this one does


class SyncNote(NamedTuple):
    """The state of one memory at the last sync of this store."""

    version: int  #: of the memory here, whose text may leave this store; 0 if there is none
    state: str  #: digest of its state here
    revision: str  #: digest of the newest revision
    text: str | None  #: the revision that brought the text here
    body: str  #: digest of the text here
    seen: tuple[str, ...]  #: digests of all revisions that this store knows


class SyncReport(NamedTuple):
    """The result of a sync or a dry run; each memory counts once in each number."""

    folder: str
    written: int = 0  #: revision files that are new in the folder
    removed: int = 0  #: files of superseded revisions
    added: int = 0  #: memories that are new here
    updated: int = 0  #: memories that changed here
    archived: int = 0  #: memories that were archived or forgotten elsewhere, and are archived here now
    conflicts: int = 0  #: texts that were changed on both sides; both are kept, linked and wait for review
    staged: int = 0  #: of the added and updated ones: wait for a person
    withheld: int = 0  #: memories of this project that were not written: a secret, or waiting for a person
    skipped: tuple[Skipped, ...] = ()  #: files that cannot be used
    notes: tuple[Skipped, ...] = ()  #: changes from elsewhere that were not applied
    operation: str | None = None
    dry_run: bool = False

"""A memory, the draft of one, and the records attached to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import (
    Attention,
    Category,
    LinkKind,
    MergeText,
    OnDuplicate,
    Priority,
    Reason,
    Source,
    Status,
    Tier,
    WriterKind,
)

if TYPE_CHECKING:
    from memory_layer.model.passkeys import Means

#: The key in the metadata of a memory that an agent wrote for a project it did not work in; it names its own.
WRITTEN_FROM = "written_from"
#: The key in the metadata of a memory that a project's file lets end sooner than the user's own settings would.
SHORTENED = "expires_by_project"
#: Empty metadata.
NOTHING: Mapping[str, object] = MappingProxyType({})
#: The fields a version consists of; the others identify, count, or follow from these.
SAID = (
    "content",
    "category",
    "tier",
    "priority",
    "status",
    "reason",
    "reason_detail",
    "scope",
    "tags",
    "metadata",
    "citations",
    "source",
    "source_run_id",
    "writer",
    "writer_kind",
    "confidence",
    "relevance",
    "session",
    "position",
    "expires_at",
    "approved_by",
    "approved_at",
    "created_at",
)
#: The fields that only count; moving them makes no version.
COUNTED = (
    "outcome_score",
    "worked",
    "failed",
    "partial",
    "recall_count",
    "last_recalled_at",
    "use_count",
    "last_used_at",
    "reinforcement_count",
    "reinforced_at",
)


class Writer(NamedTuple):
    """The writer of a change, with door and session."""

    name: str
    kind: WriterKind
    door: str  #: cli, python, mcp, rest, hook
    session: str
    confirmed: bool = False  #: whether a person has confirmed recently that it is them
    means: Means | None = None  #: by which means; the audit log says it where it mattered

    @property
    def is_person(self) -> bool:
        return self.kind is WriterKind.PERSON


class Citation(NamedTuple):
    """A source that a memory's statement can be checked against: lines of a file, or an address."""

    path: str | None = None  #: relative to the project root, with forward slashes
    first_line: int | None = None
    last_line: int | None = None
    commit: str | None = None  #: one that holds the cited lines; None if there is none
    lines_hash: str | None = None  #: SHA-256 of the cited lines
    excerpt: str | None = None
    url: str | None = None
    anchor: str | None = None  #: finds the lines again after they were moved or reformatted

    @property
    def where(self) -> str:
        """Return its location: `src/app.py:12-14`, or its address."""
        lines = [str(line) for line in (self.first_line, self.last_line) if line is not None]
        return self.url or ":".join([self.path or "", *filter(None, ["-".join(dict.fromkeys(lines))])])


class Project(NamedTuple):
    """A code base. Its key may improve over time; its id never changes."""

    id: str  #: short and URL-safe
    key: str
    name: str
    root: str | None = None  #: its last known folder on this machine
    aliases: tuple[str, ...] = ()
    last_commit_at: datetime | None = None  #: as of the last check; None if there is none or it is unknown
    looked_at: datetime | None = None  #: the time of the last check for a commit
    is_stored: bool = False  #: whether it was read from a store


class Draft(NamedTuple):
    """A memory as a caller asks for it to be stored."""

    content: str
    category: Category = Category.GENERAL
    tier: Tier = Tier.SEMANTIC
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] = NOTHING
    priority: Priority | None = None  #: default: the category's
    source: Source | None = None  #: default: depends on the writer
    source_run_id: str | None = None
    confidence: float | None = None
    relevance: float = 1.0
    session: str | None = None  #: the conversation it belongs to, if it has a position in one
    position: int | None = None
    expires_at: datetime | None = None  #: default: the category's
    never_expires: bool = False
    created_at: datetime | None = None  #: for imports; None means now
    citations: tuple[Citation, ...] = ()
    on_duplicate: OnDuplicate = OnDuplicate.ASK
    merge_text: MergeText = MergeText.FULLER
    allow_secret: bool = False


class Memory(NamedTuple):
    """One atomic, independently searchable fact, event or procedure."""

    id: str
    content: str
    content_hash: str
    created_at: datetime
    updated_at: datetime
    category: Category = Category.GENERAL
    tier: Tier = Tier.SEMANTIC
    project: str | None = None  #: the project's key; None means it applies everywhere
    scope: tuple[str, ...] = ()  #: gitignore-style patterns of the paths it applies to
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] = NOTHING
    priority: Priority = Priority.NORMAL
    source: Source = Source.AGENT
    source_run_id: str | None = None
    writer: str = "unknown"
    writer_kind: WriterKind = WriterKind.AGENT
    confidence: float = 1.0  #: trust in the source, 0..1
    relevance: float = 1.0  #: importance as judged by a person or run, 0..1
    outcome_score: float = 0.0  #: from reported outcomes, -1..1
    worked: int = 0
    failed: int = 0
    partial: int = 0
    recall_count: int = 0
    last_recalled_at: datetime | None = None
    use_count: int = 0
    last_used_at: datetime | None = None
    reinforcement_count: int = 1
    reinforced_at: datetime | None = None
    session: str | None = None
    position: int | None = None
    status: Status = Status.ACTIVE
    reason: Reason | None = None  #: why it is staged or archived, or why an active one needs review
    reason_detail: str | None = None  #: details in words
    expires_at: datetime | None = None
    approved_by: str | None = None
    approved_at: datetime | None = None
    citations: tuple[Citation, ...] = ()
    version: int = 1
    owner: str | None = None  #: its owner in a shared store; None means everybody's


class Link(NamedTuple):
    """A relation from one memory to another."""

    source: str
    target: str
    kind: LinkKind
    created_at: datetime
    attention: Attention = Attention.UNASKED


class Candidate(NamedTuple):
    """A known memory that a new text repeats, contradicts, or is close to."""

    id: str
    content: str
    similarity: float
    relation: str  #: similar, conflicts, or close: the caller decides


class Added(NamedTuple):
    """The result of adding a draft; `created`, `exists`, `merged` and `staged` are durable."""

    id: str
    status: str  #: created, exists, similar, merged, staged
    candidates: tuple[Candidate, ...] = ()
    redacted: tuple[str, ...] = ()
    reason: str | None = None  #: when staged
    hint: str | None = None
    question: str | None = None  #: about candidates that are close


class Change(NamedTuple):
    """An entry of the audit chain."""

    number: int
    at: datetime
    operation: str
    action: str
    memory: str | None
    writer: str
    door: str
    before: str | None  #: digest of the record before
    after: str | None
    hash: str

    @property
    def undoes(self) -> str | None:
        """Return the operation that this change undid; it is part of the action, so the chain covers it."""
        verb, _, operation = self.action.partition(" ")
        return operation if verb == "undo" and operation else None

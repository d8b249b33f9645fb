"""Memories imported from elsewhere, and the result of an import."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memory_layer.model.memory import Draft
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, LinkKind, Status

#: The metadata key of what supports a lesson.
EVIDENCE = "evidence"


class Origin(StrEnum):
    """The kind of source that memories are imported from."""

    EXPORT = "memory-layer"  #: a file that this program wrote
    RULES = "rules"  #: files in which people write rules for coding agents
    PY_MEMORI = "py-memori"
    RUNTIME_MEMORY = "runtime-memory"
    MCP_MEMORY_SERVICE = "mcp-memory-service"
    CLAUDE_CODE = "claude-code"  #: the folder in which Claude Code keeps its own memory of a project
    CODEX = "codex"  #: the folder in which Codex keeps its own memory
    KNOWLEDGE_GRAPH = "knowledge-graph"  #: the file of the MCP reference memory server
    MEM0 = "mem0"
    CLAUDE_MEM = "claude-mem"
    LEARNING = "learning"  #: the lessons of a learner, each with the runs that support it


class Skipped(NamedTuple):
    """Something that was not imported, or a note about what was."""

    where: str  #: a path with a line, or a store with an id
    why: str


class Planned(NamedTuple):
    """A memory that a dry run would store."""

    where: str
    category: Category
    content: str
    project: str | None  #: its key; None if it would be global
    status: Status


class ImportReport(NamedTuple):
    """The result of an import or a dry run; `read` is `added`, `exists`, `merged` and the skipped ones together."""

    source: str
    read: int
    added: int
    exists: int
    merged: int = 0
    similar: int = 0  #: of the added ones: close to a known one, linked and put into review
    conflicts: int = 0  #: of the added ones: deny a known one, linked
    staged: int = 0  #: of the added ones: wait for a person
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[
        Skipped, ...
    ] = ()  #: what changed on the way or was left behind; none of them counts in `read`
    planned: tuple[Planned, ...] = ()  #: in a dry run, except of an export: what would be added
    redacted: tuple[str, ...] = ()  #: the kinds of secrets that were taken out
    operation: str | None = None
    dry_run: bool = False


class ForeignLink(NamedTuple):
    """The relation of a foreign memory to another of the same source."""

    kind: LinkKind
    target: str  #: the other's key


class Past(NamedTuple):
    """Usage and outcomes of a memory in the store it comes from."""

    worked: int = 0
    failed: int = 0
    judged_at: datetime | None = None
    use_count: int = 0
    last_used_at: datetime | None = None
    recall_count: int = 0


class ForeignMemory(NamedTuple):
    """A foreign memory as it was read."""

    where: str
    draft: Draft
    key: str | None = None  #: how others of the same source refer to it
    project: str | None = None  #: the name of its project there
    relations: tuple[ForeignLink, ...] = ()
    past: Past | None = None
    archived: str | None = None  #: why it is out of sight there
    author: str | None = None  #: the program that wrote it; None if the importer answers for the text


class RulesFile(NamedTuple):
    """A rules file, or a file of an agent's memory, with its text."""

    path: str
    name: str  #: as it is shown: relative to what was asked for
    text: str
    modified_at: datetime | None = None  #: of an agent's memory
    project: str | None = None  #: of an agent's memory: the folder or the name of its project


class ImportSource(NamedTuple):
    """Everything read from a source, and what was skipped."""

    origin: Origin
    files: tuple[RulesFile, ...] = ()
    items: tuple[ForeignMemory, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[Skipped, ...] = ()


class HistoryReport(NamedTuple):
    """The result of reading transcripts, or of a dry run; everything that is new waits for a person."""

    files: int  #: transcripts that were found
    unchanged: int = 0  #: of them: read before, and not written since
    under_way: int = 0  #: of them: written a moment ago, so the session may go on
    sessions: int = 0  #: that were read
    empty: int = 0  #: of them: nobody typed anything
    gone: int = 0  #: of them: their folder no longer exists
    elsewhere: int = 0  #: of them: in another project than the named one
    ignored: int = 0  #: of them: where hooks are told not to look
    damaged: int = 0  #: lines that cannot be read
    left_out: int = 0  #: steps of very long sessions
    episodes: int = 0
    lessons: int = 0
    statements: int = 0  #: rules, preferences and decisions that people typed
    known: int = 0  #: not added, because they are stored already
    planned: tuple[Planned, ...] = ()  #: in a dry run: what would be added
    redacted: tuple[str, ...] = ()  #: the kinds of secrets that were taken out
    operation: str | None = None
    dry_run: bool = False

    @property
    def added(self) -> int:
        return self.episodes + self.lessons + self.statements


class FoundSource(NamedTuple):
    """Something on this machine that could be imported."""

    origin: Origin
    path: str
    files: int  #: how many it consists of
    size_bytes: int
    modified_at: datetime  #: of the newest file

"""Memories given to an agent before it asks: the few that belong to what it is about to do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Priority, Status

if TYPE_CHECKING:
    from memory_layer.model.query import Hit
    from memory_layer.model.sources import Standing


BUDGET = 800  #: tokens, unless the caller or a setting says otherwise
MOST_GIVEN = 10  #: memories for a run or a prompt, unless its caller says otherwise
MOST_CHARACTERS = 10_000  #: agents cut what a hook gives them behind this
LONGEST_LINE = 500  #: characters of one memory; the rest is a command away
LONGEST_HANDOFF = 1_500
MOST_PROCEDURES = 3


MOST_WARNINGS = 2


class ContextLayer(StrEnum):
    """The reason a memory is part of a context."""

    HANDOFF = "handoff"  #: where an earlier session stopped
    BASELINE = (
        "baseline"  #: whatever the task is: rules; policy, architecture and preference of high priority
    )
    CONTEXTUAL = "contextual"  #: for the task or its files, or the best of its kind
    PROCEDURE = "procedure"  #: named steps that lead there


class ContextOrder(StrEnum):
    """The rule by which memories are selected for an agent."""

    BALANCED = "balanced"  #: the task, its files and every family of categories get their share
    S4 = "s4"  #: baseline, then activation with linear counts, then procedures
    S1 = "s1"  #: the write scope first, then confidence x relevance


class Format(StrEnum):
    MARKDOWN = "markdown"
    COMPACT = "compact"
    PLAIN = "plain"
    JSON = "json"


class Way(StrEnum):
    """The interface through which the reader of a context can look further."""

    SHELL = "shell"  #: by commands
    TOOLS = "tools"  #: by the tools of the MCP server; there may be no shell


class ContextQuery(NamedTuple):
    """The task a context is for, and its limits."""

    task: str | None = None
    task_id: str | None = None  #: a task of another program
    query: str | None = None
    paths: tuple[str, ...] = ()  #: relative to the project's root
    budget: int = BUDGET  #: tokens of the whole text
    characters: int = MOST_CHARACTERS  #: of the whole text
    format: Format = Format.MARKDOWN
    start: bool = False  #: a session begins, so the last handoff comes first
    peek: bool = False  #: look without counting as a recall
    way: Way = Way.SHELL
    order: ContextOrder = ContextOrder.BALANCED
    write_scope: tuple[str, ...] = ()  #: patterns of the paths that the task may change
    include: tuple[str, ...] = ()  #: ids that are given in any case
    exclude: tuple[str, ...] = ()  #: ids that are not given
    most: int | None = None  #: memories; None for as many as fit, of order s1 ten

    @property
    def question(self) -> str:
        """Return the text to search for; empty if the context is only about the location."""
        return "\n".join(text for text in (self.task, self.query) if text)


class Warrant(NamedTuple):
    """Evidence for giving a memory to an agent unasked."""

    vouched: bool = False  #: a person wrote or approved it
    here: bool = False  #: it was learned in the project that the context is for
    disputed: bool = False  #: it is part of an open conflict, or failed and has not worked since


class Present(NamedTuple):
    """The fields of a memory that a choice for a context or a run looks at."""

    id: str
    category: Category
    priority: Priority
    confirmations: int
    created: datetime
    touched: datetime
    project: str | None = None  #: its key
    status: Status = Status.ACTIVE
    confidence: float = 1.0
    relevance: float = 1.0
    expires_at: datetime | None = None
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    warrant: Warrant = Warrant()


class ContextLine(NamedTuple):
    """A memory of a context, and why it is there."""

    memory: Memory
    layer: ContextLayer
    score: float
    signals: Mapping[str, float]
    note: str = ""  #: what is said beside it: where it comes from, how it did, its short id
    characters: int = LONGEST_LINE  #: the most that is written of it
    start: int | None = None  #: where the sentence begins that is shown instead of the whole text
    standing: Standing | None = None  #: how what it cites stands today
    conflicts: tuple[str, ...] = ()  #: ids of the memories that contradict it

    @property
    def drifted(self) -> bool:
        """Return whether a cited source changed or is missing."""
        return self.standing is not None and self.standing.drifted


class Context(NamedTuple):
    """A text for an agent, and the memories it was made of."""

    recall: str | None  #: None when nothing was recorded
    text: str
    tokens: int
    budget: int
    digest: str  #: SHA-256 of the text
    lines: tuple[ContextLine, ...] = ()
    left_out: int = 0  #: how many more there were that did not fit
    redacted: tuple[str, ...] = ()
    notice: str | None = None


class Reproduced(NamedTuple):
    """The text of an earlier recall, rebuilt."""

    recall: str
    text: str
    digest: str  #: of the text as it was given
    same: bool  #: whether the text is that one, to the byte


class SavedContext(NamedTuple):
    """The record of a context from which its text can be rebuilt."""

    form: str  #: a format, or prompt
    asked: Mapping[str, object]
    lines: tuple[KeptLine, ...]
    tokens: int
    digest: str


class KeptLine(NamedTuple):
    """A line of a saved context without its text, which is in the memory's history."""

    memory: str
    version: int
    layer: str
    note: str
    characters: int  #: the most that were written of it
    start: int | None = (
        None  #: where the sentence began that was shown; None if the text was shown from its beginning
    )


class AgentAction(NamedTuple):
    """An action an agent is about to take, or an error it has just run into."""

    command: str | None = None
    path: str | None = None  #: of a file, relative to the project's root
    error: str | None = None


class Caution(NamedTuple):
    """A one-line warning for an agent, and what triggered it."""

    memory: Memory
    because: str  #: command, path, error or meaning
    line: str


class Warned(NamedTuple):
    """At most two warnings, or none."""

    recall: str | None
    warnings: tuple[Caution, ...] = ()
    redacted: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(each.line for each in self.warnings)


class PromptNotes(NamedTuple):
    """The strong answers to a prompt that are new to its session; mostly none."""

    recall: str | None = None
    text: str = ""
    hits: tuple[Hit, ...] = ()

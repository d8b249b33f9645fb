"""Runs of agents with the memories they were given, procedures and prompts."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memory_layer.model.context import BUDGET, ContextOrder
from memory_layer.model.record import Listing, NamedTuple
from memory_layer.model.vocabulary import RESULT_ALIASES

if TYPE_CHECKING:
    from memory_layer.model.changes import Moved
    from memory_layer.model.context import ContextLine
    from memory_layer.model.memory import Added, Memory
    from memory_layer.model.query import Given
    from memory_layer.model.vocabulary import Status

#: How the text of a prompt is kept.
PROMPT = "prompt"


class StoredResult(StrEnum):
    """The result of a run in stores and exports, whose words are older than those of Outcome."""

    SUCCESS = "success"
    FAILURE = "failure"


class RunResult(StrEnum):
    """The result of a run."""

    WORKED = "worked"
    FAILED = "failed"

    @classmethod
    def _missing_(cls, value: object) -> RunResult | None:
        return cls(RESULT_ALIASES[str(value)]) if value in RESULT_ALIASES else None

    @property
    def stored(self) -> StoredResult:
        return StoredResult.SUCCESS if self is RunResult.WORKED else StoredResult.FAILURE


class RunTask(NamedTuple):
    """The task of a run, and the caller's choice of memories."""

    text: str
    write_scope: tuple[str, ...] = ()  #: patterns of the paths it may change
    include: tuple[str, ...] = ()  #: ids that it gets in any case
    exclude: tuple[str, ...] = ()  #: ids that it never gets
    most: int | None = None  #: None for as many as fit, of order s1 ten
    budget: int = BUDGET  #: tokens of the section in which they are written
    order: ContextOrder = ContextOrder.BALANCED


class SelectedMemory(NamedTuple):
    """A memory selected for a run, and what decided its rank."""

    id: str
    fits_scope: bool  #: its scope or one of its tags fits what the task may change
    score: float  #: confidence times relevance


class Ending(NamedTuple):
    """The result of a run, and the memories it used."""

    result: RunResult
    at: datetime
    by: str
    used: tuple[str, ...] = ()


class Run(NamedTuple):
    """A task of an agent, with the memories it was given."""

    id: str
    task: str
    write_scope: tuple[str, ...]
    at: datetime
    writer: str
    session: str
    project: str | None  #: the key of the project it was begun in
    recall: str
    memories: int  #: how many it was given
    included: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    ending: Ending | None = None  #: None while it is under way
    hits: tuple[Given, ...] = ()  #: in their order; empty in a list of runs
    text: str | None = None  #: what it was given, as the section of a prompt; None in a list of runs


class Finish(NamedTuple):
    """A caller's report that a run is over."""

    result: RunResult
    used: tuple[str, ...] = ()  #: ids of the memories it went by
    notes: tuple[str, ...] = ()  #: what was learned, each to become a memory


class Trusted(NamedTuple):
    """The effect of a run's end on a memory it used."""

    id: str
    confidence_before: float
    confidence: float
    status: Status


class Finished(NamedTuple):
    """The result of finishing a run."""

    run: Run
    changed: bool  #: False if it had ended so already
    trusted: tuple[Trusted, ...] = ()
    moved: tuple[Moved, ...] = ()  #: those whose relevance followed what was reported of them
    learned: tuple[Added, ...] = ()
    notice: str | None = None  #: why no confidence was moved


class Recipe(NamedTuple):
    """A procedure as a caller asks for it to be saved."""

    name: str
    steps: tuple[str, ...]
    when: str | None = None  #: when to use it; None leaves what is known
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class Procedure(NamedTuple):
    """Named steps, as they are stored."""

    id: str
    name: str
    when: str
    steps: tuple[str, ...]
    scope: tuple[str, ...]
    tags: tuple[str, ...]
    worked: int
    failed: int
    partial: int
    project: str | None  #: the project's key; None means it applies everywhere
    status: str
    version: int

    @property
    def proven(self) -> bool:
        """Return whether it ever worked."""
        return self.worked > 0


class Procedures(Listing[Procedure]):
    """A page of procedures, proven ones first, then by name."""

    items: tuple[Procedure, ...]
    next: str | None = None  #: the place to go on from; None at the end


class Saved(NamedTuple):
    """The result of saving a procedure."""

    procedure: Procedure
    status: str  #: created, changed, unchanged, or staged until a person has looked
    redacted: tuple[str, ...] = ()
    reason: str | None = None  #: when staged


class PromptParts(NamedTuple):
    """The parts of a prompt; an empty one gets no section."""

    role: str = ""
    task: str = ""
    workspace: str = ""
    read_first: tuple[str, ...] = ()  #: paths
    constraints: tuple[str, ...] = ()
    digest: str = ""  #: of an earlier try
    output_format: str = ""


class Composing(NamedTuple):
    """A request for a prompt: its parts, and the caller's choice of memories."""

    parts: PromptParts
    task: RunTask
    memories: tuple[str, ...] = ()  #: exactly these, in this order
    peek: bool = False  #: look without counting as a recall


class Section(NamedTuple):
    """The memories of a prompt as they are written there."""

    text: str
    tokens: int
    digest: str  #: SHA-256 of the text
    lines: tuple[ContextLine, ...] = ()
    left_out: tuple[str, ...] = ()  #: ids of those that did not fit, or say what another says

    @property
    def memories(self) -> tuple[Memory, ...]:
        return tuple(line.memory for line in self.lines)


class Prompt(NamedTuple):
    """A prompt for an agent."""

    recall: str | None
    text: str
    tokens: int
    digest: str  #: SHA-256 of the text
    budget: int  #: of the section of memories
    section: Section
    redacted: tuple[str, ...] = ()

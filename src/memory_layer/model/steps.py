"""The steps of an agent's session, from its hooks or its transcript, and what is concluded from them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Outcome


class StepKind(StrEnum):
    """The kind of a step."""

    PROMPT = "prompt"  #: a person typed something
    COMMAND = "command"  #: the agent ran a command line
    EDIT = "edit"  #: the agent changed files
    SAID = "said"  #: the agent's last words of a turn


class Step(NamedTuple):
    """One step of a session, redacted."""

    kind: StepKind
    at: datetime
    text: str = ""  #: the words of a person or the agent; of a command the end of its output
    command: str = ""
    files: tuple[str, ...] = ()  #: that were changed, as the agent named them
    passed: bool | None = None  #: whether a command or edit succeeded; None if the agent does not tell


class ShownMemory(NamedTuple):
    """A memory that a session was given."""

    memory: Memory
    at: datetime


class EvidenceKind(StrEnum):
    """The kind of event from which an outcome is concluded."""

    COMMAND = "command"  #: the command that a memory names was run
    FIXED = "fixed"  #: a failing check passed after the advice was followed
    CITED = "cited"  #: the agent named the memory, and its work succeeded
    FILE = "file"  #: the file that a memory names was changed as it says
    REVERTED = "reverted"  #: what followed the advice was taken back
    CORRECTED = "corrected"  #: a person said that it is wrong


class SeenOutcome(NamedTuple):
    """An outcome that nobody reported: it follows from what was seen in a session."""

    memory: str  #: its id
    result: Outcome
    kind: EvidenceKind
    evidence: str  #: a sentence that names what was seen
    at: datetime


class Lesson(NamedTuple):
    """An error that a session overcame, as a memory to be suggested."""

    content: str  #: the text of the memory
    command: str  #: that failed
    error: str  #: its telling line
    fix: str  #: what made it pass
    at: datetime

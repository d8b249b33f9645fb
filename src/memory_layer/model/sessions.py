"""A session of an agent, as the store remembers it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Outcome


class Part(StrEnum):
    """The way a memory took part in a session, in the order of a report."""

    START = "start"  #: given with a context, a run or a prompt for another agent
    PROMPT = "prompt"  #: given with a prompt of a person
    SEARCH = "search"  #: found by a search of the agent
    WARNING = "warning"  #: given as a warning about a command, a file or an error
    LEARNED = "learned"  #: captured from what a person said
    SEEN = "seen"  #: shown by the session to help or to mislead


class SessionLine(NamedTuple):
    """A memory in a session."""

    number: int  #: from 1
    part: Part
    memory: Memory  #: as it is now
    at: datetime  #: when it was given or stored
    query: str = ""  #: the question, command, file or error that it was given for
    recall: str | None = None  #: that it was given by; None for what was learned or seen
    result: Outcome | None = None  #: of what was seen


class SessionReport(NamedTuple):
    """The memories that a session was given, was warned by and left behind."""

    session: str
    writer: str
    project: str | None  #: its key
    begun: datetime
    ended: datetime
    lines: tuple[SessionLine, ...]

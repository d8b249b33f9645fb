"""What happened, and when: events of a session, and what one session hands to the next."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Reason


class EpisodeKind(StrEnum):
    """What kind of event it was."""

    DECISION = "decision"
    ERROR = "error"
    MILESTONE = "milestone"
    ACTION = "action"
    OBSERVATION = "observation"
    REFLECTION = "reflection"
    SESSION_START = "session_start"
    SESSION_END = "session_end"


class EpisodeOutcome(StrEnum):
    """How it came out."""

    SUCCESS = "success"
    FAILURE = "failure"


#: The category each kind of event is filed under.
CATEGORY_OF = {
    EpisodeKind.DECISION: Category.DECISION,
    EpisodeKind.ERROR: Category.TROUBLESHOOTING,
    EpisodeKind.MILESTONE: Category.PROGRESS,
    EpisodeKind.ACTION: Category.PROGRESS,
    EpisodeKind.OBSERVATION: Category.OBSERVATION,
    EpisodeKind.REFLECTION: Category.LEARNING,
    EpisodeKind.SESSION_START: Category.CONTEXT,
    EpisodeKind.SESSION_END: Category.CONTEXT,
}


class Event(NamedTuple):
    """What a caller says has happened."""

    text: str
    kind: EpisodeKind = EpisodeKind.OBSERVATION
    outcome: EpisodeOutcome | None = None
    tags: tuple[str, ...] = ()
    at: datetime | None = None  #: None means now


class Recorded(NamedTuple):
    """What became of an event; it is durable."""

    id: str
    status: str  #: created, or staged until a person has looked
    session: str
    number: int  #: its place in the session, from 1
    kind: EpisodeKind
    outcome: EpisodeOutcome | None
    at: datetime
    redacted: tuple[str, ...] = ()
    reason: str | None = None  #: when staged


class Episode(NamedTuple):
    """An event as it stands in the timeline."""

    memory: Memory
    session: str | None  #: None if no chain knows of it
    number: int | None

    @property
    def forgotten(self) -> bool:
        return self.memory.reason is Reason.FORGOTTEN

    @property
    def kind(self) -> str | None:
        """None of what was forgotten."""
        return text_of(self.memory.metadata, "kind")

    @property
    def outcome(self) -> str | None:
        return text_of(self.memory.metadata, "outcome")


class Timeline(NamedTuple):
    """A stretch of what happened, newest last; `next` leads to what happened before."""

    items: tuple[Episode, ...]
    next: str | None


class HandoffParts(NamedTuple):
    """What one session hands to the next."""

    text: str = ""
    done: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Handoff(NamedTuple):
    """The end of a session as the next one finds it."""

    id: str
    session: str | None
    at: datetime
    done: tuple[str, ...]
    next: tuple[str, ...]
    questions: tuple[str, ...]
    files: tuple[str, ...]
    text: str  #: what was said beside the parts; may be empty


def text_of(metadata: Mapping[str, Any], key: str) -> str | None:
    """What metadata says under a key, if that is a text."""
    value = metadata.get(key)
    return value if isinstance(value, str) else None


def texts_of(metadata: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The texts that metadata lists under a key."""
    value = metadata.get(key)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()

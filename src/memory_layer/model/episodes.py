"""Events of a session, and the handoff from one session to the next."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory_layer.model.memory import Memory
from memory_layer.model.record import Listing, NamedTuple
from memory_layer.model.vocabulary import RESULT_ALIASES, Category, Outcome, Reason


class EpisodeKind(StrEnum):
    """The kind of an event."""

    DECISION = "decision"
    ERROR = "error"
    MILESTONE = "milestone"
    ACTION = "action"
    OBSERVATION = "observation"
    REFLECTION = "reflection"
    SESSION_START = "session_start"
    SESSION_END = "session_end"


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
    """An event as a caller reports it."""

    text: str
    kind: EpisodeKind = EpisodeKind.OBSERVATION
    outcome: Outcome | None = None
    tags: tuple[str, ...] = ()
    at: datetime | None = None  #: None means now


class Recorded(NamedTuple):
    """The result of recording an event, which is durable."""

    id: str
    status: str  #: created, or staged until a person has looked
    session: str
    number: int  #: its place in the session, from 1
    kind: EpisodeKind
    outcome: Outcome | None
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
        """Return the kind of event; None once forgotten."""
        return text_of(self.memory.metadata, "kind")

    @property
    def outcome(self) -> str | None:
        """Return the result; older stores have other words for it."""
        result = text_of(self.memory.metadata, "outcome")
        return None if result is None else RESULT_ALIASES.get(result, result)


class Timeline(Listing[Episode]):
    """A page of events, newest last; `next` leads to earlier ones."""

    items: tuple[Episode, ...]
    next: str | None


class HandoffParts(NamedTuple):
    """The notes one session leaves for the next."""

    text: str = ""
    done: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Handoff(NamedTuple):
    """A handoff as the next session finds it."""

    id: str
    session: str | None
    at: datetime
    done: tuple[str, ...]
    next: tuple[str, ...]
    questions: tuple[str, ...]
    files: tuple[str, ...]
    text: str  #: what was said beside the parts; may be empty


def text_of(metadata: Mapping[str, Any], key: str) -> str | None:
    """Return the text under a metadata key; None if it is not a text."""
    value = metadata.get(key)
    return value if isinstance(value, str) else None


def texts_of(metadata: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the texts listed under a metadata key."""
    value = metadata.get(key)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()

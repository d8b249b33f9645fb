"""Changes to a memory, and their results."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.memory import NOTHING, Citation, Memory
from memory_layer.model.record import Listing, NamedTuple

if TYPE_CHECKING:
    from memory_layer.model.history import Difference
    from memory_layer.model.vocabulary import Category, Priority


class Changes(NamedTuple):
    """The fields to change; what is None or empty stays as it is."""

    content: str | None = None
    category: Category | None = None
    priority: Priority | None = None
    confidence: float | None = None
    relevance: float | None = None
    expires_at: datetime | None = None
    never_expires: bool = False
    scope: tuple[str, ...] | None = None  #: replaces the patterns; an empty tuple means everywhere
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] = NOTHING  #: merged over what is there
    unset_metadata: tuple[str, ...] = ()
    citations: tuple[Citation, ...] | None = None  #: replace those it has; an empty tuple means none


class Edited(NamedTuple):
    """A memory as it is after a change."""

    memory: Memory
    redacted: tuple[str, ...] = ()  #: the kinds of secrets that were taken out
    hint: str | None = None
    changes: tuple[Difference, ...] = ()  #: the fields that are different now


class Curated(NamedTuple):
    """A memory after somebody archived, restored, approved or confirmed it."""

    memory: Memory
    changes: tuple[Difference, ...]  #: the fields that are different now
    confirmed: bool  #: whether it was counted once more as holding
    notice: str | None = None  #: why a confirmation was not counted, or what archiving brought back


class Settled(NamedTuple):
    """The result of a decision about two memories."""

    id: str  #: the memory that is shown
    status: str  #: superseded, merged, conflicts, or proposed: a person decides
    notice: str


class Related(NamedTuple):
    """A memory close to another."""

    memory: Memory
    score: float  #: cosine of the best passages, or the weight of the shared words


class Neighbours(Listing[Related]):
    """The memories closest to one, nearest first."""

    id: str
    mode: str  #: semantic, or keyword without a model
    hits: tuple[Related, ...]


class Traces(NamedTuple):
    """Everything the store holds about one memory."""

    memory: Memory
    links: int
    outcomes: int
    recalls: int  #: answers that gave it out
    copies: tuple[str, ...]  #: archived memories with the same text, or merged into or skipped for it
    lives_on: str | None  #: another memory that says, said or quotes what is erased


class Forgotten(NamedTuple):
    """The memories that were erased."""

    memories: tuple[Memory, ...]
    swept: bool  #: False while another process still has the old bytes open


class Moved(NamedTuple):
    """A memory's relevance before and after outcomes were reported for it."""

    id: str
    relevance_before: float
    relevance: float

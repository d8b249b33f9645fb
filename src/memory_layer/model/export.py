"""What an export carries: the records of a whole store, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from memory_layer.model.context import SavedContext
from memory_layer.model.memory import Change, Link, Memory, Project
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Mode
from memory_layer.model.record import NamedTuple
from memory_layer.model.runs import Ending
from memory_layer.model.vocabulary import Attention


class Kind(StrEnum):
    """The kinds of lines, in the order in which they stand; each refers only to earlier ones."""

    PROJECT = "project"
    MEMORY = "memory"
    EPISODE = "episode"
    LINK = "link"
    AUDIT = "audit"
    QUERY = "query"
    RECALL = "recall"
    OUTCOME = "outcome"
    RUN = "run"
    CONTEXT = "context"
    VECTOR = "vector"
    QUERY_VECTOR = "query_vector"


#: The kinds that are only there when asked for.
VECTORS = (Kind.VECTOR, Kind.QUERY_VECTOR)


class CarriedProject(NamedTuple):
    """A project without the folder it was last seen in, which means nothing elsewhere."""

    id: str
    key: str
    name: str
    aliases: tuple[str, ...]
    created_at: datetime

    def known(self) -> Project:
        return Project(id=self.id, key=self.key, name=self.name, aliases=self.aliases)


class CarriedMemory(NamedTuple):
    """A memory with its project's id in place of the key, and what the store notes beside it."""

    memory: Memory
    project: str | None
    tokens: int
    lease_until: datetime | None


class CarriedEpisode(NamedTuple):
    """An event's place in the chain of its session; a part of a store carries none."""

    session: str
    number: int
    memory: str
    digest: str
    hash: str


class CarriedLink(NamedTuple):
    link: Link
    attention: Attention


class CarriedChange(NamedTuple):
    """A line of the audit chain with the old values that were kept."""

    change: Change
    payload: Mapping[str, object] | None


class CarriedQuery(NamedTuple):
    text: str
    created_at: datetime


class CarriedItem(NamedTuple):
    """One memory of a recall, by its id; some that it gave may not be carried, so ranks have gaps."""

    rank: int
    memory: str
    score: float
    signals: Mapping[str, object]


class CarriedRecall(NamedTuple):
    id: str
    at: datetime
    query: str
    kind: str
    mode: Mode
    ranker: str
    writer: str
    session: str
    project: str | None  #: its id
    items: tuple[CarriedItem, ...]


class CarriedRun(NamedTuple):
    """A run; what it was about and given is in its recall."""

    id: str
    recall: str
    write_scope: tuple[str, ...]
    included: tuple[str, ...]
    excluded: tuple[str, ...]
    ending: Ending | None  #: naming of the memories it used those that are carried


class CarriedContext(NamedTuple):
    """Of what the text of a recall was made; it names also memories that are not carried."""

    recall: str
    kept: SavedContext


class CarriedVector(NamedTuple):
    """The vectors of a memory, one for each passage, in the bytes they are stored in."""

    memory: str
    fingerprint: str
    passages: tuple[bytes, ...]


class CarriedQueryVector(NamedTuple):
    query: str
    fingerprint: str
    numbers: bytes


Carried: TypeAlias = (
    CarriedProject
    | CarriedMemory
    | CarriedEpisode
    | CarriedLink
    | CarriedChange
    | CarriedQuery
    | CarriedRecall
    | OutcomeEvent
    | CarriedRun
    | CarriedContext
    | CarriedVector
    | CarriedQueryVector
)


class Head(NamedTuple):
    """What the first line of an export says."""

    program: str
    space: str | None
    partial: bool
    vectors: bool
    counts: Mapping[str, int]
    audit: tuple[int, str] | None  #: how many entries, and the last hash; None in a part of a store


class Exported(NamedTuple):
    """What was written."""

    file: str | None  #: None on standard output
    format: str
    memories: int
    lines: int
    size_bytes: int
    sha256: str
    partial: bool
    flaws: tuple[str, ...] = ()  #: where the history does not hold, or memories do not fit it

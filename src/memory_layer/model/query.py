"""Queries to the store, and their results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Memory
from memory_layer.model.outcome import Experience
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Priority, Reason, Source, Status, Tier

if TYPE_CHECKING:
    from memory_layer.model.sources import Standing


_PLAIN_LETTERS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
#: What a list can be ordered by.
SORTS = ("created", "updated", "score", "used")
#: Nothing is known to lie idle.
NO_PROJECTS: Mapping[str, datetime] = MappingProxyType({})
#: The bounds of a good and a bad record in the totals.
HIGH, LOW = 0.5, -0.5


class Mode(StrEnum):
    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    KEYWORD = "keyword"


class Reach(StrEnum):
    """The projects whose memories are searched."""

    PROJECT = "project"  #: the project's own and the global ones
    GLOBAL = "global"
    ALL = "all"


class Giving(StrEnum):
    """The occasion on which a memory may be given to an agent unasked."""

    ALWAYS = "always"  #: whatever the task is
    BY_SCOPE = "by scope"  #: for a file that its scope covers


def spelled_alike(tags: Iterable[str]) -> set[str]:
    """Return tags in the form they are compared in: ASCII letters in lower case, as every store does it."""
    return {tag.translate(_PLAIN_LETTERS) for tag in tags}


class Filters(NamedTuple):
    """Conditions on memories; an empty tuple means no restriction."""

    reach: Reach = Reach.ALL
    project: str | None = (
        None  #: the id of the project when reach is PROJECT; None then means only global ones
    )
    categories: tuple[Category, ...] = ()
    tiers: tuple[Tier, ...] = ()
    tags: tuple[str, ...] = ()  #: all of them, in whatever case
    scopes: tuple[str, ...] = ()  #: memories that carry all of these patterns
    paths: tuple[
        str, ...
    ] = ()  #: memories that apply to one of these: their scope covers it, or they have none
    sources: tuple[Source, ...] = ()
    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    reasons: tuple[Reason, ...] = ()  #: why they are staged or archived
    writers: tuple[str, ...] = ()
    min_confidence: float = 0.0
    below_confidence: float | None = None  #: only those with less
    before: datetime | None = None  #: created before
    after: datetime | None = None
    has_outcome: bool | None = None
    ids: tuple[str, ...] = ()
    expired: bool = False  #: include what has expired
    expired_since: datetime | None = (
        None  #: only what has expired after that; of the archive, for no other reason
    )
    superseded: bool = False  #: include what another memory has replaced
    proposed: bool = False  #: only those that somebody proposes for a person's approval
    drifted: bool = False  #: only those whose cited source was last seen changed or missing
    priorities: tuple[Priority, ...] = ()
    exact_scopes: tuple[
        tuple[str, ...], ...
    ] = ()  #: memories whose scope is one of these and nothing else; an empty one means no scope
    labelled: bool = False  #: only those with a scope or a tag
    citing: bool = False  #: only those with citations
    min_confirmations: int = 0  #: stored and confirmed at least so often
    outlived_since: datetime | None = (
        None  #: only what has expired, or what nobody has stored, changed, used or confirmed since
    )
    giving: Giving | None = None  #: only what may be given unasked in the project of these filters
    owner: str | None = None  #: what is shared and what belongs to this one; None means everybody's


class Query(NamedTuple):
    text: str
    filters: Filters = Filters()
    mode: Mode = Mode.HYBRID
    ranker: str = "balanced"
    limit: int = 10
    budget: int | None = None  #: the most tokens the serialised answer may take
    peek: bool = False  #: look without counting as a recall
    group_by: str | None = None  #: one hit for each value of this key; the limit then counts groups
    diverse: bool = False  #: leave out what says the same as a better hit


class Signal(NamedTuple):
    """One part of a score."""

    name: str
    value: float
    share: float  #: what it adds to the score


class Hit(NamedTuple):
    memory: Memory
    score: float
    signals: tuple[Signal, ...] = ()
    experience: Experience | None = None  #: what was reported of it for questions like this one
    conflicts: tuple[str, ...] = ()  #: ids of the memories it contradicts
    group: str | None = None  #: what it has for the key of the query; None if it stands for itself
    more: int = 0  #: how many others of its group were found
    standing: Standing | None = None  #: how what it cites stands today; None if it cites nothing


class NearMiss(NamedTuple):
    """A memory that came close and was left out."""

    memory: Memory
    score: float
    reason: str
    words: str


class Found(NamedTuple):
    recall: str | None  #: None when nothing was recorded
    mode: Mode  #: the mode that was really used
    ranker: str
    hits: tuple[Hit, ...]  #: best first
    cut: int = 0  #: how many hits did not fit the budget
    group_by: str | None = None  #: the key of the query
    duplicates: int | None = (
        None  #: how many gave way because a better hit says the same; None unless asked for
    )
    near_misses: tuple[NearMiss, ...] = ()
    intent: Category | None = None
    stale: Mapping[str, datetime] = (
        NO_PROJECTS  #: when projects that lie idle had their last commit; only if explained
    )
    redacted: tuple[str, ...] = ()
    notice: str | None = None


class Page(NamedTuple):
    """A page of a longer list."""

    items: tuple[Memory, ...]
    next: str | None
    total: int  #: 0 where memories are read through in the order they were stored, which counts nothing


class Total(NamedTuple):
    """Sums over the memories of one project, status, reason, category and tier."""

    project: str | None  #: its key
    status: Status
    reason: Reason | None
    category: Category
    tier: Tier
    memories: int
    outcome_score: float
    tokens: int
    high: int  #: with an outcome score above HIGH
    low: int  #: with one below LOW


class Stats(NamedTuple):
    total: int
    active: int
    archived: int
    archived_by_outcome: int  #: of these, the ones that failed too often
    staged: int
    by_category: Mapping[Category, int]
    high: int  #: active, outcome score above 0.5
    neutral: int
    low: int  #: active, outcome score below -0.5
    average_outcome: float
    tokens_stored: int
    size_bytes: int
    search_mode: Mode
    waiting: int = 0  #: active, and not yet found by meaning; estimated in a large store
    by_tier: Mapping[Tier, int] = MappingProxyType({})
    given_out: int | None = None  #: active, and neither superseded nor expired; None if nobody counted


def place(values: Sequence[str | float | None]) -> str:
    """Encode values as a cursor, from which a list continues behind them."""
    from base64 import urlsafe_b64encode  # few answers have a next page

    return urlsafe_b64encode(json.dumps(list(values)).encode()).decode().rstrip("=")


def values_at(text: str, *kinds: type | tuple[type, ...]) -> list[str | float | None]:
    """Decode a cursor; refuse one whose values do not have the number and types of this list."""
    from base64 import urlsafe_b64decode

    try:
        values = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, list) or len(values) != len(kinds) or not all(map(_is, values, kinds)):
        raise InvalidInput(f"{text[:60]!r} is not a place in this list")
    return values


def _is(value: object, kind: type | tuple[type, ...]) -> bool:
    """Return whether a value has a type and, as a number, fits into the store."""
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    return not isinstance(value, int | float) or abs(value) < 2**63


class Given(NamedTuple):
    """A memory of a recall: its record as it is now, and its score at the time."""

    memory: Memory
    score: float
    signals: Mapping[str, float]  #: the value of each signal by its name
    conflicts: tuple[str, ...] = ()  #: of a run: ids of the others it was given that contradict this one


class Recall(NamedTuple):
    """An answer given to an agent, with its exact list of memories."""

    id: str
    at: datetime
    query: str
    kind: str  #: search, context or run
    mode: Mode
    ranker: str
    writer: str
    session: str
    project: str | None  #: the key of the project it was asked in
    memories: int  #: how many it gave
    hits: tuple[Given, ...] = ()  #: best first; empty in a list of recalls

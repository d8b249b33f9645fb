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
from memory_layer.model.record import Listing, NamedTuple
from memory_layer.model.vocabulary import (
    FAMILIES,
    Category,
    Family,
    Priority,
    Reason,
    Source,
    Status,
    Tier,
)

if TYPE_CHECKING:
    from memory_layer.model.sources import Standing
    from memory_layer.model.upkeep import Upkeep


_PLAIN_LETTERS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
#: No stale projects.
NO_PROJECTS: Mapping[str, datetime] = MappingProxyType({})
#: The bounds of a good and a bad record in the totals.
HIGH, LOW = 0.5, -0.5
EXPIRING_DAYS = 7  #: before its expiry a memory counts as expiring


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
    project: str | None = None  #: the project's id when reach is PROJECT; None then means only global ones
    categories: tuple[Category, ...] = ()
    tiers: tuple[Tier, ...] = ()
    tags: tuple[str, ...] = ()  #: all of them, ignoring case
    scopes: tuple[str, ...] = ()  #: memories with all of these patterns
    paths: tuple[str, ...] = ()  #: memories that apply to one of these: their scope covers it, or is empty
    sources: tuple[Source, ...] = ()
    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    reasons: tuple[Reason, ...] = ()  #: of being staged or archived
    writers: tuple[str, ...] = ()
    min_confidence: float = 0.0
    below_confidence: float | None = None  #: only memories with less
    before: datetime | None = None  #: created before
    after: datetime | None = None
    has_outcome: bool | None = None
    ids: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()  #: memories that were told in one of these
    expired: bool = False  #: include expired memories
    expired_since: datetime | None = (
        None  #: only memories that expired since; archived ones for no other reason
    )
    superseded: bool = False  #: include superseded memories
    proposed: bool = False  #: only memories proposed for a person's approval
    drifted: bool = False  #: only memories whose cited source was last seen changed or missing
    priorities: tuple[Priority, ...] = ()
    exact_scopes: tuple[
        tuple[str, ...], ...
    ] = ()  #: memories with exactly one of these scopes; () for no scope
    labelled: bool = False  #: only memories with a scope or a tag
    citing: bool = False  #: only memories with citations
    min_confirmations: int = 0  #: stored and confirmed at least so often
    outlived_since: datetime | None = (
        None  #: only expired ones, or not stored, changed, used or confirmed since
    )
    giving: Giving | None = None  #: only memories that may be given unasked in the project of these filters
    owner: str | None = None  #: shared memories and this owner's; None for everybody's


class Query(NamedTuple):
    text: str
    filters: Filters = Filters()
    mode: Mode = Mode.HYBRID
    ranker: str = "balanced"
    limit: int = 10
    budget: int | None = None  #: the most tokens the serialised answer may take
    peek: bool = False  #: do not record a recall
    group_by: str | None = None  #: one hit for each value of this key; the limit then counts groups
    diverse: bool = False  #: drop hits that repeat a better one
    nearest: bool = False  #: also return what is too far from the question to be an answer


class Strength(StrEnum):
    """The degree to which a hit answers the question, whatever the other hits are."""

    STRONG = "strong"
    LIKELY = "likely"
    WEAK = "weak"
    NONE = "none"  #: too far to be an answer; only in a search for the nearest


#: The least match of each strength. The calibration behind them is in docs/benchmarks.md.
STRENGTHS = ((0.6, Strength.STRONG), (0.15, Strength.LIKELY), (0.05, Strength.WEAK))


def strength_of(match: float) -> Strength:
    """Return the strength in words of a match from 0 to 1."""
    return next((strength for least, strength in STRENGTHS if match >= least), Strength.NONE)


class Signal(NamedTuple):
    """One part of a score."""

    name: str
    value: float
    share: float  #: what it adds to the score


class WordCount(NamedTuple):
    """The distinctive words of a query, and those of them that a memory has."""

    found: int
    total: int


class Ranks(NamedTuple):
    """The places of a candidate, from 1; None where it is not in the list."""

    keyword: int | None  #: by words alone
    semantic: int | None  #: by meaning alone
    together: int | None  #: by both, without what was reported
    final: int | None  #: as it is given


class PlainHit(NamedTuple):
    """A memory of the plain list by words or by meaning."""

    memory: Memory
    score: float  #: by words the share of the best one's, by meaning the cosine
    ranks: Ranks


class Took(NamedTuple):
    """The time of a search."""

    embedding_ms: float
    rest_ms: float


class Hit(NamedTuple):
    memory: Memory
    score: float
    signals: tuple[Signal, ...] = ()
    match: float = 1.0  #: estimated probability that it answers the question, 0..1
    experience: Experience | None = None  #: outcomes reported for similar questions
    conflicts: tuple[str, ...] = ()  #: ids of the memories it contradicts
    group: str | None = None  #: its value of the query's group_by; None if it has none
    more: int = 0  #: other hits of its group
    standing: Standing | None = None  #: the state of its citations today; None if it cites nothing
    failing: bool = False  #: its score is low, and it failed last
    query_words: WordCount | None = None  #: counted only where a search is explained
    ranks: Ranks | None = None  #: likewise

    @property
    def strength(self) -> Strength:
        """Return the match in words."""
        return strength_of(self.match)


class NearMiss(NamedTuple):
    """A memory that came close and was left out."""

    memory: Memory
    score: float
    reason: str
    words: str


class Found(Listing[Hit]):
    """The hits of a search, best first."""

    recall: str | None  #: None when nothing was recorded
    mode: Mode  #: the mode that was actually used
    ranker: str
    hits: tuple[Hit, ...]  #: best first
    cut: int = 0  #: hits that did not fit the budget
    group_by: str | None = None  #: the key of the query
    duplicates: int | None = None  #: hits dropped because they repeat a better one; None unless requested
    near_misses: tuple[NearMiss, ...] = ()
    by_words: tuple[PlainHit, ...] = ()  #: the plain lists; only if explained
    by_meaning: tuple[PlainHit, ...] = ()
    took: Took | None = None  #: only if explained
    intent: Category | None = None
    stale: Mapping[str, datetime] = NO_PROJECTS  #: the last commits of stale projects; only if explained
    redacted: tuple[str, ...] = ()
    notice: str | None = None


class Page(Listing[Memory]):
    """A page of a longer list."""

    items: tuple[Memory, ...]
    next: str | None
    total: (
        int | None
    )  #: None if counting would take long; 0 when listing in storage order, which does not count
    failing: frozenset[str] = frozenset()  #: ids of the items that are failing


class Total(NamedTuple):
    """Sums over the memories of one project, status, reason, category and tier."""

    project: str | None  #: its key
    status: Status
    reason: Reason | None
    category: Category
    tier: Tier
    memories: int
    tokens: int


class Scores(NamedTuple):
    """Sums over the scores that count now, and what ends soon."""

    total: float = 0.0
    high: int = 0  #: with an outcome score above HIGH
    low: int = 0  #: with one below LOW
    expiring: int = 0  #: active, and expires within EXPIRING_DAYS


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
    waiting: int = 0  #: active, but not embedded yet; estimated in a large store
    by_tier: Mapping[Tier, int] = MappingProxyType({})
    given_out: int | None = None  #: active, and neither superseded nor expired; None if not counted
    known: Mapping[Category, int] = MappingProxyType({})  #: active ones by category
    expiring: int = 0  #: active, and expires within EXPIRING_DAYS
    reach: Reach = Reach.ALL  #: the projects that were counted
    upkeep: Upkeep | None = None  #: when the store was tidied, and when it will be
    project: str | None = None  #: the key of the project that was counted, beside the global memories

    @property
    def by_family(self) -> dict[Family, int]:
        """Sum up the categories by family."""
        return {
            family: sum(self.by_category.get(each, 0) for each in categories)
            for family, categories in FAMILIES.items()
        }


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
        raise InvalidInput(f"{text[:60]!r} is not a cursor of this list")
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
    conflicts: tuple[str, ...] = ()  #: in a run: ids of the other memories that contradict it


class Reports(NamedTuple):
    """Reports by result."""

    worked: int = 0
    partial: int = 0
    failed: int = 0

    @property
    def total(self) -> int:
        return self.worked + self.partial + self.failed


#: The kind of a recall that gave nothing anew: a whole session as a run. Only its id finds it.
SESSION_RECALL = "session"


class Recall(NamedTuple):
    """An answer given to an agent, with its exact list of memories."""

    id: str
    at: datetime
    query: str
    kind: str  #: search, context, compose, warning, prompt or run; or session
    mode: Mode
    ranker: str
    writer: str
    session: str
    project: str | None  #: the key of the project it was asked in
    memories: int  #: number of memories
    hits: tuple[Given, ...] = ()  #: best first; empty in a list of recalls
    reports: Reports = Reports()  #: those that name it

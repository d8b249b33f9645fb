"""The meaning of every filter: one rule each, compiled to SQL and to index masks, and read by `why`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any

from memory_layer.model.query import Filters, Reach, spelled_alike
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason, Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memory_layer.model.memory import Memory

    Covers = Callable[[Sequence[str], str], bool]


class Test(Enum):
    """A comparison of a memory with the value of a filter."""

    REACH = "reach"  #: it belongs to the project, to none, or to any
    OWNER = "owner"  #: it is shared, or belongs to this owner
    ONE_OF = "one of"  #: its column has one of the values
    TAGS = "tags"  #: it carries all of these tags, in whatever case
    PATTERNS = "patterns"  #: its scope names all of these patterns
    COVERS = "covers"  #: it has no scope, or one that covers one of these paths
    AT_LEAST = "at least"
    BELOW = "below"
    JUDGED = "judged"  #: somebody reported on it, or nobody did
    EXPIRED_SINCE = "expired since"  #: it has expired after that; if archived, for no other reason
    UNEXPIRED = "unexpired"  #: if active, it has not expired
    UNREPLACED = "unreplaced"  #: if active, no active memory supersedes it
    PROPOSED = "proposed"  #: active, unapproved, and proposed for approval by its tag
    EXACTLY = "exactly"  #: its scope consists of one of these sets of patterns
    LABELLED = "labelled"  #: it has a scope or a tag
    CITING = "citing"  #: it has citations
    OUTLIVED = (
        "outlived"  #: it has expired, or was last stored, changed, used, recalled or confirmed before that
    )
    GIVING = "giving"  #: it may be given unasked on this occasion
    DRIFTED = "drifted"  #: its cited source was last seen changed or missing
    UNFORGOTTEN = "unforgotten"  #: it was not erased


class FilterRule(NamedTuple):
    """A filter: its comparison, its column, and what `why` says of a memory that it excludes."""

    field: str  #: of Filters
    test: Test
    column: str = ""  #: of a memory
    free: object = ()  #: the value that restricts nothing
    says: Callable[[Any, Memory], str] | None = None  #: explains an exclusion; None for a guard


def _missing_tag(tags: tuple[str, ...], memory: Memory) -> str:
    known = spelled_alike(memory.tags)
    return f"it has no tag {next(tag for tag in tags if not spelled_alike([tag]) <= known)}"


def _missing_pattern(patterns: tuple[str, ...], memory: Memory) -> str:
    return f"its scope does not name {next(each for each in patterns if each not in memory.scope)}"


def _stored(bound: datetime, memory: Memory) -> str:
    return f"it was stored on {memory.created_at:%Y-%m-%d}"


#: In the order in which they are decided.
RULES = (
    FilterRule("reach", Test.REACH, "project", Reach.ALL),
    FilterRule("owner", Test.OWNER, "owner", None),
    FilterRule("categories", Test.ONE_OF, "category", (), lambda _, each: f"its category is {each.category}"),
    FilterRule("tiers", Test.ONE_OF, "tier", (), lambda _, each: f"its tier is {each.tier}"),
    FilterRule("tags", Test.TAGS, "tags", (), _missing_tag),
    FilterRule("scopes", Test.PATTERNS, "scope", (), _missing_pattern),
    FilterRule("paths", Test.COVERS, "scope", (), lambda _, each: f"it applies to {', '.join(each.scope)}"),
    FilterRule("sources", Test.ONE_OF, "source", (), lambda _, each: f"its source is {each.source}"),
    FilterRule("writers", Test.ONE_OF, "writer", (), lambda _, each: f"{each.writer} wrote it"),
    FilterRule("statuses", Test.ONE_OF, "status"),
    FilterRule("reasons", Test.ONE_OF, "reason"),
    FilterRule("ids", Test.ONE_OF, "id"),
    FilterRule("sessions", Test.ONE_OF, "session"),
    FilterRule("min_confidence", Test.AT_LEAST, "confidence", 0.0),
    FilterRule("below_confidence", Test.BELOW, "confidence", None),
    FilterRule("before", Test.BELOW, "created_at", None, _stored),
    FilterRule("after", Test.AT_LEAST, "created_at", None, _stored),
    FilterRule(
        "has_outcome",
        Test.JUDGED,
        free=None,
        says=lambda wanted, _: "nobody reported on it" if wanted else "somebody reported on it",
    ),
    FilterRule("priorities", Test.ONE_OF, "priority"),
    FilterRule("exact_scopes", Test.EXACTLY, "scope"),
    FilterRule("labelled", Test.LABELLED, free=False),
    FilterRule("citing", Test.CITING, "citations", False),
    FilterRule("min_confirmations", Test.AT_LEAST, "reinforcement_count", 0),
    FilterRule("outlived_since", Test.OUTLIVED, free=None),
    FilterRule("giving", Test.GIVING, free=None),
    FilterRule("expired_since", Test.EXPIRED_SINCE, "expires_at", None),
    FilterRule("expired", Test.UNEXPIRED, "expires_at", True),
    FilterRule("superseded", Test.UNREPLACED, free=True),
    FilterRule("proposed", Test.PROPOSED, free=False),
    FilterRule("drifted", Test.DRIFTED, free=False),
)
_FORGOTTEN = FilterRule("reasons", Test.UNFORGOTTEN, "reason")
#: The filters a user chooses; the others guard what may be returned at all.
WISHES = tuple(rule.field for rule in RULES if rule.says)
#: Filters that depend on the time; the others hold until a memory changes.
HOURLY = (Test.EXPIRED_SINCE, Test.UNEXPIRED, Test.OUTLIVED)


def restricting(filters: Filters) -> Iterator[tuple[FilterRule, Any]]:
    """Yield every rule that these filters activate, with its value."""
    for rule in RULES:
        value = getattr(filters, rule.field)
        if value != rule.free:
            yield rule, value
    if Reason.FORGOTTEN not in filters.reasons:
        yield _FORGOTTEN, ()


def without_wishes(filters: Filters) -> Filters:
    """Return the filters without the user's own choices, leaving only the guards."""
    return filters._replace(**{name: Filters._field_defaults[name] for name in WISHES})


def unmet(filters: Filters, memory: Memory, covers: Covers) -> str | None:
    """Explain the first user filter that a memory does not meet; None if it meets all."""
    for rule, value in restricting(filters):
        if rule.says and not _MEETS[rule.test](rule, value, memory, covers):
            return rule.says(value, memory)
    return None


class Facts(NamedTuple):
    """Facts about a memory that its own record does not hold."""

    project: str | None = None  #: the id of its project
    replaced: bool = False  #: whether an active memory supersedes it


def guarding(filters: Filters, memory: Memory, facts: Facts, now: datetime) -> Test | None:
    """Return the first guard that excludes a memory; None if it passes all of them."""
    is_active = memory.status is Status.ACTIVE
    expired = is_active and memory.expires_at is not None and memory.expires_at <= now
    holds = {
        "reach": facts.project is not None
        and not (filters.reach is Reach.PROJECT and facts.project == filters.project),
        "statuses": memory.status not in filters.statuses,
        "expired": expired,
        "superseded": is_active and facts.replaced,
        "min_confidence": memory.confidence < filters.min_confidence,
    }
    counting = {rule.field: rule.test for rule, _ in restricting(filters)}
    return next((counting[field] for field, held in holds.items() if held and field in counting), None)


def _one_of(rule: FilterRule, values: tuple[Any, ...], memory: Memory, covers: Covers) -> bool:
    return getattr(memory, rule.column) in values


def _covered(rule: FilterRule, paths: tuple[str, ...], memory: Memory, covers: Covers) -> bool:
    return not memory.scope or any(covers(memory.scope, path) for path in paths)


#: Tests of a memory against a user's filter, on its record alone.
_MEETS: dict[Test, Callable[[FilterRule, Any, Memory, Covers], bool]] = {
    Test.ONE_OF: _one_of,
    Test.TAGS: lambda rule, tags, memory, _: spelled_alike(tags) <= spelled_alike(memory.tags),
    Test.PATTERNS: lambda rule, patterns, memory, _: {*patterns} <= {*memory.scope},
    Test.COVERS: _covered,
    Test.AT_LEAST: lambda rule, bound, memory, _: getattr(memory, rule.column) >= bound,
    Test.BELOW: lambda rule, bound, memory, _: getattr(memory, rule.column) < bound,
    Test.JUDGED: lambda rule, wanted, memory, _: (
        (memory.worked + memory.failed + memory.partial > 0) is wanted
    ),
}

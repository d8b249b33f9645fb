"""Describe what waits for a person, the possible decisions, and who may make them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from memory_layer.errors import InvalidInput
from memory_layer.model import query as in_list
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.query import Filters
from memory_layer.model.review import Decision, Matter, Waiting
from memory_layer.model.sources import Checked, SourceState
from memory_layer.model.vocabulary import AGAINST_IT, LinkKind, Reason, Status, Tier
from memory_layer.rules.lifecycle import LEAST_CONFIDENCE, RENEWABLE_DAYS
from memory_layer.rules.permissions import (
    Action,
    check_allowed,
    guarded_by_a_person,
    kept_in_sight_by_a_person,
    may,
)

_PAIR = (Decision.KEEP, Decision.MERGE, Decision.SUPERSEDE, Decision.ARCHIVE)

#: Possible decisions for each kind, the harmless first.
OFFERED = {
    Matter.HELD: (Decision.APPROVE, Decision.EDIT, Decision.ARCHIVE),
    Matter.PROPOSED: (Decision.APPROVE, Decision.DROP, Decision.ARCHIVE),
    Matter.QUESTION: (Decision.MERGE, Decision.KEEP, Decision.DROP),
    Matter.CONFLICT: _PAIR,
    Matter.SIMILAR: _PAIR,
    Matter.DRIFTED: (Decision.ACCEPT, Decision.EDIT, Decision.ARCHIVE),
    Matter.FAILING: (Decision.APPROVE, Decision.EDIT, Decision.ARCHIVE),
    Matter.DOUBTFUL: (Decision.APPROVE, Decision.ARCHIVE),
    Matter.EXPIRED: (Decision.RENEW, Decision.ARCHIVE),
}
#: The links that make two memories a pair to look at.
PAIRS = {Matter.CONFLICT: LinkKind.CONFLICTS_WITH, Matter.SIMILAR: LinkKind.RELATES_TO}


_DRIFTS = {SourceState.CHANGED: "has changed", SourceState.MISSING: "is gone"}


#: Filters for the memories that wait by themselves, for the kinds that are no pairs.
SINGLES: dict[Matter, dict[str, Any]] = {
    Matter.HELD: {"statuses": (Status.STAGED,), "reasons": (Reason.REVIEW,)},
    Matter.PROPOSED: {"statuses": (Status.ACTIVE,), "proposed": True},
    Matter.QUESTION: {"statuses": (Status.STAGED,), "reasons": (Reason.QUESTION,)},
    Matter.DRIFTED: {"statuses": (Status.ACTIVE,), "drifted": True},
    Matter.FAILING: {"statuses": (Status.ACTIVE,), "reasons": AGAINST_IT},
    Matter.DOUBTFUL: {"statuses": (Status.ACTIVE,), "below_confidence": LEAST_CONFIDENCE},
    Matter.EXPIRED: {"statuses": (Status.ACTIVE, Status.ARCHIVED), "expired": True},
}


def narrowed(kind: Matter, filters: Filters, now: datetime) -> Filters:
    """Narrow filters to the memories of one kind that wait by themselves."""
    if kind is Matter.EXPIRED:
        filters = filters._replace(expired_since=now - timedelta(days=RENEWABLE_DAYS))
    return filters._replace(**SINGLES[kind])


def offers(kind: Matter, memory: Memory, other: Memory | None) -> tuple[Decision, ...]:
    """Return the possible decisions; only facts can be reworded or merged, and only with a memory that exists."""
    refused: set[Decision] = set()
    if kind is Matter.QUESTION and other is None:
        refused = {Decision.MERGE}
    tiers = {each.tier for each in (memory, other) if each}
    if tiers != {Tier.SEMANTIC}:
        refused |= {Decision.EDIT, Decision.MERGE}
    if Tier.EPISODIC in tiers:
        refused |= {Decision.SUPERSEDE}
    return tuple(each for each in OFFERED[kind] if each not in refused)


def reason(kind: Matter, memory: Memory, other: Memory | None) -> str:
    """Say why it waits."""
    if kind is Matter.PROPOSED:
        return "proposed for a person's approval"
    if kind is Matter.FAILING and memory.reason is Reason.OUTCOME:
        return f"reported as failed; its score fell to {memory.outcome_score:+.2f}"
    if kind is Matter.FAILING:
        return f"runs that used it failed; its confidence fell to {memory.confidence:.2f}"
    if kind is Matter.DOUBTFUL:
        return f"confidence {memory.confidence:.2f} is below {LEAST_CONFIDENCE:g}"
    if kind is Matter.DRIFTED:
        return "a cited source has changed or is gone"
    if kind is Matter.EXPIRED and memory.expires_at:
        return f"expired on {memory.expires_at:%Y-%m-%d}"
    if kind is Matter.CONFLICT and other:
        return f"contradicts {other.id}"
    if kind is Matter.SIMILAR and other:
        return f"says nearly the same as {other.id}; nobody has compared the two yet"
    if kind is Matter.QUESTION and other:
        return f"says nearly the same as {other.id}"
    if kind is Matter.QUESTION:
        return "the memory it was similar to is gone"
    return memory.reason_detail or "not decided yet"


def drift(checks: Sequence[Checked]) -> str:
    """Describe the sources that drifted."""
    return "; ".join(f"{check.citation.where} {_DRIFTS[check.state]}" for check in checks)


def check_rights(item: Waiting, decision: Decision, writer: Writer) -> None:
    """Let an agent answer a question or withdraw what no person guards; everything else needs a person."""
    if may(writer, Action.DECIDE) or (item.kind is Matter.QUESTION and decision is Decision.KEEP):
        return
    if item.kind is not Matter.QUESTION and (decision is not Decision.ARCHIVE or item.kind in PAIRS):
        check_allowed(writer, Action.DECIDE, decision=f"{decision}{_other_way(item)}")
    check_may_archive(item.memory, writer)


def _other_way(item: Waiting) -> str:
    """Suggest what an agent may do instead about a changed source."""
    if item.kind is not Matter.DRIFTED or guarded_by_a_person(item.memory):
        return ""
    return f"; if you have checked the source, use `mem edit {item.memory.id} --cite …` to correct the memory"


def check_may_archive(memory: Memory, writer: Writer) -> None:
    """Refuse to let an agent archive a memory that a person guards."""
    if kept_in_sight_by_a_person(memory):
        check_allowed(writer, Action.ARCHIVE_GUARDED, id=memory.id)


def check_may_end_review(pair: Waiting, writer: Writer) -> None:
    """Refuse to let an agent settle a pair that waits for a person."""
    if pair.other:
        check_allowed(writer, Action.END_REVIEW, id=pair.memory.id, other=pair.other.id)


def newer_first(source: Memory, target: Memory) -> tuple[Memory, Memory]:
    """Sort a linked pair by creation; of twins the link's source counts as newer."""
    return (source, target) if source.created_at >= target.created_at else (target, source)


def place(kind: Matter, inside: str | None) -> str:
    """Encode a position in the queue as a cursor: the kind, and the cursor within its list."""
    return in_list.place([kind.value, inside])


def placed(text: str) -> tuple[Matter, str | None]:
    """Decode such a cursor."""
    kind, inside = in_list.values_at(text, str, (str, type(None)))
    if kind not in list(Matter):
        raise InvalidInput(f"{text[:60]!r} is not a cursor of this list")
    return Matter(kind), None if inside is None else str(inside)

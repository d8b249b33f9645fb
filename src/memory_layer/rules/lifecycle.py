"""Apply outcomes, run results, idle time, confirmations, archiving and restoring to a memory.

Nothing here touches `version`: outcomes and uses have logs of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import SHORTENED, Memory, Writer
from memory_layer.model.outcome import OutcomeEvent, drifted
from memory_layer.model.vocabulary import (
    CATEGORIES,
    PROPOSED_TAG,
    STARTING_CONFIDENCE,
    Category,
    Outcome,
    Reason,
    Source,
    Status,
)
from memory_layer.rules.permissions import Action, may, sentence

#: Effect of one outcome on the visible score; a failure costs more than a success gives.
STEPS = {Outcome.WORKED: 0.2, Outcome.PARTIAL: 0.05, Outcome.FAILED: -0.3}
ARCHIVE_BELOW = -0.5
#: Below this a memory that failed last is not given unasked.
WITHHOLD_BELOW = -0.5
#: The same for one that never worked and was last seen to mislead a session.
WITHHOLD_SEEN_BELOW = -0.1
FAILED_PER_HOUR = 3
#: Below this a memory is not given to a run, and is queued for review.
LEAST_CONFIDENCE = 0.3
#: Effect of a run's end on the confidence of what it used, and the level below which a failure archives.
CONFIDENCE_STEP = 0.1
ARCHIVE_BELOW_CONFIDENCE = 0.2
#: Days after its expiry in which a memory can be renewed.
RENEWABLE_DAYS = 30
#: A lease that ends later than this was given by a clock that ran ahead.
LONGEST_LEASE = timedelta(days=1)

_DECIMALS = 6  # float noise must never decide at the threshold


#: The notice for an agent whose confirmation did not count.
NOT_COUNTED = sentence(Action.CONFIRM_AGAIN)
#: Replaces the text of a forgotten memory.
NOTHING_LEFT = "[forgotten]"
#: Activation below which a memory is archived.
FADED_BELOW = 0.1
_LEAST_WEIGHT = min(traits.activation for traits in CATEGORIES.values())
_SHORTEST_HALF_LIFE = min(traits.half_life_days for traits in CATEGORIES.values() if traits.half_life_days)
#: A memory touched within this many days cannot have faded.
SAFE_DAYS = _SHORTEST_HALF_LIFE * math.log2(_LEAST_WEIGHT / FADED_BELOW)
LARGEST_STEP = 0.05
DAYS_BETWEEN_STEPS = 7
LEAST, MOST = 0.1, 1.0
REPORTS_NEEDED = 3
SESSIONS_NEEDED = 2
#: The share of a report that speaks for a memory; the rest speaks against it.
SAYS = {Outcome.WORKED: 1.0, Outcome.PARTIAL: 0.5, Outcome.FAILED: 0.0}
_RELEVANCE_DECIMALS = 4


def judged(
    memory: Memory,
    result: Outcome,
    at: datetime,
    archive_below: float | None = ARCHIVE_BELOW,
    *,
    everywhere: bool = True,
    weight: float = 1.0,
) -> Memory:
    """Apply one outcome of a weight to a memory; too low a score archives it.

    Only a failure archives, and only one that speaks against the memory `everywhere`; so a restored memory stays
    until it fails again. `updated_at` is left alone: a first failure must not make an old memory look fresh.
    `archive_below=None` never archives.
    """
    score = _moved(memory.outcome_score, memory.last_used_at, result, at, weight)
    after = used(memory, at)._replace(
        outcome_score=score,
        worked=memory.worked + (result is Outcome.WORKED),
        partial=memory.partial + (result is Outcome.PARTIAL),
        failed=memory.failed + (result is Outcome.FAILED),
    )
    too_low = archive_below is not None and score < round(archive_below, _DECIMALS)
    if too_low and everywhere and result is Outcome.FAILED and memory.status is Status.ACTIVE:
        return after._replace(status=Status.ARCHIVED, reason=Reason.OUTCOME, reason_detail=None)
    return after


def fails_everywhere(worked: int, likenesses: Iterable[float | None], floor: float) -> bool:
    """Do failures speak against the memory itself, and not only for one kind of question?

    They do if it never worked, and also failed for a question less similar to this one than `floor`; None stands for
    a failure reported without a question.
    """
    return not worked and any(likeness is None or likeness < floor for likeness in likenesses)


def used(memory: Memory, at: datetime) -> Memory:
    """Count one use without a verdict; the score keeps what it lost while idle."""
    return memory._replace(
        outcome_score=_moved(memory.outcome_score, memory.last_used_at, None, at),
        use_count=memory.use_count + 1,
        last_used_at=_later(memory.last_used_at, at),
    )


def trusted(memory: Memory, succeeded: bool) -> Memory:
    """Move the confidence of a memory by how its run ended; too little archives it.

    Only a failure archives, and `updated_at` is left alone, as with an outcome.
    """
    step = CONFIDENCE_STEP if succeeded else -CONFIDENCE_STEP
    confidence = round(min(1.0, max(0.0, memory.confidence + step)), _DECIMALS)
    after = memory._replace(confidence=confidence)
    if confidence < ARCHIVE_BELOW_CONFIDENCE and not succeeded and memory.status is Status.ACTIVE:
        return after._replace(status=Status.ARCHIVED, reason=Reason.CONFIDENCE, reason_detail=None)
    return after


def as_of(memory: Memory, now: datetime) -> Memory:
    """Return a memory with the score that counts now."""
    score = drifted(memory.outcome_score, memory.last_used_at, now)
    return memory if score == memory.outcome_score else memory._replace(outcome_score=round(score, _DECIMALS))


def may_be_failing(memory: Memory, now: datetime, below: float | None = WITHHOLD_BELOW) -> bool:
    """Is an active memory's score so low that its last report decides whether it is failing?"""
    if below is None or memory.status is not Status.ACTIVE or not memory.failed:
        return False
    bound = below if memory.worked else max(below, WITHHOLD_SEEN_BELOW)
    return drifted(memory.outcome_score, memory.last_used_at, now) < round(bound, _DECIMALS)


def is_failing(
    memory: Memory,
    last: Outcome | None,
    now: datetime,
    below: float | None = WITHHOLD_BELOW,
    *,
    seen: bool = False,
) -> bool:
    """Is a memory failing: its score below `below`, and the last counted report a failure?

    It is marked where it is found, and not given unasked unless a person guards it. The question of a report does
    not matter. If it never worked, one session that was `seen` to be misled is enough. `below=None` turns this off.
    """
    if last is not Outcome.FAILED or below is None or not may_be_failing(memory, now, below):
        return False
    return seen or drifted(memory.outcome_score, memory.last_used_at, now) < round(below, _DECIMALS)


def fold(
    events: Iterable[tuple[Outcome | None, datetime] | tuple[Outcome | None, datetime, float]],
) -> float:
    """Replay events, oldest first, and return the score of a new memory.

    None is a use without a verdict; a weight may follow.
    """
    score, last_used_at = 0.0, None
    for result, at, *weight in events:
        score = _moved(score, last_used_at, result, at, *weight)
        last_used_at = _later(last_used_at, at)
    return score


def counts(failed_in_last_hour: int, result: Outcome, has_evidence: bool) -> bool:
    """Does an outcome move the score? At most 3 failures an hour from one session count without evidence."""
    return result is not Outcome.FAILED or has_evidence or failed_in_last_hour < FAILED_PER_HOUR


def default_expiry(
    category: Category, created_at: datetime, overrides: Mapping[Category, int | None] | None = None
) -> datetime | None:
    """Return when a memory of this category expires; a project may override the days, None for never."""
    days = CATEGORIES[category].expires_days
    if overrides is not None and category in overrides:
        days = overrides[category]
    return None if days is None else created_at + timedelta(days=days)


def ends_sooner(days: int | None, than: int | None) -> bool:
    """Is a term shorter than another? None never ends."""
    return days is not None and (than is None or days < than)


def starting_confidence(source: Source, requested: float | None = None) -> float:
    """Return the source's confidence, or the lower one requested."""
    if requested is None:
        return STARTING_CONFIDENCE[source]
    if math.isnan(requested) or not 0.0 <= requested <= 1.0:
        raise InvalidInput(f"confidence must be between 0 and 1, not {requested}")
    return min(requested, STARTING_CONFIDENCE[source])


def reinforced(memory: Memory, writer: Writer, at: datetime) -> Memory:
    """Confirm a memory, which restarts its decay; an agent's confirmation counts once, in a project.

    Agents choose their names and sessions, so neither counts as another voice. A global memory stays as it is: what
    holds everywhere is for a person to say.
    """
    allowed = may(writer, Action.CONFIRM_AGAIN)
    if memory.project is None and not allowed:
        return memory
    counts = allowed or memory.reinforcement_count == 1
    return memory._replace(
        reinforcement_count=memory.reinforcement_count + counts,
        reinforced_at=_later(memory.reinforced_at, at),
    )


def is_put_away(memory: Memory) -> bool:
    """Was a memory archived for a reason other than its age?"""
    return memory.status is Status.ARCHIVED and memory.reason is not Reason.EXPIRED


def archived(memory: Memory, reason: Reason, at: datetime, detail: str | None = None) -> Memory:
    """Archive a memory; one that is archived already keeps its first reason, unless it only expired."""
    if is_put_away(memory):
        return memory
    return memory._replace(status=Status.ARCHIVED, reason=reason, reason_detail=detail, updated_at=at)


def restored(memory: Memory, at: datetime, overrides: Mapping[Category, int | None] | None = None) -> Memory:
    """Restore an archived memory with its score; an expiry in the past starts anew."""
    if memory.status is not Status.ARCHIVED:
        return memory
    expires_at = memory.expires_at
    if expires_at is not None and expires_at <= at:
        expires_at = default_expiry(memory.category, at, overrides)
    return memory._replace(
        status=Status.ACTIVE,
        reason=None,
        reason_detail=None,
        expires_at=expires_at,
        updated_at=at,
    )


def approved(
    memory: Memory, by: str, at: datetime, overrides: Mapping[Category, int | None] | None = None
) -> Memory:
    """Approve a memory: full confidence, a new term, and no longer held back."""
    marked = memory.status is Status.ACTIVE and memory.reason is not None
    waits = marked or memory.status is Status.STAGED or memory.reason is Reason.CONFIDENCE
    shown = memory._replace(status=Status.ACTIVE, reason=None, reason_detail=None) if waits else memory
    return unproposed(renewed(shown, at, overrides))._replace(
        confidence=1.0, approved_by=by, approved_at=at, updated_at=at
    )


def unproposed(memory: Memory) -> Memory:
    """Remove the tag that proposes a memory for approval."""
    return memory._replace(tags=tuple(tag for tag in memory.tags if tag != PROPOSED_TAG))


def renewed(memory: Memory, at: datetime, overrides: Mapping[Category, int | None] | None = None) -> Memory:
    """Extend a memory by its category's term, or else by its own, at least a day.

    A term that only a project's file had set is not extended.
    """
    if memory.expires_at is None:
        return memory
    expires_at = default_expiry(memory.category, at, overrides)
    if expires_at is None and not ends_by_project(memory):
        expires_at = at + max(memory.expires_at - memory.created_at, timedelta(days=1))
    return ending(memory, expires_at)._replace(updated_at=at)


def ends_by_project(memory: Memory) -> bool:
    """Does a memory expire only because a project's file says so?"""
    return memory.expires_at is not None and SHORTENED in memory.metadata


def ending(memory: Memory, expires_at: datetime | None, *, by_project: bool = False) -> Memory:
    """Set the expiry, and record whether a project's file caused it."""
    metadata = memory.metadata
    if by_project or SHORTENED in metadata:
        metadata = {name: value for name, value in metadata.items() if name != SHORTENED}
        metadata |= {SHORTENED: True} if by_project else {}
    return memory._replace(expires_at=expires_at, metadata=metadata)


def forgotten(memory: Memory, at: datetime) -> Memory:
    """Return the tombstone of a memory: its id, kind and counters, without content."""
    return memory._replace(
        content=NOTHING_LEFT,
        status=Status.ARCHIVED,
        reason=Reason.FORGOTTEN,
        reason_detail=None,
        scope=(),
        tags=(),
        metadata={},
        citations=(),
        source_run_id=None,
        session=None,
        position=None,
        expires_at=None,
        updated_at=at,
    )


def _moved(
    score: float, last_used_at: datetime | None, result: Outcome | None, at: datetime, weight: float = 1.0
) -> float:
    step = 0.0 if result is None else STEPS[result] * weight
    return round(min(1.0, max(-1.0, drifted(score, last_used_at, at) + step)), _DECIMALS)


def _later(known: datetime | None, at: datetime) -> datetime:
    return at if known is None else max(known, at)


def activation(category: Category, confirmations: int, touched: datetime, now: datetime) -> float:
    """Return category weight x 0.5 ^ (days since last touch / half-life) x (1 + ln confirmations)."""
    traits = CATEGORIES[category]
    days = max((now - touched) / timedelta(days=1), 0.0)
    faded = 1.0 if traits.half_life_days is None else math.pow(0.5, days / traits.half_life_days)
    return traits.activation * faded * (1.0 + math.log(max(confirmations, 1)))


def last_touched(memory: Memory) -> datetime:
    """Return the time of the last use, recall, confirmation or change."""
    touches = (
        memory.created_at,
        memory.updated_at,
        memory.last_used_at,
        memory.last_recalled_at,
        memory.reinforced_at,
    )
    return max(at for at in touches if at is not None)


def activation_of(memory: Memory, now: datetime) -> float:
    """Return the activation of a memory."""
    return activation(memory.category, memory.reinforcement_count, last_touched(memory), now)


def adjusted_relevance(
    relevance: float,
    reports: Iterable[OutcomeEvent],
    set_at: datetime | None,
    now: datetime,
    largest_step: float = LARGEST_STEP,
) -> float:
    """Move the relevance one step toward the reports since it was last set, if there are enough.

    Only counted reports after `set_at` matter (None: never set), the last one per session and question. Fewer than 3
    of them, or from fewer than 2 sessions, or within a week of the last change, move nothing.
    """
    if set_at is not None and now - set_at < timedelta(days=DAYS_BETWEEN_STEPS):
        return relevance
    fresh = [each for each in reports if each.counted and (set_at is None or each.at > set_at)]
    last = {(each.session, each.query): each.result for each in fresh}
    if len(last) < REPORTS_NEEDED or len({session for session, _ in last}) < SESSIONS_NEEDED:
        return relevance
    speaks_for = sum(SAYS[result] for result in last.values())
    against = len(last) - speaks_for
    step = largest_step * (speaks_for - against) / (len(last) + 1)
    # What somebody set below the least is not raised by a failure, nor lowered.
    return round(min(MOST, max(min(LEAST, relevance), relevance + step)), _RELEVANCE_DECIMALS)


def lease_bounds(now: datetime) -> tuple[datetime, datetime]:
    """Return the bounds of a lease that a living writer can hold: one that ends before or after them is abandoned."""
    return now, now + LONGEST_LEASE

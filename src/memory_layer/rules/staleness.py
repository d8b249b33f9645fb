"""When a project lies idle, and when it is time to look whether it does."""

from __future__ import annotations

from datetime import datetime, timedelta

STALE_DAYS = 90
LOOK_EVERY_HOURS, LOOK_AGAIN_HOURS = 24, 1  #: the latter at what is stale, so that a new commit is soon seen


def stale_before(now: datetime) -> datetime:
    """A project whose last commit is no later than this is stale."""
    return now - timedelta(days=STALE_DAYS)


def is_stale(last_commit_at: datetime | None, now: datetime) -> bool:
    """Whether there was no commit for 90 days; a project of which no commit is known is never stale."""
    return last_commit_at is not None and last_commit_at <= stale_before(now)


def look_is_due(looked_at: datetime | None, last_commit_at: datetime | None, now: datetime) -> bool:
    """Whether a day has passed since the last look, or an hour if it is stale; one in the future had a wrong clock."""
    hours = LOOK_AGAIN_HOURS if is_stale(last_commit_at, now) else LOOK_EVERY_HOURS
    return looked_at is None or abs(now - looked_at) >= timedelta(hours=hours)


def latest(known: datetime | None, seen: datetime | None, now: datetime) -> datetime | None:
    """The last commit after another look: work trees share a project, and one may lie behind the others.

    A commit from the future was made by a wrong clock and counts as one of now, so that others can follow it.
    """
    if seen is None:
        return None
    return min(max(known or seen, seen), now)

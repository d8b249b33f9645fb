"""Decide when a project is stale, and when to look at it again."""

from __future__ import annotations

from datetime import datetime, timedelta

STALE_DAYS = 90
LOOK_EVERY_HOURS, LOOK_AGAIN_HOURS = 24, 1  #: the latter at what is stale, so that a new commit is soon seen


def stale_before(now: datetime) -> datetime:
    """Return the time at or before which a last commit makes a project stale."""
    return now - timedelta(days=STALE_DAYS)


def is_stale(last_commit_at: datetime | None, now: datetime) -> bool:
    """Has there been no commit for 90 days? A project without a known commit is never stale."""
    return last_commit_at is not None and last_commit_at <= stale_before(now)


def look_is_due(looked_at: datetime | None, last_commit_at: datetime | None, now: datetime) -> bool:
    """Is it a day since the last look, or an hour for a stale project? A look in the future had a wrong clock."""
    hours = LOOK_AGAIN_HOURS if is_stale(last_commit_at, now) else LOOK_EVERY_HOURS
    return looked_at is None or abs(now - looked_at) >= timedelta(hours=hours)


def latest(known: datetime | None, seen: datetime | None, now: datetime) -> datetime | None:
    """Return the later of the known and the seen commit: one worktree may lag behind the others.

    A commit from the future comes from a wrong clock and counts as one of now, so that later ones can follow it.
    """
    if seen is None:
        return None
    return min(max(known or seen, seen), now)

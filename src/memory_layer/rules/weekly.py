"""Decide when a store is due for tidying."""

from __future__ import annotations

from datetime import datetime, timedelta

from memory_layer.model.upkeep import ConsolidationMark

DUE_DAYS = 7
#: Hours after which an unfinished run counts as dead.
GIVEN_UP_HOURS = 1


def is_due(mark: ConsolidationMark, now: datetime) -> bool:
    """Has a week passed, and is nobody else at work?"""
    return not is_at_work(mark.begun, now) and not _within(mark.finished, timedelta(days=DUE_DAYS), now)


def is_at_work(begun: datetime | None, now: datetime) -> bool:
    """Could somebody who began then still be at it?"""
    return _within(begun, timedelta(hours=GIVEN_UP_HOURS), now)


def next_at(last: datetime | None) -> datetime | None:
    """Return when the next run is due after the last one; None if there is nothing to count from."""
    return None if last is None else last + timedelta(days=DUE_DAYS)


def _within(at: datetime | None, span: timedelta, now: datetime) -> bool:
    """Was that less than `span` ago? A time far in the future came from a wrong clock."""
    return at is not None and abs(now - at) < span

"""Moments as people write them: `7d`, `2w`, a date, or a time of day."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from memory_layer.errors import InvalidInput

_SPAN = re.compile(r"(\d{1,6}) *(h|d|w|y)", re.IGNORECASE)
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "y": 24 * 365}


def past(text: str, now: datetime) -> datetime:
    """The moment a span ago, or the one that is named."""
    return _moment(text, now, -1)


def future(text: str, now: datetime) -> datetime:
    """The moment a span from now, or the one that is named."""
    return _moment(text, now, +1)


def _moment(text: str, now: datetime, direction: int) -> datetime:
    try:
        if span := _SPAN.fullmatch(text.strip()):
            return now + direction * timedelta(hours=int(span[1]) * _HOURS[span[2].lower()])
        named = datetime.fromisoformat(text.strip())
        return named.replace(tzinfo=UTC) if named.tzinfo is None else named.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{text[:40]!r} is not a time; write a span such as 7d, 2w or 12h, or a date such as 2026-02-05"
        ) from None

"""Single fields of other programs' records as values of ours; whatever makes no sense becomes nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memory_layer.model.vocabulary import category_named

if TYPE_CHECKING:
    from memory_layer.model.imports import Origin
    from memory_layer.model.vocabulary import Category

LONGEST_NAME = 200  #: characters of a project's name
ROOM = 12 * 1024  #: bytes that the lists under `imported` may take together
MOST_TIMES = 1_000_000  #: a larger count says nothing more
#: Where everything is kept that has no place of its own here.
KEY = "imported"


def category(word: object) -> Category | None:
    """The category of that name, if there is one here."""
    try:
        return category_named(str(word)) if word else None
    except ValueError:
        return None


def json_object(text: object) -> dict[str, Any] | None:
    """A JSON object; None for nothing, and anything else under one key."""
    if text is None or text == "":
        return None
    try:
        value = json.loads(text) if isinstance(text, str | bytes) else text
    except (ValueError, RecursionError):
        value = text
    return value if isinstance(value, dict) else {"metadata": _plain(value)}


def listed(value: object) -> tuple[str, ...]:
    """A JSON list or words between commas, each once."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = str(value)
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return tuple(dict.fromkeys(word for part in parts if (word := str(part).strip())))


def content(value: object) -> str:
    """The text of a memory; an empty one, which is refused by its own sentence, for what is none."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return "" if value is None else str(value)


def moment(value: object) -> datetime | None:
    """A time given in seconds since 1970 or in ISO 8601."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        found = datetime.fromisoformat(str(value)) if value else None
        aware = found.replace(tzinfo=UTC) if found and found.tzinfo is None else found
        return aware.astimezone(UTC) if aware else None
    except (ValueError, OverflowError, OSError):
        return None


def count(value: object) -> int:
    """A whole number of times; fading counts are rounded."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return min(MOST_TIMES, max(0, round(value)))


def share(value: object) -> float | None:
    """A number from 0 to 1."""
    return float(value) if isinstance(value, int | float) and 0.0 <= value <= 1.0 else None


def name(value: object) -> str | None:
    """The name of a project: one line of text."""
    bare = " ".join(str(value).split()) if isinstance(value, str) else ""
    return bare if bare and len(bare) <= LONGEST_NAME and bare.isprintable() else None


def metadata(
    origin: Origin,
    own: Mapping[str, Any] | None,
    row: Mapping[str, Any],
    lists: Mapping[str, list[dict[str, Any]] | None] | None = None,
) -> dict[str, object]:
    """A memory's own metadata, and beside it the fields of its row that have no place here."""
    kept: dict[str, object] = {"store": origin.value}
    kept |= {key: _plain(value) for key, value in row.items() if value is not None}
    room = ROOM
    for label, entries in (lists or {}).items():
        fitting: list[object] = []
        for entry in entries or []:
            plain = {key: _plain(value) for key, value in entry.items() if value is not None}
            room -= len(json.dumps(plain, default=str))
            if room > 0:
                fitting.append(plain)
        if entries:
            kept[label] = fitting
            if len(fitting) < len(entries):
                kept[f"{label}_left_out"] = len(entries) - len(fitting)
    key = KEY if KEY not in (own or {}) else f"{KEY}_from"
    return {**(own or {}), key: kept}


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value

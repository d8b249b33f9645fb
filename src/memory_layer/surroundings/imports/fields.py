"""Map the fields of other memory programs to those of a memory here.

A field with an equivalent here is mapped to it; every other one is kept unchanged in the metadata under `imported`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_layer.model.imports import Origin
from memory_layer.model.vocabulary import Category, category_named

LONGEST_NAME = 200  #: characters of a project's name
MOST_LISTED_BYTES = 12 * 1024  #: of the lists under `imported` together
MOST_TIMES = 1_000_000  #: limit of a count
#: The metadata key of fields without an equivalent here.
KEY = "imported"


def category(word: object) -> Category | None:
    """Return the category of that name, if there is one."""
    try:
        return category_named(str(word)) if word else None
    except ValueError:
        return None


def json_object(text: object) -> dict[str, Any] | None:
    """Parse a JSON object; None for nothing, and anything else under one key."""
    if text is None or text == "":
        return None
    try:
        value = json.loads(text) if isinstance(text, str | bytes) else text
    except (ValueError, RecursionError):
        value = text
    return value if isinstance(value, dict) else {"metadata": _plain(value)}


def listed(value: object) -> tuple[str, ...]:
    """Parse a JSON list or comma-separated words, without duplicates."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = str(value)
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return tuple(dict.fromkeys(word for part in parts if (word := str(part).strip())))


def content(value: object) -> str:
    """Return the text of a memory; empty, which is refused later, if there is none."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return "" if value is None else str(value)


def moment(value: object) -> datetime | None:
    """Parse a time in seconds since 1970 or in ISO 8601."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        found = datetime.fromisoformat(str(value)) if value else None
        aware = found.replace(tzinfo=UTC) if found and found.tzinfo is None else found
        return aware.astimezone(UTC) if aware else None
    except (ValueError, OverflowError, OSError):
        return None


def count(value: object) -> int:
    """Round a count to a whole number; 0 if it is none."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return min(MOST_TIMES, max(0, round(value)))


def share(value: object) -> float | None:
    """Return a number from 0 to 1; None for anything else."""
    return float(value) if isinstance(value, int | float) and 0.0 <= value <= 1.0 else None


def name(value: object) -> str | None:
    """Return a project's name as one line of text; None if it is unusable."""
    bare = " ".join(str(value).split()) if isinstance(value, str) else ""
    return bare if bare and len(bare) <= LONGEST_NAME and bare.isprintable() else None


def metadata(
    origin: Origin,
    own: Mapping[str, Any] | None,
    row: Mapping[str, Any],
    lists: Mapping[str, list[dict[str, Any]] | None] | None = None,
) -> dict[str, object]:
    """Return a memory's own metadata, with the fields of its row that have no place here under `imported`."""
    extra: dict[str, object] = {"store": origin.value}
    extra |= {key: _plain(value) for key, value in row.items() if value is not None}
    bytes_left = MOST_LISTED_BYTES
    for label, entries in (lists or {}).items():
        fitting: list[object] = []
        for entry in entries or []:
            plain = {key: _plain(value) for key, value in entry.items() if value is not None}
            bytes_left -= len(json.dumps(plain, default=str))
            if bytes_left > 0:
                fitting.append(plain)
        if entries:
            extra[label] = fitting
            if len(fitting) < len(entries):
                extra[f"{label}_left_out"] = len(entries) - len(fitting)
    key = KEY if KEY not in (own or {}) else f"{KEY}_from"
    return {**(own or {}), key: extra}


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def place(path: Path, key: Any) -> str:
    """Return where an entry of a file is, for a report."""
    return f"{path.name}#{str(key)[:80]}"


def key_of(path: Path, key: Any) -> str:
    """Return how other entries of the same file refer to this one."""
    return f"{path}#{key}"

"""A place in a list as text, so that the next page can begin there."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memory_layer.errors import InvalidInput


def place(values: Sequence[str | float | None]) -> str:
    """What a caller gives back to go on behind these values."""
    from base64 import urlsafe_b64encode  # few answers have a next page

    return urlsafe_b64encode(json.dumps(list(values)).encode()).decode().rstrip("=")


def values_at(text: str, *kinds: type | tuple[type, ...]) -> list[str | float | None]:
    """The values of such a text, if they are as many and of the kinds that this list has."""
    from base64 import urlsafe_b64decode

    try:
        values = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, list) or len(values) != len(kinds) or not all(map(_is, values, kinds)):
        raise InvalidInput(f"{text[:60]!r} is not a place in this list")
    return values


def _is(value: object, kind: type | tuple[type, ...]) -> bool:
    """Whether a value is of a kind and can be asked for; numbers have their limit."""
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    return not isinstance(value, int | float) or abs(value) < 2**63

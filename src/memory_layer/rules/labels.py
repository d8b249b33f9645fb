"""Words that label a memory: `key=value` is metadata, a bare word is a tag."""

from __future__ import annotations

import math
from collections.abc import Sequence

from memory_layer.errors import InvalidInput

_TRUTH = {"true": True, "false": False}
_LARGEST = 2**63  #: beyond it other programs would round
_LONGEST = 24  #: characters of a number


def split(words: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The tags and the pairs, values still as they were written."""
    tags, pairs = [], {}
    for word in words:
        key, sign, value = word.partition("=")
        if not key.strip():
            raise InvalidInput(f"{word[:40]!r} is neither a tag nor key=value")
        if sign:
            pairs[key.strip()] = value
        else:
            tags.append(key.strip())
    return tuple(tags), pairs


def coerced(text: str) -> bool | int | float | str:
    """A truth value or a number where the text is exactly one, so that 007 and version 1.10 stay as they are."""
    if text.lower() in _TRUTH:
        return _TRUTH[text.lower()]
    if len(text) > _LONGEST:
        return text
    for kind in (int, float):
        number = _number(text, kind)
        if number is not None and str(number) == text:
            return number
    return text


def _number(text: str, kind: type[int] | type[float]) -> int | float | None:
    try:
        number = kind(text)
    except ValueError:
        return None
    fits = math.isfinite(number) and (isinstance(number, float) or -_LARGEST <= number < _LARGEST)
    return number if fits else None

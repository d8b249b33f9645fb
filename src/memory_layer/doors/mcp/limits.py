"""Keep answers below the size at which clients cut: shorten texts with a mark, page lists by a cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memory_layer.doors import wire
from memory_layer.text.tokens import estimate

Shape = dict[str, Any]

MOST_TOKENS = 20_000  #: of any answer; clients cut at about 25,000
LONGEST_TEXT = 2_000  #: characters of a text in a list
#: Characters to which texts are cut, step by step, until an answer fits.
SHORTER = (8_000, 4_000, 2_000, 1_000, 500, 250, 120, 60, 20)
LEAST_LISTED = 2  #: texts that a list keeps
WHOLE = "memory_get returns all of it"


def size(shape: Shape) -> int:
    """Estimate the tokens of an answer as it is sent."""
    return estimate(wire.text(shape))


def is_small(shape: Shape, most: int) -> bool:
    text = wire.text(shape)
    return 3 * len(text) <= most or estimate(text) <= most  # no character has more than three tokens


def shortened(text: str, characters: int, where: str = WHOLE) -> str:
    """Return a text, or its beginning and where to find the rest."""
    if len(text) <= characters:
        return text
    return f"{text[:characters]}… ({len(text) - characters:,} more characters; {where})"


def bounded(shape: Shape, most: int = MOST_TOKENS, where: str = WHOLE) -> Shape:
    """Shorten the longest texts of an answer until it fits."""
    if is_small(shape, most):
        return shape
    shorter = shape
    for characters in SHORTER:
        shorter = _shortened(shape, characters, where)
        if is_small(shorter, most):
            break
    return shorter


def _shortened(value: Any, characters: int, where: str) -> Any:
    if isinstance(value, str):
        return shortened(value, characters, where)
    if isinstance(value, dict):
        return {name: _shortened(inner, characters, where) for name, inner in value.items()}
    if not isinstance(value, list):
        return value
    most = max(LEAST_LISTED, characters // 60)
    if all(isinstance(inner, str) for inner in value) and len(value) > most:
        shown = [_shortened(inner, characters, where) for inner in value[:most]]
        return [*shown, f"… ({len(value) - most} more; {where})"]
    return [_shortened(inner, characters, where) for inner in value]


def fitting(
    limit: int, page_of: Callable[[int], Shape], name: str = "items", most: int = MOST_TOKENS
) -> Shape:
    """Return the answer with as many entries as fit; `listed` makes one of a given length."""
    shape = page_of(limit)
    while (count := len(shape[name])) > 1 and not is_small(shape, most):
        shape = page_of(max(1, min(count - 1, count * most // size(shape))))
    return shape


def first(shape: Shape, name: str, where: str) -> Shape:
    """Return the answer with as many entries of a list as fit, how many did not, and how to see them."""
    every = shape[name]

    def page_of(count: int) -> Shape:
        if count >= len(every):
            return shape
        return shape | {name: every[:count], "left_out": len(every) - count, "rest": where}

    return fitting(len(every), page_of, name)

"""What a Python caller gives, checked where it comes in, so that a mistake is one sentence and no traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from math import isfinite
from typing import TypeVar

from memory_layer.errors import InvalidInput
from memory_layer.model.vocabulary import Category, category_named

T = TypeVar("T")
W = TypeVar("W", bound=StrEnum)
LONGEST_SHOWN = 80  #: characters of what was given instead


def word(kind: type[W], given: object, name: str) -> W:
    """A word of a fixed set, or a sentence that lists them."""
    if isinstance(given, str):
        try:
            return kind(given)
        except ValueError:
            pass
    raise InvalidInput(f"{name} must be one of {', '.join(kind)}, not {shown(given)}")


def category(given: object) -> Category:
    """A category by one of its names."""
    try:
        return category_named(text(given, "category"))
    except ValueError as error:
        raise InvalidInput(str(error)) from None


def text(given: object, name: str) -> str:
    if not isinstance(given, str):
        raise InvalidInput(f"{name} must be a text, not {shown(given)}")
    return given


def texts(given: object, name: str) -> tuple[str, ...]:
    """Several texts; a single one would be taken for its letters."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InvalidInput(f"{name} must be a list of texts, not {shown(given)}")
    return tuple(text(each, f"each of {name}") for each in given)


def several(given: object, name: str) -> tuple[object, ...]:
    """Anything that comes in a row; a text or a dict is one thing."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InvalidInput(f"{name} must be a list, not {shown(given)}")
    return tuple(given)


def number(given: object, name: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise InvalidInput(f"{name} must be a number, not {shown(given)}")
    if not isfinite(given):
        raise InvalidInput(f"{name} must be a finite number")
    return given


def whole(given: object, name: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise InvalidInput(f"{name} must be a whole number, not {shown(given)}")
    return given


def moment(given: object, name: str) -> datetime:
    if not isinstance(given, datetime):
        raise InvalidInput(f"{name} must be a datetime, not {shown(given)}")
    if given.utcoffset() is None:
        raise InvalidInput(f"{name} needs a time zone, such as datetime.now(UTC)")
    return given


def yes_or_no(given: object, name: str) -> bool:
    if not isinstance(given, bool):
        raise InvalidInput(f"{name} must be True or False, not {shown(given)}")
    return given


def optional(check: Callable[[object, str], T], given: object, name: str) -> T | None:
    """The same, where nothing may be given."""
    return None if given is None else check(given, name)


def shown(given: object) -> str:
    """What was given instead, cut where it is long."""
    said = repr(given)
    return said if len(said) <= LONGEST_SHOWN else f"{said[:LONGEST_SHOWN]}…"

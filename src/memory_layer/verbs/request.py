"""Requests: frozen records whose fields are coerced and checked here for every door."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, categories_named, category_named

if TYPE_CHECKING:
    from typing import TypeAlias


R = TypeVar("R")
Coerce = Callable[[object, str, datetime], Any]  #: from a value, the name of its field and the time

LARGEST_WHOLE = 10**18 - 1  #: that a store can compare
FIRST_YEAR, LAST_YEAR = 1970, 9000  #: of a clock; spans are counted back and ahead from it
LONGEST_SHOWN = 80  #: characters of a refused value in the error about it
#: Other names of fields; the first field that a request has is meant.
ALIASES = {
    "type": ("category", "categories"),
    "memory_type": ("category", "categories"),
    "scope_patterns": ("scope",),
    "scope": ("filters.paths",),
}
#: Fields that take several words, also as one text with commas between them.
IN_ONE_TEXT = ("tags", "add_tags", "remove_tags", "categories")

NO_NAMES: Mapping[str, str] = MappingProxyType({})

Past: TypeAlias = datetime  #: a time as people write it: `7d` means a week ago
Future: TypeAlias = datetime  #: a time as people write it: `7d` means in a week


_SPAN = r"(?i)(\d{1,6}) *(h|d|w|y)"
_COMMA = r",(?![^{]*\})"  #: that is not in braces
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "y": 24 * 365}


class Nothing(NamedTuple):
    """No arguments."""


class Several(NamedTuple):
    """Memories by their ids or prefixes of them."""

    memory_ids: tuple[str, ...]


def coerced(
    kind: type[R],
    values: Mapping[str, object],
    now: datetime,
    prefix: str = "",
    names: Mapping[str, str] = NO_NAMES,
) -> R:
    """Build a request from raw values; an InvalidInput names the field that is wrong.

    `names` maps fields to a door's own names for them; one with an empty name is left out of its fields' names.
    """
    coercers = _coercers(kind)  # type: ignore[arg-type]
    if not ALIASES.keys().isdisjoint(values):
        defaults: Mapping[str, object] = kind._field_defaults  # type: ignore[attr-defined]
        values = _by_own_names(tuple(coercers), values, defaults)
    if unknown := values.keys() - coercers.keys():
        first = next(name for name in values if name in unknown)
        raise InvalidInput(f"there is no argument {shown(first)}; the arguments are {', '.join(coercers)}")
    if missing := _required(kind) - values.keys():  # type: ignore[arg-type]
        first = next(name for name in coercers if name in missing)
        raise InvalidInput(f"{names.get(first, first)} is missing")
    return kind(
        **{name: coercers[name](value, names.get(name, prefix + name), now) for name, value in values.items()}
    )


def declared(kind: Any, field: str) -> tuple[str, object, Mapping[str, Any]]:
    """Return the annotation of a field, or of `record.field`, its default, and the namespace of its module."""
    head, _, inner = field.partition(".")
    home = vars(sys.modules[kind.__module__])
    if inner:
        kind = home[kind.__annotations__[head].removesuffix(" | None")]
        home, head = vars(sys.modules[kind.__module__]), inner
    return kind.__annotations__[head], kind._field_defaults.get(head, ...), home


@cache
def _required(kind: type[Any]) -> frozenset[str]:
    required: frozenset[str] = frozenset(kind._fields) - kind._field_defaults.keys()
    return required


def _by_own_names(
    fields: tuple[str, ...], values: Mapping[str, object], defaults: Mapping[str, object]
) -> Mapping[str, object]:
    """Replace aliases by field names; an alias of None is ignored."""
    aliases = {name: own_name(name, fields) for name in values if own_name(name, fields) != name}
    if not aliases:
        return values
    own = {name: value for name, value in values.items() if name not in aliases}
    for alias, field in aliases.items():
        value = values[alias]
        if value is None:
            continue
        if own.get(field, value) not in (value, defaults.get(field)):
            raise InvalidInput(f"{alias} is an alias of {field}; use only one of them")
        own[field] = value
    return own


def own_name(name: str, fields: Container[str]) -> str:
    """Return the field that a name is an alias of among these; a name without one stays as it is."""
    if name in fields:
        return name
    return next((field for field in ALIASES.get(name, ()) if field in fields), name)


@cache
def _coercers(kind: type[Any]) -> dict[str, Coerce]:
    home = vars(sys.modules[kind.__module__])
    coercers = {name: _coercer(annotation, home) for name, annotation in kind.__annotations__.items()}
    return {
        name: _split_first(coercer) if name in IN_ONE_TEXT else coercer for name, coercer in coercers.items()
    }


def split_words(text: str) -> list[str]:
    """Split a text at its commas; one in braces belongs to a pattern."""
    return [word.strip() for word in re.split(_COMMA, text) if word.strip()] if "," in text else [text]


def _split_first(coerce: Coerce) -> Coerce:
    """Split texts at commas before a list is coerced."""

    def split(value: object, name: str, now: datetime) -> object:
        if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
            return coerce(value, name, now)  # which refuses it
        entries = [value] if isinstance(value, str) else value
        each = [
            word for entry in entries for word in (split_words(entry) if isinstance(entry, str) else [entry])
        ]
        return coerce(each, name, now)

    return split


def _coercer(annotation: str, home: Mapping[str, Any]) -> Coerce:
    """Return the coercion for an annotation, whose names are looked up in its module."""
    if annotation.endswith(" | None"):
        inner = _coercer(annotation.removesuffix(" | None"), home)
        return lambda value, name, now: None if value is None else inner(value, name, now)
    if annotation.startswith("tuple[") and annotation.endswith(", ...]"):
        return _list_of(annotation.removeprefix("tuple[").removesuffix(", ...]"), home)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    kind = home[annotation]
    if kind is Category:
        return lambda value, name, now: _category(value)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return lambda value, name, now: word(kind, value, name)
    return lambda value, name, now: _record(kind, value, name, now)


def _list_of(annotation: str, home: Mapping[str, Any]) -> Coerce:
    widens = home.get(annotation) is Category  # in a list, a family stands for its categories
    each = _categories if widens else _coercer(annotation, home)
    what = "a list of texts" if annotation != "object" else "a list"

    def coerce(value: object, name: str, now: datetime) -> tuple[Any, ...]:
        # A single text would be taken for its letters, and a dict for its keys.
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            raise InvalidInput(f"{name} must be {what}, not {shown(value)}")
        found = tuple(each(one, f"each of {name}", now) for one in value)
        return tuple(inner for one in found for inner in one) if widens else found

    return coerce


def word(kind: type[StrEnum], value: object, name: str) -> StrEnum:
    """Return a word of a fixed set, ignoring case; the InvalidInput lists the set."""
    if isinstance(value, str):
        try:
            return kind(value.strip().lower())
        except ValueError:
            pass
    raise InvalidInput(f"{name} must be one of {', '.join(kind)}, not {shown(value)}")


def _category(value: object) -> Category:
    try:
        return category_named(_text(value, "category"))
    except ValueError as error:
        raise InvalidInput(str(error)) from None


def _categories(value: object, name: str, now: datetime) -> tuple[Category, ...]:
    """Return a category, or all of a family."""
    try:
        return categories_named(_text(value, name))
    except ValueError as error:
        raise InvalidInput(str(error)) from None


def _text(value: object, name: str, now: datetime | None = None) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text, not {shown(value)}")
    return value


def _whole(value: object, name: str, now: datetime) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{name} must be a whole number, not {shown(value)}")
    if abs(value) > LARGEST_WHOLE:
        raise InvalidInput(f"{name} must be a whole number of at most 18 digits")
    return value


def _number(value: object, name: str, now: datetime) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{name} must be a number, not {shown(value)}")
    try:
        if isfinite(value):
            return float(value)
    except OverflowError:  # a whole number beyond every float
        pass
    raise InvalidInput(f"{name} must be a finite number")


def _yes_or_no(value: object, name: str, now: datetime) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be True or False, not {shown(value)}")
    return value


def _moment(value: object, name: str) -> datetime:
    if not isinstance(value, datetime):
        raise InvalidInput(f"{name} must be a datetime, not {shown(value)}")
    if value.utcoffset() is None:
        raise InvalidInput(f"{name} needs a time zone, such as datetime.now(UTC)")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"{name} is too far in the past or future: {shown(value)}") from None


def clock_of(value: object) -> Callable[[], datetime]:
    """Wrap a caller's clock: convert to UTC, and refuse a value that is no usable time."""
    if not callable(value):
        raise InvalidInput(f"now must be a clock, a function that returns the time, not {shown(value)}")

    def now() -> datetime:
        at = _moment(value(), "the result of now")
        if not FIRST_YEAR <= at.year <= LAST_YEAR:
            raise InvalidInput(
                f"the result of now must be in the years {FIRST_YEAR} to {LAST_YEAR}, not {at.year}"
            )
        return at

    return now


def _past(value: object, name: str, now: datetime) -> datetime:
    if isinstance(value, str):
        return past(value, now)
    return _moment(value, name)


def _future(value: object, name: str, now: datetime) -> datetime:
    if isinstance(value, str):
        return future(value, now)
    return _moment(value, name)


def path_of(value: object, name: str, now: datetime | None = None) -> Path:
    """Return a path; refuse one that no file system could look up."""
    if not isinstance(value, str | Path):
        raise InvalidInput(f"{name} must be a path, not {shown(value)}")
    try:
        if b"\0" not in os.fsencode(value):
            return Path(value)
    except UnicodeEncodeError:
        pass
    raise InvalidInput(f"{name} must be a path without a NUL byte or broken Unicode, not {shown(value)}")


def _mapping(value: object, name: str, now: datetime) -> object:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"the {name} must be a JSON object, not {shown(value)}")
    return value


def _record(kind: type[Any], value: object, name: str, now: datetime) -> object:
    if not isinstance(value, kind):
        raise InvalidInput(f"{name} must be memory_layer.{kind.__name__}, not {shown(value)}")
    return coerced(kind, value._asdict(), now, f"{name}." if name else "")


#: The coercion of each plain annotation.
_PLAIN: dict[str, Coerce] = {
    "str": _text,
    "int": _whole,
    "float": _number,
    "bool": _yes_or_no,
    "datetime": _past,
    "Past": _past,
    "Future": _future,
    "Path": path_of,
    "Mapping[str, object]": _mapping,
    "object": lambda value, name, now: value,
}


def shown(value: object) -> str:
    """Format a refused value for an error, cut if it is long."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - too deep, too many digits, or whatever the value's class raises
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def past(text: str, now: datetime) -> datetime:
    """Parse a span as a time that long ago, or an absolute time."""
    return _parsed_moment(text, now, -1)


def future(text: str, now: datetime) -> datetime:
    """Parse a span as a time that far ahead, or an absolute time."""
    return _parsed_moment(text, now, +1)


def _parsed_moment(text: str, now: datetime, direction: int) -> datetime:
    try:
        if span := re.fullmatch(_SPAN, text.strip()):
            return now + direction * timedelta(hours=int(span[1]) * _HOURS[span[2].lower()])
        named = datetime.fromisoformat(text.strip())
        return named.replace(tzinfo=UTC) if named.tzinfo is None else named.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{text[:40]!r} is not a time; write a span such as 7d, 2w or 12h, or a date such as 2026-02-05"
        ) from None

"""The fields of a line of an export: each is what it should be, or is named in a sentence."""

from __future__ import annotations

import math
import re
from datetime import datetime
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from memory_layer.errors import InvalidInput
from memory_layer.model.vocabulary import Attention
from memory_layer.rules import limits
from memory_layer.rules.transfer.lines import Line

LARGEST_COUNT = 2**53
#: Redaction and merging make texts longer than a caller may give them.
ROOM = 4
LONGEST_CONTENT = ROOM * limits.CONTENT_CHARACTERS
LONGEST_QUERY = ROOM * limits.QUERY_CHARACTERS
LONGEST_EVIDENCE = ROOM * limits.EVIDENCE_CHARACTERS
LONGEST_NAME = ROOM * max(limits.NAME_CHARACTERS, limits.TAG_CHARACTERS, limits.SCOPE_CHARACTERS)
LONGEST_PATH = ROOM * 4_096
MOST_LABELS = 10_000

_HASH = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[a-z]{1,8}_[a-z2-7]{4,64}")
#: As this program makes them: one that is shorter would answer for every longer one that begins so.
_OWN_ID = re.compile(r"[a-z2-7]{26}")
Word = TypeVar("Word", bound=StrEnum)


def wrong(field: str) -> NoReturn:
    raise InvalidInput(f"its field {field!r} is not what it should be")


def check(line: Line, fields: frozenset[str]) -> None:
    if line.keys() == fields:
        return
    if missing := sorted(fields - line.keys()):
        raise InvalidInput(f"its field {missing[0]!r} is missing")
    unknown = min(line.keys() - fields)
    raise InvalidInput(f"its field {unknown[:40]!r} is unknown")


def string(line: Line, field: str) -> str:
    value = line[field]
    if not isinstance(value, str):
        wrong(field)
    return value


def sized(line: Line, field: str, most: int) -> str:
    value = string(line, field)
    if len(value) > most:
        raise InvalidInput(f"its field {field!r} has {len(value):,} characters; the limit is {most:,}")
    return value


def text(line: Line, field: str, most: int) -> str:
    value = sized(line, field, most)
    if not value:
        wrong(field)
    return value


def text_or_none(line: Line, field: str, most: int) -> str | None:
    return None if line[field] is None else sized(line, field, most)


def name(line: Line, field: str) -> str:
    return text(line, field, LONGEST_NAME)


def path(line: Line, field: str) -> str:
    """A path, an address, or the name of a session that was made of one."""
    return text(line, field, LONGEST_PATH)


def identifier(line: Line, field: str) -> str:
    value = string(line, field)
    if not _ID.fullmatch(value):
        wrong(field)
    return value


def own_identifier(line: Line, field: str, prefix: str) -> str:
    """The id of a record itself, in the one form that this program makes."""
    value = string(line, field)
    if not value.startswith(f"{prefix}_") or not _OWN_ID.fullmatch(value, len(prefix) + 1):
        wrong(field)
    return value


def digest(line: Line, field: str) -> str:
    value = string(line, field)
    if not _HASH.fullmatch(value):
        wrong(field)
    return value


def flag(line: Line, field: str) -> bool:
    value = line[field]
    if not isinstance(value, bool):
        wrong(field)
    return value


def is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST_COUNT


def is_number(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) < LARGEST_COUNT if isinstance(value, int) else math.isfinite(value)


def count(line: Line, field: str, most: int = LARGEST_COUNT) -> int:
    value: int = line[field]
    if not is_count(value) or value > most:
        wrong(field)
    return value


def whole(line: Line, field: str) -> int:
    value = line[field]
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= LARGEST_COUNT:
        wrong(field)
    return value


def number(line: Line, field: str, low: float = -math.inf, high: float = math.inf) -> float:
    value = line[field]
    if not is_number(value) or not low <= value <= high:
        wrong(field)
    return float(value)


def mapping(line: Line, field: str) -> dict[str, Any]:
    value = line[field]
    if not isinstance(value, dict):
        wrong(field)
    return value


def listed(line: Line, field: str, most: int) -> list[Any]:
    value = line[field]
    if not isinstance(value, list):
        wrong(field)
    if len(value) > most:
        raise InvalidInput(f"its field {field!r} has {len(value):,} parts; the limit is {most:,}")
    return value


def texts(line: Line, field: str, most: int, characters: int) -> tuple[str, ...]:
    values = listed(line, field, most)
    if not all(isinstance(value, str) and 0 < len(value) <= characters for value in values):
        wrong(field)
    return tuple(values)


def word(line: Line, field: str, words: type[Word]) -> Word:
    try:
        return words(line[field])
    except ValueError:
        wrong(field)


def attention(line: Line, field: str) -> Attention:
    value = line[field]
    for known in Attention:
        if value == known.name.lower():
            return known
    wrong(field)


def moment(line: Line, field: str) -> datetime:
    value = line[field]
    if not isinstance(value, str) or len(value) != 27 or value[-1] != "Z":
        wrong(field)
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        wrong(field)


def moment_or_none(line: Line, field: str) -> datetime | None:
    return None if line[field] is None else moment(line, field)

"""Convert records to export lines, with fields in alphabetical order, and back; check each field by its shape."""

from __future__ import annotations

import base64
import json
import math
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, NoReturn

from memory_layer.errors import InvalidInput
from memory_layer.model.export import (
    ADDED_KINDS,
    END,
    FORMAT,
    FORMAT_VERSION,
    FORMS,
    HEAD,
    ExportField,
    ExportRecord,
    LineKind,
)
from memory_layer.model.memory import Citation
from memory_layer.model.record import NamedTuple
from memory_layer.rules import limits

LARGEST_COUNT = 2**53
#: Redaction and merging can make texts longer than the limits for input.
ROOM = 4
LONGEST_CONTENT = ROOM * limits.CONTENT_CHARACTERS
LONGEST_QUERY = ROOM * limits.QUERY_CHARACTERS
LONGEST_EVIDENCE = ROOM * limits.EVIDENCE_CHARACTERS
LONGEST_NAME = ROOM * max(limits.NAME_CHARACTERS, limits.TAG_CHARACTERS, limits.SCOPE_CHARACTERS)
LONGEST_PATH = ROOM * 4_096  #: also for URLs and for sessions named after them
LONGEST_VECTOR = 16 * 1024  #: bytes
MOST_PARTS = 10_000  #: of a list
MOST_PASSAGES = 2_000
MOST_SIGNALS = 100

Fits = Callable[[Any], bool]


_TEXTS = {
    "mark": LONGEST_NAME,
    "name": LONGEST_NAME,
    "project": LONGEST_NAME,
    "path": LONGEST_PATH,
    "content": LONGEST_CONTENT,
    "evidence": LONGEST_EVIDENCE,
}


class Codec(NamedTuple):
    """Functions that check, read and write a field of one shape; None leaves the value unchanged."""

    fits: Fits  #: may raise ValueError, KeyError or TypeError; so may `read`
    read: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None


def _text(most: int, fewest: int = 1) -> Fits:
    return lambda value: isinstance(value, str) and fewest <= len(value) <= most


def _like(pattern: str) -> Fits:
    matches = re.compile(pattern).fullmatch
    return lambda value: isinstance(value, str) and matches(value) is not None


def _number(low: float, high: float, *types: type) -> Fits:
    return lambda value: type(value) in types and low <= value <= high


def _list(each: Fits, most: int = MOST_PARTS, fewest: int = 0) -> Fits:
    return lambda value: isinstance(value, list) and fewest <= len(value) <= most and all(map(each, value))


def _row(*fits: Fits) -> Fits:
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(fits)
        and all(each(part) for each, part in zip(fits, value, strict=True))
    )


def _object(fields: dict[str, Fits]) -> Fits:
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == fields.keys()
        and all(fits(value[name]) for name, fits in fields.items())
    )


def _map(each: Fits, most: int = MOST_PARTS) -> Fits:
    return lambda value: isinstance(value, dict) and len(value) <= most and all(map(each, value.values()))


_anything = _map(lambda value: True, sys.maxsize)
_count = _number(0, LARGEST_COUNT - 1, int)
_whole = _number(1 - LARGEST_COUNT, LARGEST_COUNT - 1, int)
_finite = _number(-sys.float_info.max, sys.float_info.max, float)
_hash, _id = _like(r"[0-9a-f]{64}"), _like(r"[a-z]{1,8}_[a-z2-7]{4,64}")
_name = _text(LONGEST_NAME)
_CITED: dict[str, Fits] = {
    **dict.fromkeys(Citation._fields, _text(LONGEST_EVIDENCE, 0)),
    **dict.fromkeys(("first_line", "last_line"), _number(1, LARGEST_COUNT - 1, int)),
    **dict.fromkeys(("commit", "lines_hash"), _like(r"[0-9a-f]{40}|[0-9a-f]{64}")),
}


def _is_number(value: Any) -> bool:
    return _whole(value) or _finite(value)


def _is_note(value: Any) -> bool:
    """Check that a text ends neither a line nor a block of memories."""
    return _text(LONGEST_PATH, 0)(value) and value.isprintable() and "<" not in value


_whole_line = _row(_id, _count, _name, _is_note, _count)
_part_of_line = _row(_id, _count, _name, _is_note, _count, _count)


def _context_line(value: Any) -> bool:
    """Tell whether a value is a line of a context: a whole text, or a sentence and where it began."""
    return _whole_line(value) or _part_of_line(value)


_item = _object(
    {
        "memory": _id,
        "rank": _count,
        "score": _is_number,
        "signals": _map(_is_number, MOST_SIGNALS),
    }
)


def _is_citation(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(_CITED[name](each) for name, each in value.items())


def _are_items(value: Any) -> bool:
    return _list(_item)(value) and (ranks := [item["rank"] for item in value]) == sorted(set(ranks))


def _vector(value: str) -> bytes:
    numbers = base64.b64decode(value, validate=True)
    if not 0 < len(numbers) <= LONGEST_VECTOR or len(numbers) % 2:
        raise ValueError
    return numbers


def _base64(numbers: bytes) -> str:
    return base64.b64encode(numbers).decode()


def moment(at: datetime) -> str:
    """Return a time in ISO 8601 in UTC, always with microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _cited(citation: Citation) -> dict[str, object]:
    return {name: value for name, value in sorted(citation._asdict().items()) if value is not None}


#: Counts of kinds that a file of an earlier version does not have; they are not written either if there are none.
_NO_COUNTS = {kind.value: 0 for kind in ADDED_KINDS}
_counts = _object({kind.value: _count for kind in LineKind})


def _are_counts(value: Any) -> bool:
    return isinstance(value, dict) and _counts(_NO_COUNTS | value)


def _without_added(counts: dict[str, int]) -> dict[str, int]:
    return {kind: count for kind, count in counts.items() if count or kind not in _NO_COUNTS}


_CODECS: dict[str, Codec] = {
    **{prefix: Codec(_like(prefix + "_[a-z2-7]{26}")) for prefix in ("mem", "rec", "run")},
    **dict.fromkeys(("id", "memory", "recall"), Codec(_id)),
    **dict.fromkeys(("question", "query"), Codec(_text(LONGEST_QUERY, 0))),
    **dict.fromkeys(("digest", "hash"), Codec(_hash)),
    **dict.fromkeys(("marks", "labels"), Codec(_list(_name), tuple)),
    "paths": Codec(_list(_text(LONGEST_PATH)), tuple),
    "moment": Codec(
        lambda value: isinstance(value, str) and len(value) == 27 and value[-1] == "Z",
        datetime.fromisoformat,
        moment,
    ),
    "flag": Codec(lambda value: isinstance(value, bool)),
    "count": Codec(_count),
    "tokens": Codec(_number(0, LONGEST_CONTENT, int)),
    "whole": Codec(_whole),
    "share": Codec(_number(0, 1, int, float), float),
    "score": Codec(_number(-1, 1, int, float), float),
    "metadata": Codec(_anything, write=dict),
    "payload": Codec(_anything),
    "asked": Codec(_map(lambda value: isinstance(value, str | int | list), sys.maxsize)),
    "citations": Codec(
        _list(_is_citation),
        lambda value: tuple(Citation(**each) for each in value),
        lambda citations: list(map(_cited, citations)),
    ),
    "items": Codec(_are_items, tuple),
    "lines": Codec(_list(_context_line), tuple),
    "numbers": Codec(_text(2 * LONGEST_VECTOR), _vector, _base64),
    "passages": Codec(
        _list(_text(2 * LONGEST_VECTOR), MOST_PASSAGES, 1),
        lambda value: tuple(map(_vector, value)),
        lambda passages: list(map(_base64, passages)),
    ),
    "format": Codec(lambda value: value == FORMAT),
    "version": Codec(_number(1, FORMAT_VERSION, int)),
    "counts": Codec(_are_counts, lambda counts: _NO_COUNTS | counts, _without_added),
    "chain_head": Codec(_object({"count": _count, "hash": _hash})),
}


def codec_of(field: ExportField) -> Codec:
    """Return the codec of a field; an optional text may also be empty."""
    if field.words is not None and issubclass(field.words, IntEnum):
        words = {each.name.lower(): each for each in field.words}
        return Codec(words.__contains__, words.__getitem__, lambda word: word.name.lower())
    if field.words is not None:
        known = {each.value: each for each in field.words}
        return Codec(known.__contains__, known.__getitem__)
    if field.shape in _TEXTS:
        return Codec(_text(_TEXTS[field.shape], 0 if field.nullable else 1))
    return _CODECS[field.shape]


LONGEST_LINE = 8 * 1024 * 1024  #: bytes; far above the longest line an export writes

Line = dict[str, Any]

#: Characters that terminals or editors may interpret.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_OUTSIDE_TEXT = re.compile("[\x00\ud800-\udfff]")
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class _Lines:
    """Formats and parses the lines of one kind."""

    def __init__(self, kind: str) -> None:
        self._kind, self._form = kind, FORMS[kind]
        coded = [(field, codec_of(field)) for field in self._form.fields]
        self._names = {"type", *(field.name for field, _ in coded)}
        self._reading = [
            (field.name, field.place, field.nullable, codec.fits, codec.read) for field, codec in coded
        ]
        self._writing = sorted(
            [("type", -1, None), *((field.name, field.place, codec.write) for field, codec in coded)]
        )

    def line(self, record: ExportRecord) -> Line:
        values = (*self._form.values(record), self._kind)
        return {
            name: values[place] if write is None or values[place] is None else write(values[place])
            for name, place, write in self._writing
        }

    def record(self, line: Line) -> ExportRecord:
        if line.keys() != self._names:
            missing, unknown = sorted(self._names - line.keys()), sorted(line.keys() - self._names)
            says = f"{missing[0]!r} is missing" if missing else f"{unknown[0][:40]!r} is unknown"
            raise InvalidInput(f"its field {says}")
        values: list[Any] = [None] * len(self._form.names)
        for name, place, nullable, fits, read in self._reading:
            value = line[name]
            if value is None and nullable:
                continue
            try:
                if fits(value):
                    values[place] = value if read is None else read(value)
                    continue
            except (ValueError, KeyError, TypeError):
                pass
            raise InvalidInput(f"its field {name!r} has an invalid value")
        return self._form.made(values)


_LINES = {kind: _Lines(kind) for kind in FORMS}


def written(line: Line) -> bytes:
    """Format a line as canonical JSON, so that equal stores give equal bytes."""
    text = _encode(line)
    if not text.isascii():
        text = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return f"{text}\n".encode()


def line_from(kind: str, record: ExportRecord) -> bytes:
    """Return the line of a record, with its fields in alphabetical order."""
    return written(_LINES[kind].line(record))


def parsed(raw: bytes) -> Line:
    """Parse a line to an object that contains only text a store accepts."""
    try:
        line = _decode(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidInput("it is not valid UTF-8") from None
    except RecursionError:
        raise InvalidInput("it is nested too deeply") from None
    except ValueError:
        raise InvalidInput("it is not JSON") from None
    if not isinstance(line, dict):
        raise InvalidInput("it is not a JSON object")
    if b"\\u" in raw:
        _check_texts(line)
    return line


def head_from(line: Line) -> ExportRecord:
    """Parse the first line; refuse a format that this program cannot read."""
    if line.get("type") != HEAD or line.get("format") != FORMAT:
        raise InvalidInput("it is not the first line of a Memory Layer export")
    version = line.get("schema_version")
    if type(version) is int and version > FORMAT_VERSION:
        raise InvalidInput(
            f"it was written by a newer version of Memory Layer (export format {version}; this version"
            f" supports up to {FORMAT_VERSION}); upgrade Memory Layer to read it"
        )
    return record_from(HEAD, line)


def kind_of(line: Line) -> LineKind | None:
    """Return the kind of a line; None for the last one."""
    kind = line.get("type")
    try:
        return None if kind == END else LineKind(str(kind))
    except ValueError:
        raise InvalidInput("its type is unknown") from None


def record_from(kind: str, line: Line) -> ExportRecord:
    """Parse the record of a line, with every field of the right type and within its limits."""
    return _LINES[kind].record(line)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _parse_float(text: str) -> float:
    """Parse a finite number: `1e400` would become infinity, which JSON cannot represent."""
    value = float(text)
    return value if math.isfinite(value) else _refuse_constant(text)


def _check_texts(value: object) -> None:
    """Refuse text that JSON escapes can express but no store accepts: NUL and lone surrogates."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if _OUTSIDE_TEXT.search(each):
                raise InvalidInput("a text in it contains a NUL or an invalid character")
        elif isinstance(each, dict):
            waiting += [*each, *each.values()]
        elif isinstance(each, list):
            waiting += each


_decode = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_float).decode

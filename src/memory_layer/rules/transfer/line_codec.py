"""Convert records to export lines, with fields in alphabetical order, and back."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from memory_layer.errors import InvalidInput
from memory_layer.model.export import END, FORMAT, FORMAT_VERSION, FORMS, HEAD, ExportRecord, LineKind
from memory_layer.rules.transfer.fields import codec_of

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


def _finite(text: str) -> float:
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


_decode = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite).decode

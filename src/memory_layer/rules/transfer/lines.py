"""A record as a line of an export, with its fields in alphabetical order."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from memory_layer.model.export import (
    Carried,
    CarriedChange,
    CarriedContext,
    CarriedItem,
    CarriedLink,
    CarriedMemory,
    CarriedRun,
    Head,
    Kind,
)
from memory_layer.model.memory import Citation
from memory_layer.model.vocabulary import Attention

FORMAT = "memory-layer"  #: the name by which `mem import` knows its own files
FORMAT_VERSION = 1  #: of the lines; a change that an older program would misread raises it
HEAD, END = "export", "end"  #: the types of the first and the last line

Line = dict[str, Any]

#: What a terminal may take for a command or an editor for the end of a line.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


#: The records that hold another one, and where.
_INNER: dict[type, str] = {
    CarriedMemory: "memory",
    CarriedLink: "link",
    CarriedChange: "change",
    CarriedContext: "kept",
}


def written(line: Line) -> bytes:
    """A line in its one spelling, so that equal stores give equal bytes."""
    text = _encode(line)
    if not text.isascii():
        text = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return f"{text}\n".encode()


def moment(at: datetime) -> str:
    """ISO 8601 in UTC, always with microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def head_line(head: Head) -> Line:
    return {
        "audit": {"count": head.audit[0], "hash": head.audit[1]} if head.audit else None,
        "counts": dict(head.counts),
        "format": FORMAT,
        "partial": head.partial,
        "program": head.program,
        "schema_version": FORMAT_VERSION,
        "space": head.space,
        "type": HEAD,
        "vectors": head.vectors,
    }


def end_line(lines: int, sha256: str) -> Line:
    """The last line: how many lines stand before it, and the hash of their bytes."""
    return {"lines": lines, "sha256": sha256, "type": END}


def line_from(kind: Kind, record: Carried) -> Line:
    """Return the line of a record, with its fields in alphabetical order."""
    fields = {**_fields(record), "type": kind.value}
    return {name: _spelled(fields[name]) for name in sorted(fields)}


def _fields(record: Carried) -> dict[str, Any]:
    """Return the fields of a record together with those of the record inside it."""
    fields = record._asdict()
    if isinstance(record, CarriedRun):
        result, at, by, used = fields.pop("ending") or (None, None, None, ())
        return {**fields, "result": result, "finished_at": at, "finished_by": by, "used": used}
    if (inner := _INNER.get(type(record))) is None:
        return fields
    fields = {**fields.pop(inner)._asdict(), **fields}
    fields.pop("owner", None)  # a memory's, and nobody elsewhere is the same
    return fields


def _spelled(value: Any) -> Any:
    """Return a value as JSON knows it; words, texts and numbers are known as they are."""
    spell = _SPELLING.get(type(value))
    return value if spell is None else spell(value)


def _citation(citation: Citation) -> Line:
    return {name: value for name, value in sorted(citation._asdict().items()) if value is not None}


_SPELLING: dict[type, Callable[[Any], Any]] = {
    datetime: moment,
    tuple: lambda values: [_spelled(value) for value in values],
    MappingProxyType: dict,
    bytes: lambda stored: base64.b64encode(stored).decode(),
    Attention: lambda attention: attention.name.lower(),
    Citation: _citation,
    CarriedItem: lambda item: dict(sorted(item._asdict().items())),
}

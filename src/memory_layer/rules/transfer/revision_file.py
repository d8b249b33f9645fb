"""Write a revision as a text file and read it back.

A file never changes: its name holds the digest of its text, so a merge in git only adds and deletes files. Git also
looks for renames among them, and would report a conflict where two branches replace one file by similar ones. So every
line begins with the first characters of the digest and is at most 63 bytes long: git compares lines, or pieces of 64
bytes, and finds nothing in common between two revisions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from memory_layer.errors import InvalidInput
from memory_layer.model.export import FORMS, ExportField, LineKind
from memory_layer.model.memory import NOTHING, SHORTENED, WRITTEN_FROM, Memory
from memory_layer.model.sync import Revision, SharedStatus
from memory_layer.model.vocabulary import (
    CATEGORIES,
    PROPOSED_TAG,
    STARTING_CONFIDENCE,
    LinkKind,
    Source,
    Tier,
    WriterKind,
)
from memory_layer.rules.transfer.line_codec import codec_of, parsed

NAME = re.compile(r"(mem_[a-z2-7]{26})\.([0-9a-f]{16})\.txt")
LARGEST_FILE = 1024 * 1024  #: bytes
MOST_REPLACED = 10_000  #: revisions before one
MOST_LINKS = 1_000
DIGEST, MARK = 16, 8  #: characters
_ROOM = 53  #: bytes of text in a line, besides the mark, a sign and the line feed
#: Metadata that only means something in the store it was written in.
LOCAL_KEYS = frozenset({WRITTEN_FROM, SHORTENED})
_FIELDS: dict[str, ExportField] = {field.name: field for field in FORMS[LineKind.MEMORY].fields}
_CODECS = {
    name: codec_of(_FIELDS[name])
    for name in (
        *("category", "citations", "content", "created_at", "expires_at", "metadata", "priority"),
        *("relevance", "scope", "tags", "tier", "writer"),
    )
}
#: The values that a file leaves out.
_USUAL: dict[str, Any] = {
    "scope": [],
    "tags": [],
    "citations": [],
    "metadata": {},
    "relevance": 1.0,
    "tier": Tier.SEMANTIC.value,
    "expires_at": None,
}
#: Characters that a reader would not see as they are.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_DIGEST = re.compile(r"[0-9a-f]{16}")
_ID = re.compile(r"mem_[a-z2-7]{26}")


def digest(revision: Revision) -> str:
    """Return the digest that names a revision."""
    return _digest(_document(revision))


def state_digest(revision: Revision) -> str:
    """Return the digest of a state, whatever came before it."""
    return digest(revision._replace(replaces=(), text_of=None))


def text_digest(revision: Revision) -> str:
    """Return the digest of the text alone; empty for a tombstone."""
    return _digest(revision.memory.content) if revision.memory else ""


def file_name(revision: Revision) -> str:
    return f"{revision.id}.{digest(revision)}.txt"


def written(revision: Revision) -> bytes:
    """Return the bytes of the file: equal revisions give equal bytes."""
    text = _document(revision)
    mark = _digest(text)[:MARK]
    lines = (
        f"{mark}{'+' if place else '|'}{piece}\n"
        for line in text.split("\n")
        for place, piece in enumerate(_pieces(line))
    )
    return "".join(lines).encode()


def read(name: str, raw: bytes) -> Revision:
    """Parse a file; refuse one that is not exactly what this program would write under that name."""
    named = NAME.fullmatch(name)
    if named is None:
        raise InvalidInput("its name is not that of a revision")
    raw = raw.replace(b"\r\n", b"\n")
    revision = _revision(_joined(raw, named[2][:MARK]))
    if revision.id != named[1] or digest(revision) != named[2] or written(revision) != raw:
        raise InvalidInput("its content does not match its name")
    return revision


def shared_memory(memory: Memory) -> Memory:
    """Return a memory with only what travels, and an importer's values for the rest."""
    return Memory(
        id=memory.id,
        content=memory.content,
        content_hash="",
        created_at=memory.created_at,
        updated_at=memory.created_at,
        category=memory.category,
        tier=memory.tier,
        scope=memory.scope,
        tags=tuple(tag for tag in memory.tags if tag != PROPOSED_TAG),
        metadata={name: value for name, value in memory.metadata.items() if name not in LOCAL_KEYS},
        priority=memory.priority,
        source=Source.IMPORT,
        writer=memory.writer,
        writer_kind=WriterKind.AGENT,
        confidence=STARTING_CONFIDENCE[Source.IMPORT],
        relevance=memory.relevance,
        expires_at=None if SHORTENED in memory.metadata else memory.expires_at,
        citations=memory.citations,
    )


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGEST]


def _document(revision: Revision) -> str:
    """Return the text of a revision: a line for each field, an empty line, and the content."""
    fields: dict[str, Any] = {"memory": revision.id, "status": revision.status.value}
    if revision.replaces:
        fields["replaces"] = sorted(revision.replaces)
    if revision.text_of:
        fields["text_of"] = revision.text_of
    if revision.links:
        fields["links"] = sorted([kind.value, target] for kind, target in revision.links)
    content = ""
    if revision.memory is not None:
        fields |= _values(revision.memory)
        if not _UNSAFE.search(fields["content"]):
            content = "\n" + fields.pop("content")
    lines = (f"{name}: {_json(value)}\n" for name, value in sorted(fields.items()))
    return "".join(lines) + content


def _values(memory: Memory) -> dict[str, Any]:
    values = {}
    for name, codec in _CODECS.items():
        value = getattr(memory, name)
        values[name] = value if codec.write is None or value is None else codec.write(value)
    values |= {name: list(values[name]) for name in ("scope", "tags")}
    usual = _USUAL | {"priority": CATEGORIES[memory.category].priority.value}
    return {name: value for name, value in values.items() if name not in usual or value != usual[name]}


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True)
    return _UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], text)


def _pieces(line: str) -> Iterator[str]:
    """Split a line into pieces that fit, where possible before a space."""
    while True:
        fits = len(line[:_ROOM].encode()[:_ROOM].decode(errors="ignore"))
        if fits == len(line):
            yield line
            return
        space = line.rfind(" ", fits // 2, fits + 1)
        at = fits if space < 1 else space
        yield line[:at]
        line = line[at:]


def _joined(raw: bytes, mark: str) -> str:
    """Return the text of a file without marks and line breaks of the program's own."""
    try:
        lines = raw.decode().split("\n")
    except UnicodeDecodeError:
        raise InvalidInput("it is not valid UTF-8") from None
    if lines.pop() != "" or not lines:
        raise InvalidInput("it is truncated")
    if any(not line.startswith((f"{mark}|", f"{mark}+")) for line in lines):
        raise InvalidInput("its content does not match its name")
    return "".join(line[MARK + 1 :] if line[MARK] == "+" else f"\n{line[MARK + 1 :]}" for line in lines)[1:]


def _revision(text: str) -> Revision:
    head, found, content = text.partition("\n\n")
    fields = _fields(head.rstrip("\n"))
    if found:
        fields["content"] = content
    status = fields.pop("status", None)
    if status not in list(SharedStatus) or not _is(_ID, fields.get("memory")):
        raise InvalidInput("its field 'status' or 'memory' is missing or has an invalid value")
    made = Revision(
        id=fields.pop("memory"),
        status=SharedStatus(status),
        replaces=_digests(fields.pop("replaces", [])),
        text_of=next(iter(_digests([fields.pop("text_of")])), None) if "text_of" in fields else None,
        links=_links(fields.pop("links", [])),
    )
    if made.status is SharedStatus.ACTIVE:
        return made._replace(memory=_memory(made.id, fields))
    if fields or made.links or made.text_of:
        raise InvalidInput("a tombstone has no text and no labels")
    return made


def _fields(head: str) -> dict[str, Any]:
    """Parse the lines before the content, each a name and a JSON value."""
    fields: dict[str, Any] = {}
    for line in head.split("\n"):
        name, found, value = line.partition(": ")
        if not found or name in fields:
            raise InvalidInput("one of its fields is not a name and a value")
        fields[name] = parsed(f'{{"value":{value}}}'.encode())["value"]
    return fields


def _memory(memory_id: str, fields: dict[str, Any]) -> Memory:
    if unknown := fields.keys() - _CODECS.keys():
        raise InvalidInput(f"its field {min(unknown)[:40]!r} is unknown")
    values: dict[str, Any] = {}
    for name, codec in _CODECS.items():
        if name not in fields:
            continue
        try:
            if not codec.fits(fields[name]):
                raise ValueError(name)
            values[name] = codec.read(fields[name]) if codec.read else fields[name]
        except (ValueError, KeyError, TypeError):
            raise InvalidInput(f"its field {name!r} has an invalid value") from None
    for name in ("category", "content", "created_at", "writer"):
        if name not in values:
            raise InvalidInput(f"its field {name!r} is missing")
    values.setdefault("priority", CATEGORIES[values["category"]].priority)
    if LOCAL_KEYS & values.get("metadata", NOTHING).keys() or PROPOSED_TAG in values.get("tags", ()):
        raise InvalidInput("it has labels that do not travel")
    return shared_memory(
        Memory(id=memory_id, content_hash="", updated_at=datetime.min.replace(tzinfo=UTC), **values)
    )


def _digests(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_REPLACED:
        raise InvalidInput("its field 'replaces' has an invalid value")
    if not all(_is(_DIGEST, each) for each in value):
        raise InvalidInput("its field 'replaces' has an invalid value")
    return tuple(value)


def _links(value: object) -> tuple[tuple[LinkKind, str], ...]:
    try:
        if not isinstance(value, list) or len(value) > MOST_LINKS:
            raise ValueError
        links = tuple((LinkKind(kind), target) for kind, target in value)
    except (ValueError, TypeError):
        raise InvalidInput("its field 'links' has an invalid value") from None
    if not all(_is(_ID, target) for _, target in links):
        raise InvalidInput("its field 'links' has an invalid value")
    return links


def _is(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None

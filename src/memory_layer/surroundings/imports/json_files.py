"""Read the JSON files of other memory programs: one document, or one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.imports import ForeignMemory, ImportSource, Origin, Skipped
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.imports import claude_mem, knowledge_graph, lessons, mem0

LARGEST_FILE = 64 * 1024 * 1024  #: bytes
LONGEST_LINE = 1024 * 1024  #: bytes
FIRST_LINES = 20  #: looked at to recognise a file of lines
KINDS = (Origin.KNOWLEDGE_GRAPH, Origin.MEM0, Origin.CLAUDE_MEM, Origin.LEARNING)

Entry = Mapping[str, Any]
_WRAPPERS = ("results", "memories")


class JsonFile:
    """A JSON file: the document it is, or its lines, each with its number."""

    def __init__(self, path: Path) -> None:
        self.path = path
        content = careful_read.regular(path, LARGEST_FILE)
        if content is None:
            raise _unreadable(path)
        self.lines = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
        self.document = self._document(content)

    def _document(self, content: bytes) -> Any:
        """Parse the file as a whole, unless its first line is an object of its own."""
        if len(self.lines) > 1 and isinstance(_parsed(self.lines[0][1]), dict):
            return None
        return _parsed(content)

    def kind(self) -> Origin | None:
        """Return the program that wrote the file; None if it is unknown."""
        if self.document is not None:
            return _kind_of_document(self.document) or _kind_of_line(self.document)
        parsed = (_parsed(line) for _, line in self.lines[:FIRST_LINES] if len(line) <= LONGEST_LINE)
        return next(filter(None, map(_kind_of_line, parsed)), None)

    def entries(self, skipped: list[Skipped]) -> Iterator[tuple[str, Entry]]:
        """Yield the object of each line with its place; skip what is none."""
        for number, line in self.lines:
            where = f"{self.path.name}:{number}"
            value = _parsed(line) if len(line) <= LONGEST_LINE else None
            if isinstance(value, dict):
                yield where, value
            else:
                long = len(line) > LONGEST_LINE
                skipped.append(Skipped(where, "a line that is too long" if long else "not a JSON object"))


def kind_of(path: Path) -> Origin | None:
    """Return the program that a JSON file belongs to; None if it is unknown."""
    try:
        return JsonFile(path).kind()
    except (InvalidInput, NotFound):
        return None


def unknown(path: Path) -> InvalidInput | NotFound:
    """Say why a JSON file is of no known kind."""
    if careful_read.regular(path, LARGEST_FILE) is None:
        return _unreadable(path)
    known = ", ".join(each.value for each in KINDS)
    return InvalidInput(f"{path} is a JSON file, but not one of a supported program: {known}")


def read(path: Path, origin: Origin) -> ImportSource:
    """Read every memory of a file; report the entries that hold none."""
    file = JsonFile(path)
    if file.kind() is not origin:
        raise InvalidInput(f"{path} is not a file of {origin}")
    skipped: list[Skipped] = []
    items = tuple(_READERS[origin](file, skipped))
    return ImportSource(origin, items=items, skipped=tuple(skipped))


def _knowledge_graph(file: JsonFile, skipped: list[Skipped]) -> Iterable[ForeignMemory]:
    document = file.document
    if isinstance(document, dict) and "entities" in document:
        lists = [_numbered(file, document, key, skipped) for key in ("entities", "relations")]
        return knowledge_graph.memories(chain(*lists), file.path, skipped)
    return knowledge_graph.memories(file.entries(skipped), file.path, skipped)


def _mem0(file: JsonFile, skipped: list[Skipped]) -> Iterable[ForeignMemory]:
    document = file.document
    if isinstance(document, list):
        document = {"results": document}
    if not isinstance(document, dict) or "memory" in document:
        return (mem0.from_entry(entry, file.path, where) for where, entry in file.entries(skipped))
    found = chain(*(_numbered(file, document, key, skipped) for key in _WRAPPERS))
    relations = _numbered(file, document, "relations", skipped)
    return chain(
        (mem0.from_entry(entry, file.path, entry.get("id") or where) for where, entry in found),
        (mem0.from_relation(entry, file.path, where) for where, entry in relations),
    )


def _claude_mem(file: JsonFile, skipped: list[Skipped]) -> Iterable[ForeignMemory]:
    names = {"observations": "observations", "session_summaries": "summaries", "user_prompts": "prompts"}

    def table(name: str) -> list[Entry]:
        return [entry for _, entry in _numbered(file, file.document, names[name], skipped)]

    return claude_mem.memories(table, file.path, skipped)


def _lessons(file: JsonFile, skipped: list[Skipped]) -> Iterable[ForeignMemory]:
    return lessons.memories(file.entries(skipped), skipped)


def _numbered(
    file: JsonFile, document: Entry, key: str, skipped: list[Skipped]
) -> Iterator[tuple[str, Entry]]:
    """Yield the objects of a list with their places; skip what is none."""
    found = document.get(key)
    for number, entry in enumerate(found if isinstance(found, list) else [], 1):
        where = f"{file.path.name}#{key} {number}"
        if isinstance(entry, dict):
            yield where, entry
        else:
            skipped.append(Skipped(where, "not a JSON object"))


def _kind_of_line(value: Any) -> Origin | None:
    if not isinstance(value, dict):
        return None
    if value.get("type") == "learning" and "content" in value:
        return Origin.LEARNING
    if (value.get("type") == "entity" and "name" in value) or {"from", "to", "relationType"} <= value.keys():
        return Origin.KNOWLEDGE_GRAPH
    return Origin.MEM0 if _is_mem0(value) else None


def _kind_of_document(value: Any) -> Origin | None:
    if isinstance(value, list):
        return Origin.MEM0 if any(map(_is_mem0, value)) else None
    if not isinstance(value, dict):
        return None
    lists = {key for key, each in value.items() if isinstance(each, list)}
    if {"entities", "relations"} <= lists:
        return Origin.KNOWLEDGE_GRAPH
    if "observations" in lists and lists & {"summaries", "sessions", "prompts"}:
        return Origin.CLAUDE_MEM
    return (
        Origin.MEM0
        if any(_is_mem0(each) for key in _WRAPPERS if key in lists for each in value[key])
        else None
    )


def _is_mem0(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("memory"), str) and "id" in value


def _parsed(content: bytes) -> Any:
    """Parse JSON; None if it is none, or has numbers that no other program could read."""
    try:
        return json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _unreadable(path: Path) -> InvalidInput | NotFound:
    if not path.exists():
        return NotFound(f"there is no file {careful_read.printable(str(path))!r}")
    return InvalidInput(f"{path} cannot be read: not a regular file of at most {LARGEST_FILE // 1024**2} MB")


_READERS = {
    Origin.KNOWLEDGE_GRAPH: _knowledge_graph,
    Origin.MEM0: _mem0,
    Origin.CLAUDE_MEM: _claude_mem,
    Origin.LEARNING: _lessons,
}

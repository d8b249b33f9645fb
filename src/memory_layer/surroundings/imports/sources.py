"""Read whatever can be imported: detect the kind of a path by its content, and call the reader of that kind."""

from __future__ import annotations

from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import ImportSource, Origin
from memory_layer.surroundings import careful_read, rules_files

_SQLITE = b"SQLite format 3\0"
_OWN, _OWN_AT = b"MemL", 68  #: by what this program marks its databases, and at which byte
_HEAD = 4096  #: bytes to look at


def read_memories(path: Path, origin: Origin | None = None) -> ImportSource:
    """Read everything that can be imported from a path; detect its kind unless it is named."""
    kind = origin or origin_of(path)
    if kind is Origin.RULES:
        return rules_files.read(path)
    if kind in (Origin.CLAUDE_CODE, Origin.CODEX):
        from memory_layer.surroundings.imports import agent_memory

        return agent_memory.read(path, kind)
    from memory_layer.surroundings.imports import json_files, sqlite_stores

    is_store = kind not in json_files.KINDS or _head(path).startswith(_SQLITE)
    return sqlite_stores.read(path, kind) if is_store else json_files.read(path, kind)


def origin_of(path: Path) -> Origin:
    """Detect the kind of a path; a folder or text of no other kind holds rules."""
    from memory_layer.surroundings.imports import agent_memory

    if folder := agent_memory.kind_of(path):
        return folder
    head = _head(path)
    if head.startswith(_SQLITE):
        return _kind_of_store(path, head)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        from memory_layer.surroundings.imports import json_files

        if kind := json_files.kind_of(path):
            return kind
        if path.suffix.lower() == ".json":
            raise json_files.unknown(path)
    return Origin.RULES


def _kind_of_store(path: Path, head: bytes) -> Origin:
    from memory_layer.surroundings.imports import sqlite_stores

    kind = sqlite_stores.kind_of(path)
    if kind is None and head[_OWN_AT : _OWN_AT + len(_OWN)] == _OWN:
        raise InvalidInput(
            f"{path} is a store or a backup of this program, not something to import; `mem backup --restore {path}`"
            " shows what it would restore"
        )
    if kind is None:
        known = ", ".join(kind.value for kind in sqlite_stores.MARKS)
        raise InvalidInput(f"{path} is a SQLite file, but not a store of a supported program: {known}")
    return kind


def _head(path: Path) -> bytes:
    try:
        with open(path, "rb", opener=careful_read.without_waiting) as file:
            return file.read(_HEAD) or b""
    except (OSError, ValueError):
        return b""

"""What kind of source a path is, and what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import Origin
from memory_layer.surroundings import careful_read, foreign_stores, rules_files

if TYPE_CHECKING:
    from memory_layer.model.imports import Reading

_SQLITE = b"SQLite format 3\0"
_OWN, _OWN_AT = b"MemL", 68  #: by what this program marks its databases, and at which byte


def read(path: Path, origin: Origin | None = None) -> Reading:
    """Everything that can be brought from a path, whose kind is found out unless it is named."""
    wanted = origin or origin_of(path)
    return rules_files.read(path) if wanted is Origin.RULES else foreign_stores.read(path, wanted)


def origin_of(path: Path) -> Origin:
    """The kind of a path: a folder or text holds rules, a SQLite file is one of the stores known here."""
    if not _is_sqlite(path):
        return Origin.RULES
    kind = foreign_stores.kind_of(path)
    if kind is None and _is_own(path):
        raise InvalidInput(
            f"{path} is a store or a backup of this program, which is not imported: `mem backup --restore {path}`"
            " shows what it would put back"
        )
    if kind is None:
        known = ", ".join(kind.value for kind in foreign_stores.MARKS)
        raise InvalidInput(f"{path} is a SQLite file, but not one of the stores known here: {known}")
    return kind


def _is_own(path: Path) -> bool:
    with open(path, "rb", opener=careful_read.without_waiting) as file:
        return file.read(_OWN_AT + len(_OWN))[_OWN_AT:] == _OWN


def _is_sqlite(path: Path) -> bool:
    try:
        with open(path, "rb", opener=careful_read.without_waiting) as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except (OSError, ValueError):
        return False

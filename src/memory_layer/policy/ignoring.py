"""Which paths git leaves out of a repository, by the lines of its ignore files. In doubt a path is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from memory_layer.policy import scopes

Lines = tuple[str, ...]
EVERYTHING: Lines = ("*",)  #: for a file of patterns that cannot be read


def is_ignored(path: str, lines_in: Callable[[str], Lines], general: Sequence[Lines]) -> bool:
    """Whether git ignores a path relative to the root; a folder's path ends in a slash.

    `lines_in` gives the patterns that lie in a folder, the root being the empty path; `general` are those that hold
    for the whole repository. The first of them are its own; of the others git reads only one, which is not known, so
    that each may leave a path out. A file in an ignored folder is ignored whatever else is said.
    """
    parts = path.rstrip("/").split("/")
    for depth in range(1, len(parts) + 1):
        slash = "/" if depth < len(parts) or path.endswith("/") else ""
        if _is_left_out(parts[:depth], slash, lines_in, general):
            return True
    return False


def _is_left_out(
    parts: list[str], slash: str, lines_in: Callable[[str], Lines], general: Sequence[Lines]
) -> bool:
    """What the nearest file says that says anything about a path, without its folders."""
    for level in range(len(parts) - 1, -1, -1):
        said = _decided(lines_in("/".join(parts[:level])), "/".join(parts[level:]) + slash)
        if said is not None:
            return said
    whole = "/".join(parts) + slash
    for lines in general[:1]:
        if (said := _decided(lines, whole)) is not None:
            return said
    return any(_decided(lines, whole) for lines in general[1:])


def _decided(lines: Lines, path: str) -> bool | None:
    """The same as git on a disk that tells upper from lower case, and on one that does not."""
    said = scopes.decided(_understood(lines), path, itself=True)
    if said is not True and scopes.decided(_understood(_folded(lines)), path.lower(), itself=True):
        return True
    return said


@lru_cache(maxsize=256)
def _folded(lines: Lines) -> Lines:
    return tuple(line.lower() for line in lines)


@lru_cache(maxsize=512)
def _understood(lines: Lines) -> Lines:
    """The patterns of a file, with everything in the place of one that cannot be read."""
    written = [line for line in lines if line.strip(" \t\r/!") and not line.startswith("#")]
    return tuple(line if scopes.is_pattern(line) else "*" for line in written)

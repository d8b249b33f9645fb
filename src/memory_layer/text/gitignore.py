"""Which paths git leaves out of a repository, by the lines of its ignore files. In doubt a path is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from memory_layer.text import scopes

Lines = tuple[str, ...]
Rules = tuple[scopes.ScopePattern | None, ...]
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
    if not lines:
        return None
    exact, folded = _understood(lines)
    said = scopes.decided(exact, path, itself=True)
    if said is not True and scopes.decided(folded, path.lower(), itself=True):
        return True
    return said


@lru_cache(maxsize=256)
def _understood(lines: Lines) -> tuple[Rules, Rules]:
    """The rules of a file, and those in lower case; the whole file is kept or none of it, however long it is."""
    written = [line for line in lines if line.strip(" \t\r/!") and not line.startswith("#")]
    exact = tuple(map(_rule, written))
    return exact, tuple(
        rule if line == line.lower() else _rule(line.lower())
        for line, rule in zip(written, exact, strict=True)
    )


def _rule(line: str) -> scopes.ScopePattern | None:
    """Return the rule of a line, and everything in the place of one that cannot be read."""
    return scopes.compiled(line) or scopes.compiled("*")

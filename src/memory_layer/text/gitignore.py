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
        if _is_excluded(parts[:depth], slash, lines_in, general):
            return True
    return False


def _is_excluded(
    parts: list[str], slash: str, lines_in: Callable[[str], Lines], general: Sequence[Lines]
) -> bool:
    """What the nearest file says that says anything about a path, without its folders."""
    for level in range(len(parts) - 1, -1, -1):
        verdict = _verdict(lines_in("/".join(parts[:level])), "/".join(parts[level:]) + slash)
        if verdict is not None:
            return verdict
    whole = "/".join(parts) + slash
    for lines in general[:1]:
        if (verdict := _verdict(lines, whole)) is not None:
            return verdict
    return any(_verdict(lines, whole) for lines in general[1:])


def _verdict(lines: Lines, path: str) -> bool | None:
    """The same as git on a disk that tells upper from lower case, and on one that does not."""
    if not lines:
        return None
    exact, folded = _parse(lines)
    verdict = scopes.decide(exact, path, itself=True)
    if verdict is not True and scopes.decide(folded, path.lower(), itself=True):
        return True
    return verdict


@lru_cache(maxsize=256)
def _parse(lines: Lines) -> tuple[Rules, Rules]:
    """The rules of a file, and those in lower case; the whole file is kept or none of it, however long it is."""
    patterns = [line for line in lines if line.strip(" \t\r/!") and not line.startswith("#")]
    exact = tuple(map(_rule, patterns))
    return exact, tuple(
        rule if line == line.lower() else _rule(line.lower())
        for line, rule in zip(patterns, exact, strict=True)
    )


def _rule(line: str) -> scopes.ScopePattern | None:
    """Return the rule of a line, and everything in the place of one that cannot be read."""
    return scopes.compile_pattern(line) or scopes.compile_pattern("*")

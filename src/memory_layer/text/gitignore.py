"""Decide which paths git ignores, by the patterns in its ignore files; when in doubt, a path is ignored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from memory_layer.text import scopes

Lines = tuple[str, ...]
Rules = tuple[scopes.ScopePattern | None, ...]
EVERYTHING: Lines = ("*",)  #: for an unreadable ignore file


def is_ignored(path: str, lines_in: Callable[[str], Lines], general: Sequence[Lines]) -> bool:
    """Tell whether git ignores a path relative to the root; the path of a folder ends in a slash.

    `lines_in` returns the patterns of the ignore file in a folder (the root is the empty path); `general` are the
    patterns for the whole repository. The first of these are the repository's own; git reads only one of the others,
    and it is unknown which, so each of them may exclude a path. A file in an ignored folder is always ignored.
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
    """Apply the nearest file with a pattern for a path, regardless of the folders above it."""
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
    """Match like git, on case-sensitive and case-insensitive disks alike."""
    if not lines:
        return None
    exact, folded = _parse(lines)
    verdict = scopes.decide(exact, path, itself=True)
    if verdict is not True and scopes.decide(folded, path.lower(), itself=True):
        return True
    return verdict


@lru_cache(maxsize=256)
def _parse(lines: Lines) -> tuple[Rules, Rules]:
    """Compile the patterns of a file, and the same in lower case; the cache holds whole files, however long."""
    patterns = [line for line in lines if line.strip(" \t\r/!") and not line.startswith("#")]
    exact = tuple(map(_rule, patterns))
    return exact, tuple(
        rule if line == line.lower() else _rule(line.lower())
        for line, rule in zip(patterns, exact, strict=True)
    )


def _rule(line: str) -> scopes.ScopePattern | None:
    """Compile a line; match everything if it cannot be parsed."""
    return scopes.compile_pattern(line) or scopes.compile_pattern("*")

"""Match paths against the scope of a memory: gitignore-style patterns.

`*` and `?` stay inside one path segment, `**` spans any number of them, a pattern without an inner slash matches at
any depth, a trailing slash requires a directory, and a matching directory covers everything below it. The last
matching pattern decides, so `!` excludes, even below a directory that an earlier pattern covers (unlike git). All
paths through a pattern are followed at once, so no pattern can make matching slow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple

MOST_PATTERNS = 32
LONGEST_PATTERN = 256
LONGEST_GLOB = 4 * LONGEST_PATTERN  #: characters of a pattern with braces

_BRACES = re.compile(r"\{([^{}]*)\}")
_ANY_DEPTH = None  #: the segment `**`
_ANY_NAME = re.compile(r".+", re.DOTALL)


class ScopePattern(NamedTuple):
    """A compiled pattern."""

    covers: bool  #: False for a pattern that excludes
    segments: tuple[re.Pattern[str] | None, ...]
    directory: bool  #: matches only directories


def matches(patterns: Sequence[str], path: str) -> bool:
    """Tell whether the patterns cover a path relative to the project root; the path of a directory ends in a slash."""
    return bool(decide([_cached_pattern(pattern) for pattern in patterns], path))


def decide(rules: Sequence[ScopePattern | None], path: str, itself: bool = False) -> bool | None:
    """Return True if the last matching rule covers the path, False if it excludes it, None if none matches.

    `itself` ignores matches of the folders above.
    """
    trimmed = path.removeprefix("./").lstrip("/")
    parts = trimmed.rstrip("/").split("/")
    is_directory = trimmed.endswith("/")
    for rule in reversed(rules):
        if rule is not None and trimmed and _fits(rule, parts, is_directory, itself):
            return rule.covers
    return None


def validated(patterns: Sequence[str]) -> tuple[str, ...]:
    """Remove duplicate patterns; raise an error for the first that could never match."""
    if len(patterns) > MOST_PATTERNS:
        raise InvalidInput(f"a scope has at most {MOST_PATTERNS} patterns, not {len(patterns)}")
    for pattern in patterns:
        if fault := _fault(pattern):
            raise InvalidInput(f"the scope pattern {pattern[:60]!r} {fault}")
    return tuple(dict.fromkeys(pattern.strip() for pattern in patterns))


def _fault(pattern: str) -> str | None:
    text = pattern.strip()
    if len(text) > LONGEST_PATTERN:
        return f"is longer than {LONGEST_PATTERN} characters"
    if not text.isprintable():
        return "holds characters that cannot be printed"
    if text.startswith("#"):
        return "is a comment; write \\# for a name that begins with #"
    if ".." in text.removeprefix("!").split("/"):
        return "leaves the project with .."
    if _cached_pattern(text) is None:
        return "cannot match anything"
    return None


def compile_pattern(pattern: str) -> ScopePattern | None:
    """Compile a pattern; return None for blanks, comments and what git would discard."""
    text = pattern if pattern.endswith("\\ ") else pattern.rstrip()
    if text.startswith("#"):
        return None
    covers = not text.startswith("!")
    text = text.removeprefix("!")
    directory = text.endswith("/")
    body = text.removesuffix("/")
    names = body.removeprefix("/").split("/")
    if names == [""]:
        return None
    if "/" not in body:
        names.insert(0, "**")
    try:
        segments = tuple(
            _ANY_DEPTH if _is_any_depth(name) else _segment(name)
            for name, before in zip(names, ["", *names], strict=False)
            if not (_is_any_depth(name) and _is_any_depth(before))  # `**/**` is `**`
        )
    except ValueError:
        return None
    if segments[-1] is _ANY_DEPTH:
        segments = (*segments, _ANY_NAME)
    return ScopePattern(covers, segments, directory)


_cached_pattern = lru_cache(maxsize=1024)(compile_pattern)  #: for scopes, which are few and short


def _is_any_depth(name: str) -> bool:
    return len(name) >= 2 and not name.strip("*")


def _fits(rule: ScopePattern, parts: list[str], is_directory: bool, itself: bool) -> bool:
    """Follow all paths through the rule at once, one path segment at a time."""
    states = _spread({0}, rule.segments)
    for depth, part in enumerate(parts, start=1):
        reached = set()
        for state in states:
            if state == len(rule.segments):
                continue
            segment = rule.segments[state]
            if segment is _ANY_DEPTH:
                reached.add(state)
            elif segment.fullmatch(part):
                reached.add(state + 1)
        states = _spread(reached, rule.segments)
        if len(rule.segments) in states:
            if depth == len(parts):
                return is_directory or not rule.directory
            if not itself:
                return True
    return False


def _spread(states: set[int], segments: tuple[re.Pattern[str] | None, ...]) -> set[int]:
    """Add the states reached by an empty `**`."""
    return states | {state + 1 for state in states if state < len(segments) and segments[state] is _ANY_DEPTH}


def _segment(glob: str) -> re.Pattern[str]:
    """Translate one segment; a ValueError means git would discard the pattern."""
    pieces, at = [""], 0
    while at < len(glob):
        char = glob[at]
        at += 1
        if char == "*":
            pieces.append("")
        elif char == "?":
            pieces[-1] += "."
        elif char == "[":
            text, at = _character_class(glob, at)
            pieces[-1] += text
        elif char == "\\":
            pieces[-1] += re.escape(glob[at : at + 1] or _refuse("a backslash at the end"))
            at += 1
        else:
            pieces[-1] += re.escape(char)
    return re.compile(_without_backtracking(pieces), re.DOTALL)


def _without_backtracking(pieces: list[str]) -> str:
    """Join the pieces around stars: each but the last takes its first match and never gives it back."""
    if len(pieces) == 1:
        return pieces[0]
    middle = "".join(f"(?>.*?{piece})" for piece in pieces[1:-1] if piece)
    return f"{pieces[0]}{middle}.*{pieces[-1]}"


def _character_class(glob: str, at: int) -> tuple[str, int]:
    """Translate the character class whose `[` is before `at`; return it and where it ends."""
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    members: list[str] = []
    first = True
    while first or glob[at : at + 1] != "]":
        first = False
        low, at = _member(glob, at)
        high = low
        if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] not in ("", "]"):
            high, at = _member(glob, at + 1)
        # A reversed range still contains its first character, as in git.
        members.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low))
    return f"[{'^' if negated else ''}{''.join(members)}]", at + 1


def _member(glob: str, at: int) -> tuple[str, int]:
    if glob[at : at + 2] == "[:":
        _refuse("a named class")
    if glob[at : at + 1] == "\\":
        at += 1
    return glob[at : at + 1] or _refuse("an open class"), at + 1


def _refuse(what: str) -> str:
    raise ValueError(what)


def without_braces(glob: str) -> list[str]:
    """Expand braces: `*.{ts,tsx}` is two patterns; one that is far too long stays as it is."""
    found = [glob]
    if len(glob) > LONGEST_GLOB:
        return found
    while len(found) <= MOST_PATTERNS and (braces := _BRACES.search(found[0])):
        before, after = found[0][: braces.start()], found[0][braces.end() :]
        found = [*found[1:], *(before + choice.strip() + after for choice in braces[1].split(","))]
    return found

"""Decide whether two scopes can match the same file, by their patterns alone.

The patterns are those of `scopes`; a character class counts as any one character, so two patterns that differ only in
their classes are taken to overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from memory_layer.text.scopes import matches

_WILD = "*?["
#: Sample text for a wildcard; equal to no literal part of a pattern.
_ANYTHING = "\ufffd"
_ONE, _SOME = "any one", "any number"  #: characters of a name


def meet(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Tell whether some path matches both lists of patterns; paths that a later `!` excludes do not count."""
    return any(
        _overlap(one, other) and not _excludes(ours[place:], other) and not _excludes(theirs[at:], one)
        for place, one in enumerate(ours)
        for at, other in enumerate(theirs)
        if not one.startswith("!") and not other.startswith("!")
    )


def tag_meets(tag: str, scope: Sequence[str]) -> bool:
    """Tell whether a tag matches a scope: as a pattern, or as the name of a file or folder in it."""
    if "/" in tag or any(sign in tag for sign in _WILD):
        return meet((tag,), scope)
    return any(tag.casefold() in _names(pattern) for pattern in scope if not pattern.startswith("!"))


@lru_cache(maxsize=1024)
def _names(pattern: str) -> frozenset[str]:
    plain = [part for part in _parts(pattern) if part and not any(sign in part for sign in _WILD)]
    return frozenset(name.casefold() for part in plain for name in (part, part.rpartition(".")[0] or part))


def _excludes(patterns: Sequence[str], other: str) -> bool:
    """Tell whether one of these patterns excludes everything that another one matches."""
    sample = "/".join(_sample(part) for part in _parts(other))
    return any(each.startswith("!") and matches((each[1:],), sample) for each in patterns)


def _sample(part: str) -> str:
    return "".join(sign if sign not in (_ONE, _SOME) else _ANYTHING for sign in _signs(part))


def _parts(pattern: str) -> list[str]:
    """Split a pattern into segments; one without an inner slash matches at any depth."""
    body = pattern.strip().removesuffix("/")
    names = body.removeprefix("/").split("/")
    return names if "/" in body else ["**", *names]


@lru_cache(maxsize=4096)
def _overlap(one: str, other: str) -> bool:
    """Tell whether some path matches both patterns; everything below a matching folder matches too."""
    ours, theirs = _parts(one), _parts(other)
    pending, seen = [(0, 0)], {(0, 0)}
    while pending:
        here, there = pending.pop()
        over, other_over = here == len(ours), there == len(theirs)
        if (over and (other_over or not _is_file(one))) or (other_over and not _is_file(other)):
            return True
        name = None if over else ours[here]
        for step in _steps(name, None if other_over else theirs[there], here, there):
            if step not in seen:
                seen.add(step)
                pending.append(step)
    return False


def _is_file(pattern: str) -> bool:
    """Tell whether a pattern means only files, judging by its last name: `*.py`, but not `src` or `docs/`."""
    return "." in pattern.rpartition("/")[2][1:]


def _steps(one: str | None, other: str | None, here: int, there: int) -> list[tuple[int, int]]:
    """Return the next positions in two patterns: after one more segment, or after an empty `**`."""
    steps = []
    if one == "**":
        steps += [(here + 1, there), *([(here, there + 1)] if other is not None else [])]
    if other == "**":
        steps += [(here, there + 1), *([(here + 1, there)] if one is not None else [])]
    if one is None or other is None or "**" in (one, other):
        return steps
    return [(here + 1, there + 1)] if _names_overlap(_signs(one), _signs(other)) else []


def _names_overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Tell whether some name matches both segments, following all paths through them at once."""
    pending, seen = [(0, 0)], {(0, 0)}
    while pending:
        here, there = pending.pop()
        if here == len(one) and there == len(other):
            return True
        for step in _next_positions(one, other, here, there):
            if step not in seen:
                seen.add(step)
                pending.append(step)
    return False


def _next_positions(
    one: tuple[str, ...], other: tuple[str, ...], here: int, there: int
) -> list[tuple[int, int]]:
    ours = one[here] if here < len(one) else None
    theirs = other[there] if there < len(other) else None
    steps = []
    if ours == _SOME:
        steps += [(here + 1, there), *([(here, there + 1)] if theirs is not None else [])]
    if theirs == _SOME:
        steps += [(here, there + 1), *([(here + 1, there)] if ours is not None else [])]
    if steps or ours is None or theirs is None:
        return steps
    return [(here + 1, there + 1)] if ours == theirs or _ONE in (ours, theirs) else []


@lru_cache(maxsize=1024)
def _signs(part: str) -> tuple[str, ...]:
    """Split a segment into characters, single wildcards and star wildcards."""
    signs: list[str] = []
    at = 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            signs.append(_SOME)
        elif char == "?":
            signs.append(_ONE)
        elif char == "[" and "]" in part[at + 1 :]:
            signs.append(_ONE)
            at = part.index("]", at + 1) + 1
        elif char == "\\" and at < len(part):
            signs.append(part[at])
            at += 1
        else:
            signs.append(char)
    return tuple(signs)

"""Decide whether two scopes can match the same file, by their patterns alone.

The patterns are those of `scopes`; a character class counts as any one character, so two patterns that differ only in
their classes are taken to overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

    def is_match(here: int, there: int) -> bool:
        over, other_over = here == len(ours), there == len(theirs)
        return (over and (other_over or not _is_file(one))) or (other_over and not _is_file(other))

    return _both_match(ours, theirs, "**", _names_overlap, is_match)


def _is_file(pattern: str) -> bool:
    """Tell whether a pattern means only files, judging by its last name: `*.py`, but not `src` or `docs/`."""
    return "." in pattern.rpartition("/")[2][1:]


def _names_overlap(one: str, other: str) -> bool:
    ours, theirs = _signs(one), _signs(other)
    ends = (len(ours), len(theirs))
    return _both_match(
        ours, theirs, _SOME, lambda a, b: a == b or _ONE in (a, b), lambda *places: places == ends
    )


def _both_match(
    ours: Sequence[str],
    theirs: Sequence[str],
    wildcard: str,
    items_match: Callable[[str, str], bool],
    is_match: Callable[[int, int], bool],
) -> bool:
    """Tell whether two sequences can match the same items, following all paths through them at once."""
    pending, seen = [(0, 0)], {(0, 0)}
    while pending:
        here, there = pending.pop()
        if is_match(here, there):
            return True
        one = ours[here] if here < len(ours) else None
        other = theirs[there] if there < len(theirs) else None
        steps = []
        if one == wildcard or (other == wildcard and one is not None):
            steps.append((here + 1, there))
        if other == wildcard or (one == wildcard and other is not None):
            steps.append((here, there + 1))
        if not steps and one is not None and other is not None and items_match(one, other):
            steps.append((here + 1, there + 1))
        pending += [step for step in steps if step not in seen]
        seen.update(steps)
    return False


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

"""Resolve ids given by their first letters."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import AmbiguousId, InvalidInput, NotFound
from memory_layer.model.record import NamedTuple

MOST_CANDIDATES = 11  #: that an ambiguous beginning names


class Named(NamedTuple):
    """The prefix of one kind of id, and the words for it in messages."""

    mark: str
    one: str
    several: str
    shown: str  #: where a person finds it
    refused: str = "an id"  #: what something unreadable is not


KINDS = {
    "memory": Named("mem_", "a memory", "memories", "`mem show` shows it"),
    "recall": Named("rec_", "a recall", "recalls", "`mem recalls` shows it"),
    "run": Named("run_", "a run", "runs", "`mem run show` shows it"),
    "operation": Named(
        "op_", "an operation", "operations", "`mem undo --list` shows the last ones", "an operation"
    ),
}


def beginning(prefix: str, kind: str) -> str:
    """Return the normalised prefix of an id of this kind; refuse other kinds and prefixes that are too short."""
    expected, bare = KINDS[kind], prefix.strip().lower()
    for known in KINDS.values():
        if known is not expected and bare.startswith(known.mark):
            raise InvalidInput(f"{prefix!r} is the id of {known.one}, not of {expected.one}; {known.shown}")
    bare = bare.removeprefix(expected.mark)
    if len(bare) < 4 or not bare.isalnum() or not bare.isascii():
        raise InvalidInput(f"{prefix!r} is not {expected.refused}; give at least 4 of its letters and digits")
    return expected.mark + bare


def only_one(found: Sequence[str], prefix: str, kind: str) -> str:
    """Return the only match; refuse none and several."""
    if not found:
        raise NotFound(f"there is no {kind} {prefix!r}")
    if len(found) > 1:
        named = ", ".join(found)
        raise AmbiguousId(f"{prefix!r} matches several {KINDS[kind].several}: {named}", list(found))
    return found[0]

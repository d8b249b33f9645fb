"""Secrets found in a text and replaced by what they were, until nothing more is found."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_layer.text.secrets.find import Span, spans
from memory_layer.text.secrets.formats import FORMATS
from memory_layer.text.secrets.values import MARKER

_NAMED_KINDS = ("password", "secret", "token", "key", "url-password", "command-password")
#: Every kind that can stand in a `[REDACTED:kind]`, the most telling first.
KINDS: tuple[str, ...] = tuple(
    dict.fromkeys([*(row.kind for row in FORMATS if row.kind not in _NAMED_KINDS), *_NAMED_KINDS])
)

#: Taking one secret out can lay bare another beside it: as many of a chain without gaps are found one by one.
_PASSES = 32
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}


def without_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text with `[REDACTED:kind]` in place of every secret, and the kinds, each once."""
    kinds: list[str] = []
    for number in range(_PASSES):
        found = _joined(spans(text))
        if not found:
            break
        if number == _PASSES - 1:
            found = _joined(_whole_runs(text, found))
        kinds.extend(kind for _, _, kind in found)
        text = _without(text, found)
    return text, tuple(dict.fromkeys(kinds))


def _whole_runs(text: str, found: Iterable[Span]) -> Iterable[Span]:
    """Each find with everything that touches it: in a longer chain the rest goes unseen."""
    runs = (run.span() for run in re.finditer(r"\S+", text))
    first, last = next(runs)
    for start, end, kind in found:
        while last <= start:
            first, last = next(runs)
        yield min(first, start), max(last, end), kind


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Overlapping finds made one, under the most telling kind."""
    joined: list[Span] = []
    for start, end, kind in sorted(spans):
        if joined and start < joined[-1][1]:
            first, last, known = joined.pop()
            joined.append((first, max(last, end), min(known, kind, key=_RANK.__getitem__)))
        else:
            joined.append((start, end, kind))
    return joined


def _without(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, kind in spans:
        pieces += [text[place:start], MARKER, kind, "]"]
        place = end
    return "".join([*pieces, text[place:]])

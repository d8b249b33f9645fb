"""Where a text holds secrets.

`secret_formats` knows tokens by their looks; the other tables know values by what stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.text.known_words import split
from memory_layer.text.secrets.formats import FORMATS
from memory_layer.text.secrets.redact import TOKEN_LENGTH
from memory_layer.text.secrets.secret_glance import odd_words
from memory_layer.text.secrets.secret_shape import Format
from memory_layer.text.unicode import readings

Span = tuple[int, int, str]
_Anchored = tuple[tuple[str, Format], ...]


def _by_case(rows: _Anchored) -> tuple[_Anchored, _Anchored]:
    """Those that are looked for in lower case, and those as they are written."""
    any_case = tuple((anchor, row) for anchor, row in rows if anchor == anchor.lower())
    return any_case, tuple((anchor, row) for anchor, row in rows if anchor != anchor.lower())


#: Looking for a few letters is far cheaper than a pattern, and most texts hold none of them.
_ANCHORS = tuple((anchor, row) for row in FORMATS for anchor in row.anchors)
_SHORT = tuple((anchor, row) for anchor, row in _ANCHORS if row.length < TOKEN_LENGTH)
_LONG = tuple((anchor, row) for anchor, row in _ANCHORS if row.length >= TOKEN_LENGTH)
#: Anchors that stand in the token itself, so in one of the long words, and those that may stand beside it.
_TOKENS = _by_case(tuple((anchor, row) for anchor, row in _LONG if "(?P<secret>" not in row.pattern))
_APART = _by_case(tuple((anchor, row) for anchor, row in _LONG if "(?P<secret>" in row.pattern))


def spans(text: str) -> Iterator[Span]:
    """Where secrets stand in the text, as it is written and as it reads once nothing in it is encoded or hidden."""
    yield from _found(text)
    for reading in readings(text):
        yield from reading.placed(_found(reading.text))


def _found(text: str) -> Iterator[Span]:
    from memory_layer.text.secrets.secret_phrasing import phrased  # most texts need none of its patterns

    words = split(text)
    odd = list(filter(odd_words(words).__contains__, words))
    lowered, oddly = text.lower(), " ".join(["", *odd]).lower()
    yield from _formatted(text, lowered, odd, oddly)
    yield from phrased(text, lowered, oddly)


def _formatted(text: str, lowered: str, odd: list[str], oddly: str) -> Iterator[Span]:
    """Where tokens stand that are known by their looks; anchors of short ones and of tokens are in odd words."""
    longest = max(map(len, odd), default=0)
    rows = [row for anchor, row in _SHORT if anchor in oddly]
    if longest >= TOKEN_LENGTH:
        within = " ".join(odd)
        for given, lower, (any_case, as_written) in ((text, lowered, _APART), (within, oddly, _TOKENS)):
            rows += [row for anchor, row in any_case if anchor in lower]
            rows += [row for anchor, row in as_written if anchor in given]
    longest = max(map(len, text.split()), default=0) if rows else 0
    for row in dict.fromkeys(rows):
        if row.length <= longest:
            yield from _matches(row, text)


def _matches(row: Format, text: str) -> Iterator[Span]:
    pattern = _compiled(row.pattern, row.touching)
    group = "secret" if "secret" in pattern.groupindex else 0
    match = pattern.search(text)
    while match:
        start, end = match.span(group)
        value = match[group]
        if row.check(value):
            end = _before_the_next(text, end)
            yield start, end - (len(value) - len(value.rstrip())), row.kind
        match = pattern.search(text, max(end, match.start() + 1))


def _before_the_next(text: str, end: int) -> int:
    """Where a token ends that ran into the first letters of another, which would no longer be known without them."""
    place = max(0, end - _LONGEST_ANCHOR)
    while following := _beginnings().search(text, place, end + _LONGEST_ANCHOR):
        if following.start() >= end:
            break
        if following.end() > end:
            return following.start()
        place = following.start() + 1
    return end


_LONGEST_ANCHOR = max(len(anchor) for anchor, _ in _ANCHORS)


@cache
def _beginnings() -> re.Pattern[str]:
    """Find what tokens begin with that are not made of letters and digits alone."""
    anchors = {anchor for rows in _TOKENS for anchor, _ in rows if len(anchor) > 2 and not anchor.isalnum()}
    return re.compile("|".join(map(re.escape, sorted(anchors, key=len, reverse=True))), re.IGNORECASE)


@cache
def _compiled(pattern: str, touching: bool) -> re.Pattern[str]:
    if "(?P<secret>" not in pattern and not touching:
        pattern = rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])"
    return re.compile(pattern, re.ASCII)

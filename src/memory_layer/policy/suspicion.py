"""Texts that a person must look at before they count: a memory is data, and these read as orders.

A memory is shown to agents later, so whoever can write one can try to speak to them. Conventions
("always run the tests first") are what memories are for and pass; what addresses the agent itself,
undoes its instructions or hides something does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from operator import or_

from memory_layer.policy import suspicion_reading as reading
from memory_layer.policy.hidden import ENCODING_STARTS, hiding
from memory_layer.policy.suspicion_anchors import LONE, LONG, MIXED, SIGNS, bits_of, rows_of
from memory_layer.policy.suspicion_signs import QUOTED, SPEAKS_ABOUT, SYNTAX, Sign
from memory_layer.policy.suspicion_weighing import ACTS, weighed

_ENCODED = "it carries encoded text that reads as an instruction"
_SPACED_OUT = "it spells an instruction letter by letter"


def suspicions(text: str) -> tuple[str, ...]:
    """Why the text must be reviewed before it counts, in sentences for a person; nothing if it need not."""
    if text.isascii():
        bits = bits_of(text)
        if not bits and not any(map(text.__contains__, ENCODING_STARTS)):
            return ()
        written = reading.written(text)
    else:
        written = reading.written(text)
        bits = reduce(or_, map(bits_of, written))
    found = [*_told(written, bits), *_disguised(text, written, bits), *hiding(text)]
    return tuple(dict.fromkeys(found))


def _disguised(text: str, written: tuple[str, ...], bits: int) -> Iterator[str]:
    """The reasons in what a text spells, encodes or disguises."""
    if bits & LONE and reading.is_spelled_out(written[0]):
        yield _SPACED_OUT
    if bits & LONG and any(map(_says, reading.decoded(text))):
        yield _ENCODED
    if bits & MIXED and (plain := reading.undisguised(written[-1])) != written[-1]:
        yield from _told((plain,), bits_of(plain))
    if any(map(_says, reading.turned(written[-1], bits))):
        yield _ENCODED
    if (unescaped := reading.unescaped(text)) is not None:
        yield from _says(unescaped)


def _says(text: str) -> list[str]:
    written = reading.written(text)
    return _told(written, reduce(or_, map(bits_of, written)))


def _told(written: tuple[str, ...], bits: int) -> list[str]:
    """The reasons in a text, as it is written in one way or another, and by its words alone."""
    rows = rows_of(bits)
    if not rows:
        return []
    syntax = [SIGNS[row] for row in rows if row < len(SYNTAX)]
    found = [sign.reason for sign in syntax if any(_shows(sign, text) for text in written)]
    if len(syntax) < len(rows):
        written = tuple(map(_unmentioned, written))
    phrases = [SIGNS[row] for row in rows if len(SYNTAX) <= row < len(SIGNS)]
    phrases = [sign for sign in phrases if any(_is_anchored(sign, text) for text in written)]
    if phrases:
        wordings = (*written, re.sub(r"(?:[^\w']|_)+", " ", written[-1]))
        found += [sign.reason for sign in phrases if any(_shows(sign, text) for text in wordings)]
    acts = [ACTS[row - len(SIGNS)] for row in rows if row >= len(SIGNS)]
    return found + [reason for text in written for reason in weighed(acts, text)] if acts else found


def _unmentioned(text: str) -> str:
    """A text without the short quotations that it only speaks about."""
    if not ('"' in text or "'" in text or "`" in text) or not _compiled(SPEAKS_ABOUT).search(text):
        return text
    return _compiled(QUOTED).sub(" ", text)


def _is_anchored(sign: Sign, text: str) -> bool:
    return all(any(anchor in text for anchor in group) for group in sign.anchors)


def _shows(sign: Sign, text: str) -> bool:
    if not _is_anchored(sign, text):
        return False
    matches = _compiled(sign.pattern).finditer(text)
    if not any(match.groupdict().get("good") is None for match in matches):
        return False
    if sign.unless and _compiled(sign.unless).search(text):
        return False
    return not sign.also or _compiled(sign.also).search(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)

"""Texts that a person must look at before they count: a memory is data, and these read as orders.

A memory is shown to agents later, so whoever can write one can try to speak to them. Conventions
("always run the tests first") are what memories are for and pass; what addresses the agent itself,
undoes its instructions or hides something does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, reduce
from operator import or_

from memory_layer.policy import suspicion_reading as reading
from memory_layer.policy.hidden import hiding
from memory_layer.policy.suspicion_acts import ACTS, MINOR, Act
from memory_layer.policy.suspicion_anchors import (
    DISGUISED,
    FOREIGN,
    LONE,
    LONG,
    MIXED,
    TURNED,
    Anchors,
    Row,
    followed,
    has_foreign_letters,
)
from memory_layer.policy.suspicion_markup import SYNTAX
from memory_layer.policy.suspicion_signs import PHRASES, QUOTED, SPEAKS_ABOUT, Sign
from memory_layer.policy.suspicion_weighing import begins, may_show, plainly, weighed

_ENCODED = "it carries encoded text that reads as an instruction"
_SPACED_OUT = "it spells an instruction letter by letter"

_Begun = list[tuple[Sign | Act, Row]]


def suspicions(text: str) -> tuple[str, ...]:
    """Why the text must be reviewed before it counts, in sentences for a person; nothing if it need not."""
    written = () if text.isascii() else reading.written(text)
    bits = reduce(or_, map(_english().bits_of, written)) if written else _english().bits_of(text)
    found = list(hiding(text))
    if (begun := _english().begun_by(bits)) or bits & FOREIGN or written:
        written = written or reading.written(text)
        found = _told(written, bits, begun) + found
    if bits & DISGUISED:
        found += _disguised(text, written or reading.written(text), bits)
    if (unescaped := reading.unescaped(text)) is not None:
        found += _says(unescaped)
    return tuple(dict.fromkeys(found)) if found else ()


@cache
def _english() -> Anchors[Sign | Act]:
    signs = [(sign, Row(sign.anchors, begin=True)) for sign in (*SYNTAX, *PHRASES)]
    return Anchors([*signs, *map(_anchored, ACTS)])


@cache
def _foreign() -> Anchors[Sign | Act]:
    """Other languages; few texts are written in one, and their words take longer to learn than a text to read."""
    from memory_layer.policy.suspicion_tongues import ACTS as TONGUES

    return Anchors(map(_anchored, TONGUES))


def _anchored(act: Act) -> tuple[Sign | Act, Row]:
    return act, Row(act.groups, begin=bool(act.pattern), minor=act.name in MINOR)


def _disguised(text: str, written: tuple[str, ...], bits: int) -> Iterator[str]:
    """The reasons in what a text spells, encodes or disguises."""
    if bits & LONE and reading.is_spelled_out(written[0]):
        yield _SPACED_OUT
    if bits & LONG and any(map(_says, reading.decoded(text))):
        yield _ENCODED
    if bits & MIXED and (plain := reading.undisguised(written[-1])) != written[-1]:
        yield from _says(plain)
    if bits & TURNED and any(map(_says, reading.turned(written[-1]))):
        yield _ENCODED


def _says(text: str) -> list[str]:
    written = reading.written(text)
    bits = reduce(or_, map(_english().bits_of, written))
    return _told(written, bits, _english().begun_by(bits))


def _told(written: tuple[str, ...], bits: int, begun: _Begun) -> list[str]:
    """The reasons in a text, as it is written in one way or another, and by its words alone."""
    others = 0
    if bits & FOREIGN or has_foreign_letters(written[0]):
        others = reduce(or_, map(_foreign().bits_of, written))
        begun += _foreign().begun_by(others)
    signs = [sign for sign, _ in begun if isinstance(sign, Sign)]
    syntax = [sign for sign in signs if sign.is_syntax]
    found = [sign.reason for sign in syntax if any(_shows(sign, text) for text in written)]
    phrases = [
        sign for sign in signs if not sign.is_syntax and any(_is_anchored(sign, text) for text in written)
    ]
    acts = [(act, row) for act, row in begun if isinstance(act, Act)]
    said: list[str] = []
    for texts in _unmentioned(written):
        said = [*_phrased(phrases, texts), *_asked(acts, bits, others, texts)]
        if not said:
            break
    return found + said


def _unmentioned(written: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A text, and then without the short quotations that it may only speak about."""
    yield written
    if any(_compiled(SPEAKS_ABOUT).search(text) for text in written):
        yield tuple(_compiled(QUOTED).sub(" ", text) for text in written)


def _phrased(signs: list[Sign], written: tuple[str, ...]) -> Iterator[str]:
    """The reasons in the words of a text, with and without what stands between them."""
    if signs:
        wordings = (*written, re.sub(r"(?:[^\w']|_)+", " ", written[-1]))
        yield from (sign.reason for sign in signs if any(_shows(sign, text) for text in wordings))


def _asked(begun: list[tuple[Act, Row]], bits: int, others: int, written: tuple[str, ...]) -> Iterator[str]:
    """The reasons in what a text asks for."""
    for text in map(plainly, written) if begun else ():
        acts = [act for act, row in begun if followed(row, text) and may_show(act, text)]
        if acts:
            minor = _english().begun_by(bits, minor=True)
            minor += _foreign().begun_by(others, minor=True) if others else []
            yield from weighed(acts, [act for act, _ in minor if isinstance(act, Act)], text)


def _is_anchored(sign: Sign, text: str) -> bool:
    return all(any(anchor in text for anchor in group) for group in sign.anchors)


def _shows(sign: Sign, text: str) -> bool:
    if not _is_anchored(sign, text):
        return False
    matches = _starting(sign.pattern).finditer(text)
    if not any(match.groupdict().get("good") is None and begins(text, match) for match in matches):
        return False
    if sign.unless and _compiled(sign.unless).search(text):
        return False
    return not sign.also or _compiled(sign.also).search(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _starting(pattern: str) -> re.Pattern[str]:
    """A pattern that is found quickly: what it begins with is checked to begin a word only where it is found."""
    return re.compile(pattern.removeprefix(r"\b"))

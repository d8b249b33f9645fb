"""The reasons why a text reads as an order, found by every sign and act that its words may show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from operator import or_

from memory_layer.text.injection import plain_text as reading
from memory_layer.text.injection.acts import Row, followed, has_foreign_letters, index_of, phrases_of
from memory_layer.text.injection.detect import DISGUISED, FOREIGN, LONE, LONG, MIXED, TURNED, Anchors, english
from memory_layer.text.injection.markup import SYNTAX
from memory_layer.text.injection.signs import PHRASES, QUOTED, SPEAKS_ABOUT, Sign
from memory_layer.text.injection.suspicion_acts import ACTS, MINOR, Act
from memory_layer.text.injection.suspicion_weighing import begins, may_show, plainly, weighed
from memory_layer.text.unicode import hiding

_ENCODED = "it carries encoded text that reads as an instruction"
_SPACED_OUT = "it spells an instruction letter by letter"

_Begun = list[tuple[Sign | Act, Row]]


def reasons_in(text: str, bits: int) -> tuple[str, ...]:
    """Return the reasons in a text whose bits are known, or which is not all ASCII."""
    written = () if text.isascii() else reading.written(text)
    if written:
        bits = reduce(or_, map(english().bits_of, written))
    found = list(hiding(text))
    if (begun := _begun_by(bits)) or bits & FOREIGN or written:
        written = written or reading.written(text)
        found = _told(written, bits, begun) + found
    if bits & DISGUISED:
        found += _disguised(text, written or reading.written(text), bits)
    if (unescaped := reading.unescaped(text)) is not None:
        found += _says(unescaped)
    return tuple(dict.fromkeys(found)) if found else ()


#: What is looked for in English, in the order of the rows of its index.
ENGLISH: tuple[Sign | Act, ...] = (*SYNTAX, *PHRASES, *ACTS)


@cache
def _foreign() -> tuple[Anchors, Sequence[Sign | Act]]:
    """Other languages; few texts are written in one, and their words take longer to learn than a text to read."""
    from memory_layer.text.injection.languages import ACTS as TONGUES

    return Anchors(index_of(map(row_of, TONGUES))), TONGUES


def row_of(thing: Sign | Act) -> Row:
    """Return the words without which no text shows a sign or an act."""
    if isinstance(thing, Sign):
        return Row(thing.anchors, begin=True)
    return Row(thing.groups, begin=bool(thing.pattern), minor=thing.name in MINOR)


def _begun_by(bits: int, others: int = 0, *, minor: bool = False) -> _Begun:
    """What a text may show, with the words that must follow each other in it."""
    begun = [ENGLISH[number] for number in english().begun_by(bits, minor=minor)]
    if others:
        anchors, things = _foreign()
        begun += [things[number] for number in anchors.begun_by(others, minor=minor)]
    return [(thing, phrases_of(row_of(thing))) for thing in begun]


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
    bits = reduce(or_, map(english().bits_of, written))
    return _told(written, bits, _begun_by(bits))


def _told(written: tuple[str, ...], bits: int, begun: _Begun) -> list[str]:
    """The reasons in a text, as it is written in one way or another, and by its words alone."""
    others = 0
    if bits & FOREIGN or has_foreign_letters(written[0]):
        others = reduce(or_, map(_foreign()[0].bits_of, written))
        begun = _begun_by(bits, others)
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
            minor = _begun_by(bits, others, minor=True)
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

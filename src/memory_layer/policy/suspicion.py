"""Texts that a person must look at before they count: a memory is data, and these read as orders.

A memory is shown to agents later, so whoever can write one can try to speak to them. Conventions
("always run the tests first") are what memories are for and pass; what addresses the agent itself,
undoes its instructions or hides something does not.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from operator import or_

from memory_layer.policy import suspicion_reading as reading
from memory_layer.policy.hidden import hiding
from memory_layer.policy.suspicion_acts import ACTS, ENOUGH, FORBIDDEN, WEIGHTS, WITHIN, Act
from memory_layer.policy.suspicion_anchors import LONE, LONG, MIXED, SIGNS, bits_of, is_unspaced, rows_of
from memory_layer.policy.suspicion_signs import QUOTED, SPEAKS_ABOUT, SYNTAX, Sign

_ENCODED = "it carries encoded text that reads as an instruction"
_SPACED_OUT = "it spells an instruction letter by letter"

_ONE_CLAUSE = 90  #: characters between what is done and to what
_ONE_SENTENCE = 160  #: characters in which the words of an act stand
_SENTENCE_END = r"[.!?;](?= |$)|[。！？；।]"
#: What forbids an act: before it in its clause, or in scripts without spaces anywhere in its sentence.
_FORBIDDING = (
    r"(?<!\w)(?:never|not|no|cannot|avoid|nor|nie|niemals|nicht|kein\w*|nunca|jamas|jamais|ne|pas|nao|non|mai|niet|nooit"
    r"|geen|inte|aldrig|ikke|nigdy|zakaz\w*|prohibido|interdit\w*|verboten|не|нет|никогда|нельзя|запрещ\w*|nikdy|asla"
    r"|khong|jangan|tidak)(?!\w)|n't(?!\w)"
)
_FORBIDDING_UNSPACED = r"禁止|不要|不得|切勿|严禁|请勿|不能|不可|しない|ないで|せず|마세요|말 것|지 마|금지|않|لا |ممنوع|न करें|नहीं|मत "


def suspicions(text: str) -> tuple[str, ...]:
    """Why the text must be reviewed before it counts, in sentences for a person; nothing if it need not."""
    if text.isascii():
        bits = bits_of(text)
        if not bits:
            return hiding(text)
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
    if bits & LONG and any(_says(said) for said in reading.decoded(text)):
        yield _ENCODED
    if bits & MIXED and (plain := reading.undisguised(written[-1])) != written[-1]:
        yield from _told((plain,), bits_of(plain))
    if any(map(_says, reading.turned(written[-1]))):
        yield _ENCODED
    if (plain := reading.unescaped(text)) is not None:
        yield from _says(plain)


def _says(text: str) -> list[str]:
    written = reading.written(text)
    return _told(written, reduce(or_, map(bits_of, written)))


def _told(written: tuple[str, ...], bits: int) -> list[str]:
    """The reasons in a text, as it is written in one way or another, and by its words alone."""
    rows = rows_of(bits)
    if not rows:
        return []
    signs = [SIGNS[row] for row in rows if row < len(SIGNS)]
    acts = [ACTS[row - len(SIGNS)] for row in rows if row >= len(SIGNS)]
    found = [sign.reason for sign in signs if sign in SYNTAX and any(_shows(sign, text) for text in written)]
    written = tuple(map(_unmentioned, written))
    phrases = [sign for sign in signs if sign not in SYNTAX]
    if phrases:
        wordings = (*written, re.sub(r"(?:[^\w']|_)+", " ", written[-1]))
        found += [sign.reason for sign in phrases if any(_shows(sign, text) for text in wordings)]
    return found + [reason for text in written for reason in _done(acts, text)]


def _unmentioned(text: str) -> str:
    """A text without the short quotations that it only speaks about."""
    if not ('"' in text or "'" in text or "`" in text) or not _compiled(SPEAKS_ABOUT).search(text):
        return text
    return _compiled(QUOTED).sub(" ", text)


def _shows(sign: Sign, text: str) -> bool:
    if not all(any(anchor in text for anchor in group) for group in sign.anchors):
        return False
    matches = _compiled(sign.pattern).finditer(text)
    if not any(match.groupdict().get("good") is None for match in matches):
        return False
    if sign.unless and _compiled(sign.unless).search(text):
        return False
    return not sign.also or _compiled(sign.also).search(text) is not None


def _done(acts: Sequence[Act], text: str) -> Iterator[str]:
    """The reasons in what a text asks for, where what stands close together weighs enough."""
    if sum(WEIGHTS[name][0] for name in {act.name for act in acts}) < ENOUGH:
        return
    bare = " ".join(text.replace("*", " ").replace('"', " ").split())
    ends = [match.start() for match in _compiled(_SENTENCE_END).finditer(bare)]
    places = sorted({(place, act.name) for act in acts for place in _places(act, bare, ends)})
    near: list[tuple[int, str]] = []
    for place, name in _given_away(places, ends):
        near = [each for each in near if each[0] >= place - WITHIN and each[1] != name] + [(place, name)]
        names = [each[1] for each in near]
        if sum(WEIGHTS[each][0] for each in names) >= ENOUGH:
            yield WEIGHTS[max(names, key=lambda each: WEIGHTS[each][0])][1]


def _given_away(places: list[tuple[int, str]], ends: list[int]) -> Iterator[tuple[int, str]]:
    """The acts but those of giving away that have no secret for their object."""
    secrets = [place for place, name in places if name == "secret"]
    carried = [
        place
        for place, name in places
        if name == "carry" and _is_near(place, secrets, _ONE_CLAUSE, ends)
    ]
    for place, name in places:
        if name not in ("carry", "away") or place in carried or (name == "away" and carried):
            yield place, name


def _places(act: Act, text: str, ends: list[int]) -> Iterator[int]:
    """Where a text shows an act."""
    if act.pattern:
        matches = _compiled(act.pattern).finditer(text)
        yield from (match.start() for match in matches if match.groupdict().get("good") is None)
        return
    first, *others = ([match.start() for match in _word_pattern(group).finditer(text)] for group in act.groups)
    for place in first:
        near = (_is_near(place, other, _ONE_SENTENCE, ends) for other in others)
        if all(near) and not (act.name in FORBIDDEN and _is_forbidden(text, place, ends)):
            yield place


def _is_near(place: int, others: list[int], most: int, ends: list[int] | None = None) -> bool:
    """Whether one of several places is close to another, and in the same sentence if its ends are given."""
    at = bisect_left(others, place)
    for other in others[max(at - 1, 0) : at + 1]:
        if abs(other - place) <= most and (
            ends is None or bisect_left(ends, place) == bisect_left(ends, other)
        ):
            return True
    return False


def _is_forbidden(text: str, place: int, ends: list[int]) -> bool:
    sentence = bisect_left(ends, place)
    start = ends[sentence - 1] if sentence else 0
    before = text[max(start, place - 60) : place]
    if _compiled(_FORBIDDING).search(re.split(r"[,;:]", before)[-1]):
        return True
    end = ends[sentence] if sentence < len(ends) else len(text)
    return _compiled(_FORBIDDING_UNSPACED).search(text, start, min(end + 1, place + 200)) is not None


@cache
def _word_pattern(group: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_word, group)))


def _word(written: str) -> str:
    if is_unspaced(written):
        return re.escape(written.rstrip("*"))
    pattern = re.escape(written).replace(r"\*", r"\w*")
    return rf"(?<!\w){pattern}" + ("" if written.endswith(("*", " ")) else r"(?!\w)")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)

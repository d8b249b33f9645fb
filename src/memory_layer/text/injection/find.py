"""The reasons why a text reads as an order, found by every sign and act that its words may show."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from operator import or_

from memory_layer.text.injection import plain_text as reading
from memory_layer.text.injection.acts import (
    ACTS,
    CONDITIONAL,
    ENOUGH,
    FORBIDDEN,
    MINOR,
    WEIGHTS,
    WITHIN,
    Act,
    AnchorRow,
    followed,
    has_foreign_letters,
    index_of,
    is_unspaced,
    phrases_of,
)
from memory_layer.text.injection.detect import DISGUISED, FOREIGN, LONE, LONG, MIXED, TURNED, Anchors, english
from memory_layer.text.injection.markup import SYNTAX
from memory_layer.text.injection.signs import PHRASES, QUOTED, SPEAKS_ABOUT, Sign
from memory_layer.text.unicode import hiding

_ONE_CLAUSE = 90  #: characters between what is done and to what
_ONE_SENTENCE = 160  #: characters in which the words of an act stand
_SENTENCE_END = r"[.!?;](?= |$)|[。！？；।]"
#: What forbids an act: before it in its clause, or in scripts without spaces anywhere in its sentence.
_FORBIDDING = (
    r"(?<!\w)(?:never|not|no|cannot|avoid|nor|nie|niemals|nicht|kein\w*|nunca|jamas|jamais|ne|pas|nao|non"
    r"|mai|niet|nooit"
    r"|geen|inte|aldrig|ikke|nigdy|zakaz\w*|prohibido|interdit\w*|verboten|не|нет|никогда|нельзя|запрещ\w*|nikdy|asla"
    r"|khong|jangan|tidak)(?!\w)|n't(?!\w)"
)
#: What is not needed is not forbidden.
_NEEDLESS = (
    r"\b(?:no need|not? need\w*|nao precisa\w*|no (?:necesit\w+|hace falta)|pas besoin|kein\w* (?:freigabe"
    r"|bestatigung|ruckfrage|genehmigung|erlaubnis|zustimmung)\w*|non serve"
    r"|не (?:нужно|надо|требуется))"
)
_CLAUSE = r"[,;:،、，]| (?:und|et|y|i|e|en|och|og|и|та|ve|lalu) "
_CONDITION = r"\b(?:when|once|if|after|until|unless|whether|before|because|only)\b"
_FORBIDDING_UNSPACED = (
    r"禁止|不要|不得|切勿|严禁|请勿|不能|不可|しない|ないで|せず"
    r"|마세요|말 것|지 마|금지|않|لا |ممنوع|न करें|नहीं|मत "
)

_Places = list[tuple[int, str]]
_Ends = Callable[[], list[int]]  #: where sentences end, worked out when it is asked


_ENCODED = "it carries encoded text that reads as an instruction"
_SPACED_OUT = "it spells an instruction letter by letter"
_Begun = list[tuple[Sign | Act, AnchorRow]]
#: What is looked for in English, in the order of the rows of its index.
ENGLISH: tuple[Sign | Act, ...] = (*SYNTAX, *PHRASES, *ACTS)


def weighed(acts: Sequence[Act], minor: Sequence[Act], bare: str) -> Iterator[str]:
    """The reasons in what a text asks for, where what stands close together weighs enough.

    The minor acts are looked for only where another one is found.
    """
    ends = cache(lambda: [match.start() for match in _compiled(_SENTENCE_END).finditer(bare)])
    found = {(place, act.name) for act in acts for place in _places(act, bare, ends)}
    if not found:
        return
    found |= {(place, act.name) for act in minor for place in _places(act, bare, ends)}
    near: _Places = []
    for place, name in _given_away(sorted(found), ends):
        near = [each for each in near if each[0] >= place - WITHIN and each[1] != name] + [(place, name)]
        names = [each[1] for each in near]
        if sum(WEIGHTS[each][0] for each in names) >= ENOUGH:
            yield WEIGHTS[max(names, key=lambda each: WEIGHTS[each][0])][1]


def _given_away(places: _Places, ends: _Ends) -> _Places:
    """The acts but those of giving away where nothing is said to be done with a secret."""
    secrets = [place for place, name in places if name == "secret"]
    carried = {
        place for place, name in places if name == "carry" and _is_near(place, secrets, _ONE_CLAUSE, ends)
    }
    return [
        (place, name)
        for place, name in places
        if name not in ("carry", "away", "secret") or place in carried or (name != "carry" and carried)
    ]


def plainly(text: str) -> str:
    """A text without the marks that only stress a word or quote it."""
    return " ".join(text.replace("*", " ").replace('"', " ").split()) if "*" in text or '"' in text else text


def may_show(act: Act, text: str) -> bool:
    """Whether the pattern of an act is found in a text, or a word of each group."""
    groups = (act.pattern,) if act.pattern else act.groups
    return all(_any_of(group).search(text) for group in groups)


def _places(act: Act, text: str, ends: _Ends) -> Iterator[int]:
    """Where a text shows an act."""
    groups = []
    for group in (act.pattern,) if act.pattern else act.groups:
        groups.append([match.start() for match in _any_of(group).finditer(text) if begins(text, match)])
        if not groups[-1]:
            return
    for place in groups[0]:
        near = (_is_near(place, other, _ONE_SENTENCE, ends) for other in groups[1:])
        if all(near) and not (act.name in FORBIDDEN and _is_forbidden(act.name, text, place, ends)):
            yield place


def begins(text: str, match: re.Match[str]) -> bool:
    """Whether a match begins with a word, or in a script that has no spaces."""
    start = match.start()
    if start == 0 or not text[start - 1].isalnum() or not text[start].isalnum() or text[start] >= "\u0590":
        return True
    return text.startswith("n't", start)


def _is_near(place: int, others: list[int], most: int, ends: _Ends) -> bool:
    """Whether one of several places stands close to another in the same sentence."""
    at = bisect_left(others, place)
    return any(
        abs(other - place) <= most and bisect_left(ends(), place) == bisect_left(ends(), other)
        for other in others[max(at - 1, 0) : at + 1]
    )


def _is_forbidden(name: str, text: str, place: int, ends: _Ends) -> bool:
    stops = ends()
    sentence = bisect_left(stops, place)
    start = stops[sentence - 1] if sentence else 0
    clause = re.split(_CLAUSE, text[max(start, place - 60) : place])[-1]
    if _compiled(_FORBIDDING).search(_compiled(_NEEDLESS).sub(" ", clause)):
        return True
    if name in CONDITIONAL and _compiled(_CONDITION).search(clause):
        return True
    rest = re.split(_CLAUSE, text[place : place + 14])[0]
    return _compiled(_FORBIDDING_UNSPACED).search(clause[-10:] + rest) is not None


@cache
def _any_of(words: tuple[str, ...] | str) -> re.Pattern[str]:
    """A pattern that begins with letters, by which places are found quickly."""
    if isinstance(words, str):
        return re.compile(re.sub(r"(^|\|)\\b", r"\1", words))
    return re.compile("|".join(map(_word, words)))


def _word(written: str) -> str:
    if is_unspaced(written):
        return re.escape(written.rstrip("*"))
    pattern = re.escape(written).replace(r"\*", r"\w*")
    return pattern if written.endswith(("*", " ")) else rf"{pattern}(?!\w)"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def reasons_in(text: str, bits: int, begun: Sequence[int]) -> tuple[str, ...]:
    """Return the reasons in a text whose bits and begun rows are known, or which is not all ASCII."""
    written = () if text.isascii() else reading.written(text)
    if written:
        bits = reduce(or_, map(english().bits_of, written))
        begun = english().begun_by(bits)
    found = list(hiding(text))
    if begun or bits & FOREIGN or written:
        written = written or reading.written(text)
        found = _told(written, bits, list(map(_english_row, begun))) + found
    if bits & DISGUISED:
        found += _disguised(text, written or reading.written(text), bits)
    if (unescaped := reading.unescaped(text)) is not None:
        found += _says(unescaped)
    return tuple(dict.fromkeys(found)) if found else ()


@cache
def _foreign() -> tuple[Anchors, Sequence[Sign | Act]]:
    """Other languages; few texts are written in one, and their words take longer to learn than a text to read."""
    from memory_layer.text.injection.languages import ACTS as TONGUES

    return Anchors(index_of(map(row_of, TONGUES))), TONGUES


def row_of(thing: Sign | Act) -> AnchorRow:
    """Return the words without which no text shows a sign or an act."""
    if isinstance(thing, Sign):
        return AnchorRow(thing.anchors, begin=True)
    return AnchorRow(thing.groups, begin=bool(thing.pattern), minor=thing.name in MINOR)


def _begun_by(bits: int, others: int = 0, *, minor: bool = False) -> _Begun:
    """What a text may show, with the words that must follow each other in it."""
    begun = list(map(_english_row, english().begun_by(bits, minor=minor)))
    if others:
        anchors, things = _foreign()
        found = [things[number] for number in anchors.begun_by(others, minor=minor)]
        begun += [(thing, phrases_of(row_of(thing))) for thing in found]
    return begun


@cache
def _english_row(number: int) -> tuple[Sign | Act, AnchorRow]:
    return ENGLISH[number], phrases_of(row_of(ENGLISH[number]))


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


def _asked(
    begun: list[tuple[Act, AnchorRow]], bits: int, others: int, written: tuple[str, ...]
) -> Iterator[str]:
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
def _starting(pattern: str) -> re.Pattern[str]:
    """A pattern that is found quickly: what it begins with is checked to begin a word only where it is found."""
    return re.compile(pattern.removeprefix(r"\b"))

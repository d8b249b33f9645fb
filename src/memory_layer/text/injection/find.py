"""Find the reasons to suspect a text, by the patterns of the signs and acts that its words may show."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from operator import or_

from memory_layer.text import regex
from memory_layer.text.injection import plain_text
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
    foreign_acts,
    has_foreign_letters,
    has_phrases,
    index_of,
    is_unspaced,
    phrases_of,
)
from memory_layer.text.injection.detect import (
    DISGUISED,
    FOREIGN,
    LONE,
    LONG,
    MIXED,
    REVERSED,
    Anchors,
    english,
)
from memory_layer.text.injection.signs import PHRASES, QUOTED, SPEAKS_ABOUT, SYNTAX, Sign
from memory_layer.text.unicode import hidden_characters
from memory_layer.text.word_rules import KNOWN

_PLACE = next(KNOWN.places)

_CLAUSE_LENGTH = 90  #: characters between a verb and its object
_SENTENCE_LENGTH = 160  #: characters that the words of an act span
_SENTENCE_END = r"[.!?;](?= |$)|[。！？；।]"
#: Negations of an act: before it in its clause, or near it in scripts without spaces.
_NEGATION = (
    r"(?<!\w)(?:never|not|no|cannot|avoid|nor|nie|niemals|nicht|kein\w*|nunca|jamas|jamais|ne|pas|nao|non"
    r"|mai|niet|nooit"
    r"|geen|inte|aldrig|ikke|nigdy|zakaz\w*|prohibido|interdit\w*|verboten|не|нет|никогда|нельзя|запрещ\w*|nikdy|asla"
    r"|khong|jangan|tidak)(?!\w)|n't(?!\w)"
)
#: Something that is not needed is not forbidden.
_NEEDLESS = (
    r"\b(?:no need|not? need\w*|nao precisa\w*|no (?:necesit\w+|hace falta)|pas besoin|kein\w* (?:freigabe"
    r"|bestatigung|ruckfrage|genehmigung|erlaubnis|zustimmung)\w*|non serve"
    r"|не (?:нужно|надо|требуется))"
)
_CLAUSE = r"[,;:،、，]| (?:und|et|y|i|e|en|och|og|и|та|ve|lalu) "
_CONDITION = r"\b(?:when|once|if|after|until|unless|whether|before|because|only)\b"
_NEGATION_UNSPACED = (
    r"禁止|不要|不得|切勿|严禁|请勿|不能|不可|しない|ないで|せず"
    r"|마세요|말 것|지 마|금지|않|لا |ممنوع|न करें|नहीं|मत "
)

_Places = list[tuple[int, str]]
_Ends = Callable[[], list[int]]  #: positions of sentence ends, computed on first use

_ENCODED = "it carries encoded text that reads as an instruction"
_SPELLED_OUT = "it spells an instruction letter by letter"
_Candidates = list[tuple[Sign | Act, AnchorRow]]
#: All English signs and acts, in the order of the index.
ENGLISH: tuple[Sign | Act, ...] = (*SYNTAX, *PHRASES, *ACTS)


def weigh_acts(acts: Sequence[Act], minor: Sequence[Act], bare: str) -> Iterator[str]:
    """Yield the reasons of acts that weigh enough together where they are close to each other.

    Minor acts are searched only if another act was found.
    """
    ends = cache(lambda: [match.start() for match in regex(_SENTENCE_END).finditer(bare)])
    found = {(place, act.name) for act in acts for place in _places(act, bare, ends)}
    if not found:
        return
    found |= {(place, act.name) for act in minor for place in _places(act, bare, ends)}
    near: _Places = []
    for place, name in _drop_unrelated_giving(sorted(found), ends):
        near = [each for each in near if each[0] >= place - WITHIN and each[1] != name] + [(place, name)]
        names = [each[1] for each in near]
        if sum(WEIGHTS[each][0] for each in names) >= ENOUGH:
            yield WEIGHTS[max(names, key=lambda each: WEIGHTS[each][0])][1]


def _drop_unrelated_giving(places: _Places, ends: _Ends) -> _Places:
    """Drop acts of giving something away that do not concern a secret."""
    secrets = [place for place, name in places if name == "secret"]
    with_secret = {
        place for place, name in places if name == "carry" and _is_near(place, secrets, _CLAUSE_LENGTH, ends)
    }
    return [
        (place, name)
        for place, name in places
        if name not in ("carry", "away", "secret")
        or place in with_secret
        or (name != "carry" and with_secret)
    ]


def strip_emphasis(text: str) -> str:
    """Remove the marks that only emphasise or quote a word."""
    return " ".join(text.replace("*", " ").replace('"', " ").split()) if "*" in text or '"' in text else text


def may_show(act: Act, text: str) -> bool:
    """Tell whether a text matches the pattern of an act, or has a word of each group."""
    groups = (act.pattern,) if act.pattern else act.groups
    return all(_any_of(group).search(text) for group in groups)


def _places(act: Act, text: str, ends: _Ends) -> Iterator[int]:
    """Yield the positions at which a text shows an act."""
    groups = []
    for group in (act.pattern,) if act.pattern else act.groups:
        groups.append([match.start() for match in _any_of(group).finditer(text) if starts_word(text, match)])
        if not groups[-1]:
            return
    for place in groups[0]:
        near = (_is_near(place, other, _SENTENCE_LENGTH, ends) for other in groups[1:])
        if all(near) and not (act.name in FORBIDDEN and _is_forbidden(act.name, text, place, ends)):
            yield place


def starts_word(text: str, match: re.Match[str]) -> bool:
    """Tell whether a match begins at the start of a word, or in a script without spaces."""
    start = match.start()
    if start == 0 or not text[start - 1].isalnum() or not text[start].isalnum() or text[start] >= "\u0590":
        return True
    return text.startswith("n't", start)


def _is_near(place: int, foreign_bits: list[int], most: int, ends: _Ends) -> bool:
    """Tell whether one of several positions is close to this one in the same sentence."""
    at = bisect_left(foreign_bits, place)
    return any(
        abs(other - place) <= most and bisect_left(ends(), place) == bisect_left(ends(), other)
        for other in foreign_bits[max(at - 1, 0) : at + 1]
    )


def _is_forbidden(name: str, text: str, place: int, ends: _Ends) -> bool:
    stops = ends()
    sentence = bisect_left(stops, place)
    start = stops[sentence - 1] if sentence else 0
    clause = re.split(_CLAUSE, text[max(start, place - 60) : place])[-1]
    if regex(_NEGATION).search(regex(_NEEDLESS).sub(" ", clause)):
        return True
    if name in CONDITIONAL and regex(_CONDITION).search(clause):
        return True
    rest = re.split(_CLAUSE, text[place : place + 14])[0]
    return regex(_NEGATION_UNSPACED).search(clause[-10:] + rest) is not None


@cache
def _any_of(words: tuple[str, ...] | str) -> re.Pattern[str]:
    """Compile a group of words, or a pattern without leading word boundaries, which searches faster."""
    if isinstance(words, str):
        return re.compile(re.sub(r"(^|\|)\\b", r"\1", words))
    return re.compile("|".join(map(_word, words)))


def _word(word: str) -> str:
    if is_unspaced(word):
        return re.escape(word.rstrip("*"))
    pattern = re.escape(word).replace(r"\*", r"\w*")
    return pattern if word.endswith(("*", " ")) else rf"{pattern}(?!\w)"


def reasons_in(text: str, bits: int, rows: Sequence[int]) -> tuple[str, ...]:
    """Find the reasons to suspect a text; `bits` and `rows` are only known if it is all ASCII."""
    readings = () if text.isascii() else plain_text.normalise(text)
    if readings:
        bits = reduce(or_, map(english().bits_of, readings))
        rows = english().candidates(bits)
    found = list(hidden_characters(text))
    if rows or bits & FOREIGN or readings:
        readings = readings or plain_text.normalise(text)
        found = _find_reasons(readings, bits, list(map(_english_row, rows))) + found
    if bits & DISGUISED:
        found += _disguised_reasons(text, readings or plain_text.normalise(text), bits)
    if (plain := plain_text.unescape(text)) is not None:
        found += _reasons_in_text(plain)
    return tuple(dict.fromkeys(found)) if found else ()


@cache
def _foreign() -> tuple[Anchors, Sequence[Sign | Act]]:
    """Load the rows of other languages; few texts need them, and their index is slow to build."""
    acts = tuple(foreign_acts())
    return Anchors(index_of(map(row_of, acts)), _PLACE), acts


def row_of(thing: Sign | Act) -> AnchorRow:
    """Return the anchors that a text needs to show a sign or an act."""
    if isinstance(thing, Sign):
        return AnchorRow(thing.anchors, begin=True)
    return AnchorRow(thing.groups, begin=bool(thing.pattern), minor=thing.name in MINOR)


def _candidates(bits: int, foreign_bits: int = 0, *, minor: bool = False) -> _Candidates:
    """Return the signs and acts that a text may show, each with the phrases it needs."""
    rows = list(map(_english_row, english().candidates(bits, minor=minor)))
    if foreign_bits:
        anchors, things = _foreign()
        found = [things[number] for number in anchors.candidates(foreign_bits, minor=minor)]
        rows += [(thing, phrases_of(row_of(thing))) for thing in found]
    return rows


@cache
def _english_row(number: int) -> tuple[Sign | Act, AnchorRow]:
    return ENGLISH[number], phrases_of(row_of(ENGLISH[number]))


def _disguised_reasons(text: str, readings: tuple[str, ...], bits: int) -> Iterator[str]:
    """Yield the reasons in text that is spelled out, encoded or disguised."""
    if bits & LONE and plain_text.is_spelled_out(readings[0]):
        yield _SPELLED_OUT
    if bits & LONG and any(map(_reasons_in_text, plain_text.decode_blobs(text))):
        yield _ENCODED
    if bits & MIXED and (plain := plain_text.replace_digits(readings[-1])) != readings[-1]:
        yield from _reasons_in_text(plain)
    if bits & REVERSED and any(map(_reasons_in_text, plain_text.reverse_and_rot13(readings[-1]))):
        yield _ENCODED


def _reasons_in_text(text: str) -> list[str]:
    readings = plain_text.normalise(text)
    bits = reduce(or_, map(english().bits_of, readings))
    return _find_reasons(readings, bits, _candidates(bits))


def _find_reasons(readings: tuple[str, ...], bits: int, rows: _Candidates) -> list[str]:
    """Find the reasons in the readings of a text, and in its words alone."""
    foreign_bits = 0
    if bits & FOREIGN or has_foreign_letters(readings[0]):
        foreign_bits = reduce(or_, map(_foreign()[0].bits_of, readings))
        rows = _candidates(bits, foreign_bits)
    signs = [sign for sign, _ in rows if isinstance(sign, Sign)]
    syntax = [sign for sign in signs if sign.is_syntax]
    found = [sign.reason for sign in syntax if any(_shows(sign, text) for text in readings)]
    phrases = [
        sign for sign in signs if not sign.is_syntax and any(_is_anchored(sign, text) for text in readings)
    ]
    acts = [(act, row) for act, row in rows if isinstance(act, Act)]
    worded: list[str] = []
    for texts in _without_mentions(readings):
        worded = [*_phrase_reasons(phrases, texts), *_act_reasons(acts, bits, foreign_bits, texts)]
        if not worded:
            break
    return found + worded


def _without_mentions(readings: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the readings, then again without short quotations if the text may only mention them."""
    yield readings
    if any(regex(SPEAKS_ABOUT).search(text) for text in readings):
        yield tuple(regex(QUOTED).sub(" ", text) for text in readings)


def _phrase_reasons(signs: list[Sign], readings: tuple[str, ...]) -> Iterator[str]:
    """Yield the reasons of signs, with and without the punctuation between words."""
    if signs:
        wordings = (*readings, re.sub(r"(?:[^\w']|_)+", " ", readings[-1]))
        yield from (sign.reason for sign in signs if any(_shows(sign, text) for text in wordings))


def _act_reasons(
    rows: list[tuple[Act, AnchorRow]], bits: int, foreign_bits: int, readings: tuple[str, ...]
) -> Iterator[str]:
    """Yield the reasons of acts."""
    for text in map(strip_emphasis, readings) if rows else ():
        acts = [act for act, row in rows if has_phrases(row, text) and may_show(act, text)]
        if acts:
            minor = _candidates(bits, foreign_bits, minor=True)
            yield from weigh_acts(acts, [act for act, _ in minor if isinstance(act, Act)], text)


def _is_anchored(sign: Sign, text: str) -> bool:
    return all(any(anchor in text for anchor in group) for group in sign.anchors)


def _shows(sign: Sign, text: str) -> bool:
    if not _is_anchored(sign, text):
        return False
    matches = _search_pattern(sign.pattern).finditer(text)
    if not any(match.groupdict().get("good") is None and starts_word(text, match) for match in matches):
        return False
    if sign.unless and regex(sign.unless).search(text):
        return False
    return not sign.also or regex(sign.also).search(text) is not None


@cache
def _search_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern without its leading word boundary, which searches faster; matches are checked for it later."""
    return re.compile(pattern.removeprefix(r"\b"))

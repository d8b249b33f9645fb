"""What the guard against false duplicates sees in a text: its clauses with their sign, and its marked values.

A marked value is one that makes a statement another statement when it changes: a number, an identifier, a
proper name, or a member of a line of opposed words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from memory_layer.policy.lexicon import (
    ALIASES,
    ALSO_WORDS,
    AUXILIARIES,
    FILLERS,
    KNOWN_NAMES,
    NEGATORS,
    NUMBER_WORDS,
    OPPOSED,
    PERMISSION,
    STOP_WORDS,
    TURNING,
    UNITS,
    VERBS,
)
from memory_layer.policy.porter import stem
from memory_layer.policy.words import terms


class Place(Enum):
    """Where in its sentence a value stands."""

    SUBJECT = "subject"
    VALUE = "value"
    SCOPE = "scope"


@dataclass(frozen=True, slots=True)
class Mark:
    """A value that must not change between duplicates."""

    kind: str  #: number, identifier, name, or the name of a line of opposed words
    value: str  #: what is compared
    shown: str  #: as the text has it
    place: Place
    unit: str = ""  #: what a number measures, if it says so
    size: float = 0.0  #: a number in its dimension's smallest unit


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of text that is affirmed or denied as one."""

    words: frozenset[str]  #: its content words
    plain: frozenset[str]  #: the stems of all its words
    sign: int  #: 1 affirmed, -1 denied, 0 neither ("never X without Y" says nothing on X alone)
    negation: str = ""  #: the word that denies it


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as the guard compares it."""

    marks: tuple[Mark, ...]
    clauses: tuple[Clause, ...]
    words: frozenset[str]  #: every term, one form for several spellings
    line: str  #: the same in order, each between spaces
    subject: frozenset[str]  #: the content words before the first verb


_IDIOMS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"[‘’]", "'"),
        (r"(?:\.\s*){2,}", " "),
        (r"(?<=\w)'s\b", ""),
        (r"\b(ca|wo|sha)n't\b", r"\1 not"),
        (r"n't\b", " not"),
        (r"\bcannot\b", "can not"),
        (r"\bno (?:more|longer|larger|greater|bigger|higher|later) than\b|<=|≤|\bat most\b|\bup to\b", " atmost "),
        (r"\bno (?:less|fewer|shorter|smaller|lower|earlier) than\b|>=|≥|\bat least\b", " atleast "),
        (r"\bnot (?:only|just|necessarily)\b|\bno matter\b|\bwhether or not\b", " "),
        (r"\b(?:instead of|rather than|as opposed to|in place of)\b", " insteadof "),
        (r"(?:,|;|\s[–—-]|\bbut|\band)\s+(?:not|never)\b", " insteadof "),
        (r"(\b(?:prefer|favou?r|choose)\w*\s+(?!to\b)[^.,;]+?)\s(?:over|to)\s", r"\1 insteadof "),
        (r"\bno longer\b", "not"),
        (r"\bexcept (?=(?:for|in|on|when|if|the|that)\b)", "without "),
        (r"\b(?:stop|stops|stopped|quit|cease|refrain from)\s+(?=\w+ing\b)", "not "),
        (r"^\s*(?:[-*+•]|\d+[.)])\s+", ""),
    )
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_TOKEN = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*|\w+(?:['./\\@:+#-]+\w+)*(?:\+\+|#|%)?|[,:=]")
_QUANTITY = re.compile(r"[v#$]?(\d+(?:,\d{3})*(?:[.:]\d+)*|\d+(?:[-/]\d+)+)(?:st|nd|rd|th|([a-zµ%]*)(?:/\w+)?)")
_NAME_AND_NUMBER = re.compile(r"([a-z]{2,})-?v?(\d+(?:\.\d+)*)")
_IDENTIFIER = re.compile(r"--?\w|.*(?:_|[a-z][A-Z]|[/\\@]|\w\.\w|\w:\w|\d)")
_DETERMINERS = frozenset("the a an our my your their its this that these those each every all we i you".split())
_FINITE = frozenset("is are was were has have had must should can could will would may might =".split())
_BREAKS = frozenset("but because since so if when whenever while although though then which means : until".split())
_LEADS = frozenset("if when whenever while before after in for on during to at unless with since once".split())
_ADJUNCTS = frozenset("for when if while during in on inside of whenever".split())
_NUMBER_ADJUNCTS = frozenset("for when if while".split())
_GOALS = frozenset("to = :".split())
_NOUN_ENDINGS = ("s", "ing", "ion", "ment", "ity", "ness", "ance", "ence", "age")
_MULTIPLES = {"k": 1e3, "m": 1e6}

_OPPOSED_BY_WORD: dict[str, list[tuple[str, str]]] = {}
for _group, _members in OPPOSED.items():
    for _member in _members:
        for _spelling in _member.split():
            _OPPOSED_BY_WORD.setdefault(_spelling, []).append((_group, _member.split()[0]))
_ORDINARY = STOP_WORDS | NEGATORS | frozenset(_OPPOSED_BY_WORD) | frozenset(UNITS)


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Read a text once for every comparison it takes part in."""
    text = unicodedata.normalize("NFKC", text)
    words = [ALIASES.get(term, term) for term in terms(text)]
    for pattern, replacement in _IDIOMS:
        text = pattern.sub(replacement, text)
    sentences = [tokens for part in _SENTENCE.split(text) if (tokens := _TOKEN.findall(part))]
    return Reading(
        marks=tuple(mark for tokens in sentences for mark in _marks(tokens)),
        clauses=tuple(clause for tokens in sentences for clause in _clauses(tokens)),
        words=frozenset(words),
        line=f" {' '.join(words)} ",
        subject=frozenset(word for tokens in sentences[:1] for word in _subject(tokens)),
    )


def _subject(tokens: list[str]) -> Iterator[str]:
    for token in tokens[: _first_verb(tokens)]:
        yield from _content(token)


def _content(token: str) -> Iterator[str]:
    """The content words of a token, without those that only affirm or deny."""
    if _negates(token.lower()) or token.lower() in TURNING:
        return
    for term in terms(token):
        if term not in FILLERS and term not in PERMISSION:
            yield ALIASES.get(term, term)


def _negates(lower: str) -> bool:
    return lower in NEGATORS or stem(lower) in NEGATORS


def _clauses(tokens: list[str]) -> Iterator[Clause]:
    """Cut a sentence where a new statement begins and give each its sign."""
    found: list[Clause] = []
    for starter, piece in _pieces(tokens):
        negations = [token for token in piece if _negates(token.lower())]
        sign = -1 if len(negations) % 2 else 1
        if starter in TURNING:
            sign *= -found[-1].sign if found and found[-1].sign else -1
            negations.insert(0, starter)
            if found and found[-1].sign < 0 and starter != "insteadof":
                found[-1] = replace(found[-1], sign=0)
        found.append(_clause(piece, sign, negations[0].lower() if negations else ""))
    yield from found


def _clause(piece: list[str], sign: int, negation: str) -> Clause:
    words = frozenset(word for token in piece for word in _content(token))
    plain = frozenset(stem(token.lower()) for token in piece)
    return Clause(words=words, plain=plain, sign=sign, negation=negation)


def _pieces(tokens: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The word that begins each clause, and the clause."""
    starter, piece = "", list[str]()
    for at, token in enumerate(tokens):
        lower = token.lower()
        if lower in TURNING or lower in _BREAKS or (lower == "," and _comma_divides(tokens, at, piece)):
            if piece or starter:
                yield starter, piece
            starter, piece = lower, []
        piece.append(token)
    yield starter, piece


def _comma_divides(tokens: list[str], at: int, piece: list[str]) -> bool:
    """Whether a comma ends a leading clause or stands before a new order, not between the items of a list."""
    following = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
    leading = bool(piece) and piece[0].lower() in _LEADS
    return leading or _negates(following) or following == "always" or stem(following) in VERBS


def _first_verb(tokens: list[str]) -> int:
    """Where the subject ends: 0 for an order, the number of tokens if there is no verb."""
    lowered = [token.lower() for token in tokens]
    end = next((at for at, word in enumerate(lowered) if at and word in _BREAKS and word != ":"), len(tokens))
    finite = [at for at in range(1, end) if lowered[at] in _FINITE or lowered[at] == ":"]
    if stem(lowered[0]) in VERBS or _negates(lowered[0]) or lowered[0] in ("do", "always", "please"):
        return finite[0] if finite and lowered[0] in VERBS else 0
    inflected = [at for at in range(1, end) if _is_verb(lowered, at) and lowered[at].endswith(("s", "ed"))]
    verbs = [at for at in range(1, end) if _is_verb(lowered, at)]
    return min(finite[:1] + inflected[:1], default=verbs[0] if verbs else len(tokens))


def _is_verb(lowered: list[str], at: int) -> bool:
    return lowered[at] in AUXILIARIES or (stem(lowered[at]) in VERBS and lowered[at - 1] not in _DETERMINERS)


def _places(tokens: list[str]) -> list[tuple[Place, str]]:
    """For each token its place, and the word that began its scope."""
    lowered = [token.lower() for token in tokens]
    verb = _first_verb(tokens)
    places = [(Place.SUBJECT, "")] * min(verb, len(tokens))
    place, full = (Place.VALUE, ""), False
    for at in range(len(places), len(tokens)):
        word = lowered[at]
        if at == verb or word in AUXILIARIES or (_is_verb(lowered, at) and word.endswith(("ed", "ing"))):
            place, full = (Place.VALUE, ""), False
        elif word in _GOALS and full and not _is_order(lowered[at + 1 :]):
            places = [(Place.SUBJECT, "")] * at
            place, full = (Place.VALUE, ""), False
        elif word in _ADJUNCTS and full:
            place = (Place.SCOPE, word)
        elif word not in STOP_WORDS:
            full = True
        places.append(place)
    return places


def _is_order(lowered: list[str]) -> bool:
    return bool(lowered) and stem(lowered[0]) in VERBS


def _marks(tokens: list[str]) -> Iterator[Mark]:
    """Every marked value of a sentence."""
    places = _places(tokens)
    for at, token in enumerate(tokens):
        following = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
        place, adjunct = places[at]
        opposed = list(_opposed(token, place))
        number = _number(token, following)
        yield from opposed
        if number:
            after_name = at > 0 and tokens[at - 1].lower() in KNOWN_NAMES
            in_scope = adjunct in _NUMBER_ADJUNCTS or place is Place.SUBJECT
            yield replace(number, place=place if in_scope and not after_name else Place.VALUE)
        elif name := _name(tokens, at):
            yield Mark("name", name, token, place)
            if match := _NAME_AND_NUMBER.fullmatch(token.lower()):
                if token.lower() not in KNOWN_NAMES:
                    yield Mark("number", match[2], token, Place.VALUE)
        elif not opposed and _IDENTIFIER.match(token):
            yield Mark("identifier", token.lower(), token, place)


def _opposed(token: str, place: Place) -> Iterator[Mark]:
    for group, member in _OPPOSED_BY_WORD.get(token.lower(), ()):
        where = place if place is not Place.SCOPE else Place.VALUE
        yield Mark(group, member, token, Place.SCOPE if group == "environment" else where)


def _number(token: str, following: str) -> Mark | None:
    """A number with its unit, which may be the next word."""
    lower = token.lower()
    match = _QUANTITY.fullmatch(NUMBER_WORDS.get(lower, lower))
    if not match:
        return None
    value = re.sub(r"[:/-]", ".", match[1].replace(",", ""))
    suffix = match[2] or following
    dimension, factor = UNITS.get(suffix, ("", _MULTIPLES.get(match[2] or "", 1.0)))
    if match[2] and not dimension and match[2] not in _MULTIPLES and match[2] != "x":
        return None
    size = float(value) * factor if value.count(".") < 2 else 0.0
    shown = f"{token} {following}" if dimension and not match[2] else token
    return Mark("number", value, shown, Place.VALUE, dimension, size)


def _name(tokens: list[str], at: int) -> str:
    """The one form of a proper name, or nothing."""
    token, lower = tokens[at], tokens[at].lower()
    known = KNOWN_NAMES.get(lower, "")
    capital = token[:1].isupper()
    if known and (lower not in ALSO_WORDS or (capital and at > 0)):
        return known
    if not capital or lower in _ORDINARY or stem(lower) in FILLERS:
        return ""
    if "_" in token or (len(token) > 1 and token.isupper()):
        return lower if token.isalpha() else ""
    return lower if at > 0 or _names_a_subject(tokens) else ""


def _names_a_subject(tokens: list[str]) -> bool:
    """Whether a sentence's first word, capitalised anyway, is somebody's or something's name."""
    first = tokens[0].lower()
    ordinary = stem(first) in VERBS or first in _DETERMINERS or first.endswith(_NOUN_ENDINGS)
    return not ordinary and _first_verb(tokens) == 1

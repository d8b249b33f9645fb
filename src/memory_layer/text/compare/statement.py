"""Parse a text for comparison: its values, such as numbers and names, and its clauses, each affirmed or denied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from memory_layer.text.compare.duplicates import LONGEST
from memory_layer.text.compare.sentences import (
    ALSO_WORDS,
    ASSIGNING,
    AUXILIARIES,
    BREAKS,
    DETERMINERS,
    EXCLUSIVE,
    KNOWN_NAMES,
    LABELS,
    MEANS,
    NEGATORS,
    OPPOSED,
    PERMISSION,
    REVERSING,
    SELECTORS,
    UNITS,
    VERBS,
    Sentence,
    first_verb,
    is_order,
    is_verb,
    negates,
    sentences,
)
from memory_layer.text.porter import stem
from memory_layer.text.words import ALIASES, FILLERS, NUMBER_WORDS, STOP_WORDS, terms

_QUANTITY = re.compile(
    r"[v#$]?(\d+(?:,\d{3})*(?:[.:]\d+)*|\d+(?:[-/]\d+)+)(?:st|nd|rd|th|([a-zµ%]*)(?:/\w+)?)"
)
_RANGE = re.compile(r"\d{1,5}-\d{1,5}")
_NAME_AND_NUMBER = re.compile(r"([a-z]{2,})-?v?(\d+(?:\.\d+)*)")
_IDENTIFIER = re.compile(r"--?\w|.*(?:[_*]|[a-z][A-Z]|[/\\@]|\w\.\w|\w:\w|\d)")
_JOINT = re.compile(r"[._/\\@:]")
_ADDRESS = re.compile(r"\w+://|www\.|mailto:")
_VALUE_ADJUNCTS = frozenset("for when if while during in on inside of whenever".split())
_FIRM_ADJUNCTS = frozenset("for when if while".split())  #: "in 5 minutes" is not a scope
_GOALS = frozenset("=:")
_OPENERS = frozenset(": (".split())
_NOUN_ENDINGS = ("s", "ing", "ion", "ment", "ity", "ness", "ance", "ence", "age")
_SHORTEST_STEMMED = 3  # "ups" is no inflection of "up"
_NEAR = 3
_MULTIPLES = {"k": 1e3, "m": 1e6}
_LEADS = frozenset(
    "if when whenever while before after in for on during to at unless with since once without".split()
)
_ADJUNCTS = frozenset("for in on when during inside".split())
_LONGEST_LABEL = 4
_SKIPPED = DETERMINERS | frozenset(",:=()")

_OPPOSED_BY_WORD: dict[str, list[tuple[str, str]]] = {}
_OPPOSED_BY_STEM: dict[str, list[tuple[str, str]]] = {}
for _kind, _members in OPPOSED.items():
    for _spelling, _member in ((word, member.split()[0]) for member in _members for word in member.split()):
        _OPPOSED_BY_WORD.setdefault(_spelling, []).append((_kind, _member))
        if _kind != "environment" and len(_spelling) > _SHORTEST_STEMMED:
            _OPPOSED_BY_STEM.setdefault(stem(_spelling), []).append((_kind, _member))
_NO_NAMES = STOP_WORDS | NEGATORS | frozenset(_OPPOSED_BY_WORD) | frozenset(UNITS)


class ValuePlace(Enum):
    """The part of its sentence that a value belongs to."""

    SUBJECT = "subject"
    VALUE = "value"  #: what the sentence says of its subject
    SCOPE = "scope"  #: for what, where or when it says so


@dataclass(frozen=True, slots=True)
class ValueMark:
    """A value that must be the same in duplicates."""

    kind: str  #: number, label, identifier, name, or a key of `OPPOSED`
    value: str  #: what is compared
    shown: str  #: as written
    place: ValuePlace = ValuePlace.VALUE
    before: str = ""  #: the word it follows
    after: str = ""  #: the word that follows it
    unit: str = ""  #: dimension of a number, if it has a unit
    size: float = 0.0  #: a number, in its dimension's smallest unit


def marks(tokens: Sentence) -> Iterator[ValueMark]:
    """Yield all values of a sentence."""
    words = [token.lower() for token in tokens]
    places = _places(words)
    for at in range(len(tokens)):
        place, adjunct = places[at]
        before = next(
            (word for word in reversed(words[max(0, at - _NEAR) : at]) if word not in DETERMINERS), ""
        )
        after = next((word for word in words[at + 1 : at + 1 + _NEAR] if word not in DETERMINERS), "")
        for mark in _marks_at(tokens, words, at):
            if mark.kind == "number" and before in LABELS:
                mark = replace(mark, kind="label", value=f"{before} {mark.value}")
            yield replace(mark, place=_place(mark, place, adjunct, before), before=before, after=after)


def _marks_at(tokens: Sentence, words: Sentence, at: int) -> Iterator[ValueMark]:
    token, word = tokens[at], words[at]
    if " " in token:
        yield ValueMark("label", word, token)
        return
    opposed = _OPPOSED_BY_WORD.get(word) or _OPPOSED_BY_STEM.get(stem(word), [])
    for kind, member in opposed:
        yield ValueMark(kind, member, token)
    numbers = list(_numbers(token, words[at + 1] if at + 1 < len(words) else ""))
    if numbers:
        yield from numbers
    elif name := _name(tokens, words, at):
        yield ValueMark("name", name, token)
        numbered = _NAME_AND_NUMBER.fullmatch(word)
        if numbered and word not in KNOWN_NAMES:
            yield ValueMark("number", numbered[2], token)
    elif not opposed and (_IDENTIFIER.match(token) or (at and _selects(words[at - 1]))):
        yield ValueMark("identifier", word, token)


def _selects(option: str) -> bool:
    """Tell whether an option selects one of several siblings: `--site`, `--region`."""
    return option.startswith("--") and option.removeprefix("--") in SELECTORS


def _place(mark: ValueMark, place: ValuePlace, adjunct: str, before: str) -> ValuePlace:
    """Return the place of a value, given that of its token; a sibling that is selected is a scope."""
    if mark.kind in ("environment", "region") or _selects(before):
        return ValuePlace.SCOPE
    if mark.kind == "label":
        return ValuePlace.SUBJECT
    if mark.kind == "identifier":
        return ValuePlace.SUBJECT if _ADDRESS.match(mark.value) else place
    if mark.kind == "number":
        if mark.shown.startswith("#"):
            return ValuePlace.SUBJECT
        if before in KNOWN_NAMES or (mark.unit and place is ValuePlace.SCOPE):
            return ValuePlace.VALUE
    if place is ValuePlace.SCOPE and mark.kind != "name" and adjunct not in _FIRM_ADJUNCTS:
        return ValuePlace.VALUE
    return place


def _places(words: Sentence) -> list[tuple[ValuePlace, str]]:
    """Return the place of each token, and the word that began its scope."""
    verb = first_verb(words)
    root = stem(words[verb]) if verb < len(words) else ""
    is_exclusive, assigns = root in EXCLUSIVE, root in ASSIGNING
    places = [(ValuePlace.VALUE if is_exclusive else ValuePlace.SUBJECT, "")] * verb
    place, full = (ValuePlace.VALUE, ""), False
    for at in range(verb, len(words)):
        word = words[at]
        if at == verb or word in AUXILIARIES or _continues_verb(words, at):
            place, full = (ValuePlace.VALUE, ""), False
        elif full and (word in _GOALS or (word == "to" and assigns and not is_order(words[at + 1 : at + 2]))):
            places = [(ValuePlace.SUBJECT, "")] * at
            place, full = (ValuePlace.VALUE, ""), False
        elif word in _VALUE_ADJUNCTS and full:
            place = (ValuePlace.SCOPE, word)
        elif word not in STOP_WORDS:
            full = True
        places.append(place)
    return places


def _continues_verb(words: Sentence, at: int) -> bool:
    """Tell whether a participle continues the verb, as in "is stored in"."""
    if words[at].endswith("ed") and words[at - 1] in AUXILIARIES:
        return True
    return is_verb(words, at) and words[at].endswith(("ed", "ing"))


def _numbers(token: str, following: str) -> Iterator[ValueMark]:
    """Yield a number with its unit, which may be the next word; both ends of a range."""
    lower = token.lower()
    for part in lower.split("-") if _RANGE.fullmatch(lower) else [NUMBER_WORDS.get(lower, lower)]:
        match = _QUANTITY.fullmatch(part)
        if not match:
            return
        value, suffix = re.sub(r"[:/-]", ".", match[1].replace(",", "")), match[2] or ""
        dimension, factor = UNITS.get(suffix or following, ("", _MULTIPLES.get(suffix, 1.0)))
        if suffix in ("", "x", *_MULTIPLES) or dimension:
            size = float(value) * factor if value.count(".") < 2 else 0.0
            shown = f"{token} {following}" if dimension and not suffix else token
            yield ValueMark("number", value, shown, unit=dimension, size=size)


def _name(tokens: Sentence, words: Sentence, at: int) -> str:
    """Return the canonical form of a proper name, or an empty string."""
    token, word = tokens[at], words[at]
    first = at == 0 or words[at - 1] in _OPENERS
    capital = token[:1].isupper()
    after_means = at > 0 and words[at - 1] in MEANS
    if word in KNOWN_NAMES and (word not in ALSO_WORDS or (capital and not first) or after_means):
        return KNOWN_NAMES[word]
    if not capital or word in _NO_NAMES or stem(word) in FILLERS or _JOINT.search(word):
        return ""
    if len(token) > 1 and token.isupper():
        return word if token.isalpha() else ""
    return word if not first or _names_a_subject(words[at:]) else ""


def _names_a_subject(words: Sentence) -> bool:
    """Tell whether the first word of a sentence, which is capitalised anyway, is a name."""
    word = words[0]
    ordinary = stem(word) in VERBS or word in DETERMINERS or word.endswith(_NOUN_ENDINGS)
    return not ordinary and first_verb(words) == 1


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence that is affirmed or denied as a whole."""

    words: frozenset[str]  #: its content words
    tokens: frozenset[str]  #: all its words in lower case
    stems: frozenset[str]  #: their stems
    sign: int  #: 1 affirmed, -1 denied, 0 neither: a heading, or the X of "never X without Y"
    negation: str = ""  #: the word that denies it


def content(token: str) -> Iterator[str]:
    """Yield the content words of a token, without words that only affirm or deny."""
    lower = token.lower()
    if " " in token:  # a noun and its letter
        yield lower.replace(" ", "_")
    if not negates(lower) and lower not in REVERSING:
        for term in terms(token):
            if term not in FILLERS and term not in PERMISSION:
                yield ALIASES.get(term, term)


def clauses(tokens: Sentence) -> Iterator[Clause]:
    """Split a sentence where a new statement begins, and give each clause its sign."""
    found: list[Clause] = []
    for starter, piece in _pieces(tokens):
        clause = _clause(piece)
        if starter in REVERSING:
            clause = _negate(clause, starter, found)
        elif starter == ":" and len(found) == 1 and len(found[0].words) <= _LONGEST_LABEL:
            found[0] = replace(found[0], sign=0)
        found.append(clause)
    yield from found


def _clause(piece: Sentence) -> Clause:
    negations = [token.lower() for token in piece if negates(token.lower())]
    return Clause(
        words=frozenset(word for token in piece for word in content(token)),
        tokens=frozenset(token.lower() for token in piece),
        stems=frozenset(stem(token.lower()) for token in piece),
        sign=-1 if len(negations) % 2 else 1,
        negation=negations[0] if negations else "",
    )


def _negate(clause: Clause, starter: str, found: list[Clause]) -> Clause:
    """Negate a clause after "without" or the like; "never X without Y" requires Y and leaves X open."""
    before = found[-1].sign if found else 1
    if before < 0 and starter != "insteadof":
        found[-1] = replace(found[-1], sign=0)
    return replace(clause, sign=-clause.sign * (before or 1), negation=clause.negation or starter)


def _pieces(tokens: Sentence) -> Iterator[tuple[str, Sentence]]:
    """Yield each clause with the word that begins it."""
    starter = ""
    piece: Sentence = []
    for at, token in enumerate(tokens):
        lower = token.lower()
        if (
            lower in REVERSING
            or lower in BREAKS
            or _resumes_subject(starter, lower)
            or _comma_divides(tokens, at, piece)
        ):
            if piece:
                yield starter, piece
            starter, piece = lower, []
        piece.append(token)
    yield starter, piece


def _resumes_subject(starter: str, lower: str) -> bool:
    """Tell whether the text returns to X after "X instead of Y"."""
    return starter == "insteadof" and lower in _ADJUNCTS


def _comma_divides(tokens: Sentence, at: int, piece: Sentence) -> bool:
    """Tell whether a comma ends a leading clause or precedes an order, rather than separating list items."""
    if tokens[at] != ",":
        return False
    following = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
    leading = bool(piece) and piece[0].lower() in _LEADS
    return leading or negates(following) or following == "always" or stem(following) in VERBS


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text parsed for comparison."""

    marks: tuple[ValueMark, ...]
    clauses: tuple[Clause, ...]
    line: str  #: its terms in order, each between spaces, one form for several spellings
    words: frozenset[str]  #: its content words
    stems: frozenset[str]  #: the stems of all its words
    subject: frozenset[str]  #: the content words before its first verb
    tokens: tuple[str, ...]  #: its words in lower case, without articles and punctuation
    sentences: tuple[Sentence, ...]


@lru_cache(maxsize=1024)
def read(text: str) -> ParsedText:
    """Parse a text once for all its comparisons."""
    text = text[:LONGEST]
    found = sentences(text)
    parts = tuple(clause for tokens in found for clause in clauses(tokens))
    return ParsedText(
        marks=tuple(mark for tokens in found for mark in marks(tokens)),
        clauses=parts,
        line=f" {' '.join(ALIASES.get(term, term) for term in terms(text))} ",
        words=frozenset(word for clause in parts for word in clause.words),
        stems=frozenset(word for clause in parts for word in clause.stems),
        subject=frozenset(word for tokens in found[:1] for word in _subject(tokens)),
        tokens=tuple(word for tokens in found for word in map(str.lower, tokens) if word not in _SKIPPED),
        sentences=tuple(found),
    )


def _subject(tokens: Sentence) -> list[str]:
    """Return the content words before the first verb; none for verbs with one subject at a time, such as "own"."""
    words = [token.lower() for token in tokens]
    verb = first_verb(words)
    if EXCLUSIVE & {stem(word) for word in words[verb : verb + 1]}:
        return []
    return [word for token in tokens[:verb] for word in content(token)]

"""Guard against false duplicates: find the differences between two texts, however close their vectors are.

Texts differ if each has a value that the other lacks, if one denies what the other affirms, or if two words have
swapped places around a verb or a preposition; saying more than the other text is no difference. `denies` tells whether
such a difference is a contradiction.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from memory_layer.text.compare.roles import roles_of, swapped_groups, swapped_words
from memory_layer.text.compare.sentences import (
    ANTONYMS,
    AUXILIARIES,
    CHANGE,
    DETERMINERS,
    EXCLUSIVE,
    KNOWN_NAMES,
    MEANS,
    NEGATIVE_PREFIXES,
    SLOTS,
    VERBS,
    is_order,
    negates,
)
from memory_layer.text.compare.statement import Clause, ParsedText, ValueMark, ValuePlace, content, read
from memory_layer.text.porter import stem
from memory_layer.text.words import ALIASES, terms

_HALF = 0.5
_POSITIVE = frozenset(word for positive, _ in ANTONYMS for word in positive)
_NEGATIVE = frozenset(word for _, negative in ANTONYMS for word in negative)
_SHORTEST_ROOT = 4  # "into" does not deny "to"

_SHORTEST_FRAME = 2  # content words that stay when one is replaced
_JOINTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+")
#: Similarity from which two texts are about the same thing.
SAME_SUBJECT = 0.7
#: Similarity for texts that differ in a number, which is nearly always the value.
SAME_SUBJECT_OF_NUMBERS = 0.55
_TOOLS = frozenset(KNOWN_NAMES.values())


@dataclass(frozen=True, slots=True)
class Denial:
    """A denial between two texts: the share of their common words that it covers, and the denying word."""

    share: float  #: 0 nothing, 1 all of it
    word: str  #: that denies


def denial(one: ParsedText, other: ParsedText, names: frozenset[str]) -> Denial | None:
    """Find the denial between two texts, if any; `names` are the names that both contain."""
    ours, theirs = _signs(one, other), _signs(other, one)
    turns = {word: ours[word] - theirs[word] for word in ours if word in theirs and ours[word] * theirs[word]}
    flipped = {word for word, turn in turns.items() if turn}
    if not turns:
        share = float(_is_negated(one, other) != _is_negated(other, one))
    elif len({turns[word] for word in flipped}) > 1 or flipped & names:
        share = 1.0  # "A, not B" against "B, not A", or against A alone
    else:
        share = len(flipped) / len(turns)
        if share < _HALF and _denied_clauses(one, other) == _denied_clauses(other, one):
            return None  # both deny the same, worded otherwise
    return Denial(share, _denying_word(one, other)) if share else None


def positive_words(one: ParsedText, other: ParsedText) -> frozenset[str]:
    """Return the content words of a text, with each antonym of a word in the other text in its positive form."""
    return frozenset(word for clause in one.clauses for word in _positive_words(clause, other))


def _signs(one: ParsedText, other: ParsedText) -> dict[str, int]:
    """Map each content word to 1 if the text affirms it, -1 if it denies it, 0 if it does both."""
    signs: dict[str, int] = {}
    for clause in one.clauses:
        sign = _sign(clause, other)
        for word in _positive_words(clause, other) if sign else ():
            signs[word] = sign if signs.get(word, sign) == sign else 0
    return signs


def _positive_words(clause: Clause, other: ParsedText) -> frozenset[str]:
    """Return the content words of a clause, with each negative word replaced by its opposite."""
    flips = _flips(clause, other)
    words = (clause.words - flips.keys()) | frozenset(flips.values())
    for positive, negative in ANTONYMS if clause.stems & _POSITIVE else ():
        if clause.stems & positive and other.stems & negative and not other.stems & positive:
            words |= {min(positive)}
    return words


def _is_negated(one: ParsedText, other: ParsedText) -> bool:
    """Tell whether a text denies something that the other text mentions."""
    return any(clause.words <= other.words for clause in one.clauses if _sign(clause, other) < 0)


def _denied_clauses(one: ParsedText, other: ParsedText) -> int:
    return sum(_sign(clause, other) < 0 for clause in one.clauses)


def _sign(clause: Clause, other: ParsedText) -> int:
    return -clause.sign if len(_flips(clause, other)) % 2 else clause.sign


def _flips(clause: Clause, other: ParsedText) -> dict[str, str]:
    """Map the words of a clause whose opposite is in the other text to one name for that opposite."""
    found: dict[str, str] = {}
    for positive, negative in ANTONYMS if clause.stems & _NEGATIVE else ():
        if other.stems & positive and not other.stems & negative:
            found |= dict.fromkeys(clause.stems & negative, min(positive))
    for word in clause.tokens:
        if root := _denied_root(word, other):
            found[stem(word)] = root
    return found


def _denied_root(word: str, other: ParsedText) -> str:
    """Return the rest of a word after "un-" or a similar prefix, if the other text has it without the prefix."""
    if not word.startswith(NEGATIVE_PREFIXES) or stem(word) in other.stems:
        return ""
    roots = (stem(word.removeprefix(prefix)) for prefix in NEGATIVE_PREFIXES if word.startswith(prefix))
    return next((root for root in roots if len(root) >= _SHORTEST_ROOT and root in other.stems), "")


def _denying_word(one: ParsedText, other: ParsedText) -> str:
    """Return a word that denies in only one of the texts, or else in both."""
    ours, theirs = _denying_words(one, other), _denying_words(other, one)
    return min(ours ^ theirs or ours | theirs, default="not").replace("insteadof", "instead of")


def _denying_words(one: ParsedText, other: ParsedText) -> set[str]:
    found = {clause.negation for clause in one.clauses if clause.negation}
    for clause in one.clauses:
        flips = _flips(clause, other)
        found |= {token for token in clause.tokens if stem(token) in flips}
    return found


@dataclass(frozen=True, slots=True)
class TextDifference:
    """A difference between two texts, with the values that only one of them contains."""

    kind: str  #: negation, word, roles, or the kind of the marks
    one: tuple[ValueMark, ...] = ()
    other: tuple[ValueMark, ...] = ()
    word: str = ""  #: by which one text denies what the other affirms
    share: float = 1.0  #: of the common words that is denied

    def __str__(self) -> str:
        if self.word:
            return f"negation: one affirms what the other denies ({self.word!r})"
        sides = sorted(", ".join(sorted({mark.shown for mark in side})) for side in (self.one, self.other))
        return f"{self.kind}: {sides[0]} or {sides[1]}"


def differences(a: str, b: str) -> tuple[str, ...]:
    """Explain why two texts are not duplicates; empty if they may be."""
    return tuple(str(difference) for difference in compare(read(a), read(b)))


def compare(one: ParsedText, other: ParsedText) -> list[TextDifference]:
    """List all differences between two texts."""
    found = [*_negation(one, other)]
    for kind in sorted({mark.kind for mark in one.marks} & {mark.kind for mark in other.marks}):
        ours, theirs = _missing_values(kind, one, other), _missing_values(kind, other, one)
        if ours and theirs:
            found.append(TextDifference(kind, ours, theirs))
    return found or [*_replaced_word(one, other)] or [*_swapped_roles(one, other)]


def parts(mark: ValueMark) -> list[str]:
    """Split a value into its smallest terms, in order."""
    return [ALIASES.get(part, part) for part in terms(_JOINTS.sub(" ", mark.shown))]


def _negation(one: ParsedText, other: ParsedText) -> Iterator[TextDifference]:
    found_denial = denial(one, other, _name_parts(one) & _name_parts(other))
    if found_denial:
        yield TextDifference("negation", word=found_denial.word, share=found_denial.share)


def _name_parts(reading: ParsedText) -> frozenset[str]:
    return frozenset(part for mark in reading.marks if mark.kind == "name" for part in parts(mark))


def _replaced_word(one: ParsedText, other: ParsedText) -> Iterator[TextDifference]:
    """Find the single word that differs between texts that are otherwise equal word for word."""
    if len(one.tokens) != len(other.tokens) or len(one.words & other.words) < _SHORTEST_FRAME:
        return
    pairs = zip(one.tokens, other.tokens, strict=True)
    replaced = [(at, *pair) for at, pair in enumerate(pairs) if pair[0] != pair[1]]
    if len(replaced) == 1 and _differs_in_meaning(*replaced[0]):
        at, ours, theirs = replaced[0]
        before = one.tokens[at - 1] if at else ""
        yield TextDifference(
            "word", (ValueMark("word", ours, ours, before=before),), (ValueMark("word", theirs, theirs),)
        )


def _swapped_roles(one: ParsedText, other: ParsedText) -> Iterator[TextDifference]:
    """Find two words or groups of words that have swapped roles between the texts."""
    sides = swapped_words(roles_of(one.sentences), roles_of(other.sentences))
    sides = sides or swapped_groups(_words_in_order(one), _words_in_order(other))
    if sides is not None:
        ours, theirs = (ValueMark("roles", shown, shown) for shown in sides)
        yield TextDifference("roles", (ours,), (theirs,))


def _words_in_order(reading: ParsedText) -> list[str]:
    """List the words and commas of a text in lower case, without articles."""
    words = (token.lower() for tokens in reading.sentences for token in tokens)
    return [word for word in words if word not in DETERMINERS]


def _differs_in_meaning(at: int, one: str, other: str) -> bool:
    """Return False for two ways to begin an order, two forms of one word, or two spellings."""
    if (at == 0 and is_order([one]) and is_order([other])) or not all(map(_carries_meaning, (one, other))):
        return False
    ours, theirs = ([ALIASES.get(term, term) for term in terms(word)] for word in (one, other))
    return not (ours == theirs or stem(one).startswith(stem(other)) or stem(other).startswith(stem(one)))


def _carries_meaning(word: str) -> bool:
    return next(content(word), None) is not None


def _missing_values(kind: str, one: ParsedText, other: ParsedText) -> tuple[ValueMark, ...]:
    """Return the values of one text that the other does not contain."""
    theirs = [mark for mark in other.marks if mark.kind == kind]
    ours = dict.fromkeys(mark for mark in one.marks if mark.kind == kind)
    return tuple(mark for mark in ours if not _holds(mark, theirs, other))


def _holds(mark: ValueMark, theirs: list[ValueMark], other: ParsedText) -> bool:
    if mark.kind == "number":
        return any(_same_number(mark, their) for their in theirs)
    if mark.kind in ("name", "identifier") and "*" not in mark.value:
        return f" {' '.join(parts(mark))} " in other.line or mark.value in {their.value for their in theirs}
    return mark.value in {their.value for their in theirs}


def _same_number(one: ValueMark, other: ValueMark) -> bool:
    """Compare two numbers in the same unit; without a unit, 3.11 also equals the longer 3.11.7."""
    if one.unit and other.unit:
        return one.unit == other.unit and math.isclose(one.size, other.size)
    if one.size and one.size == other.size:
        return True
    ours, theirs = ([number.lstrip("0") for number in mark.value.split(".")] for mark in (one, other))
    shorter = min(len(ours), len(theirs))
    return ours[:shorter] == theirs[:shorter]


def denies(a: str, b: str) -> bool:
    """Tell whether two texts are about the same thing and cannot both be true."""
    one, other = read(a), read(b)
    found = compare(one, other)
    if not found or _are_unrelated(one, other, found):
        return False
    similarity = _similarity(one, other, found)
    return any(_contradicts(difference, one, other, similarity) for difference in found)


def _are_unrelated(one: ParsedText, other: ParsedText, found: list[TextDifference]) -> bool:
    """Tell whether the texts are about different things, or differ in more than one value."""
    values = [difference for difference in found if difference.one]
    if sum(min(_count(value.one), _count(value.other)) for value in values) > 1:
        return True
    if any(all(_has_other_place(side) for side in (value.one, value.other)) for value in values):
        return True
    numbers = [mark for value in values if value.kind == "number" for mark in value.one + value.other]
    number_terms = {term for mark in numbers for term in _terms(mark)}
    return bool(one.subject - other.words - number_terms and other.subject - one.words - number_terms)


def _count(side: tuple[ValueMark, ...]) -> int:
    return len({mark.value for mark in side})


def _has_other_place(side: tuple[ValueMark, ...]) -> bool:
    """Tell whether any of these values is part of the subject or the scope, not of the statement."""
    return any(mark.place is not ValuePlace.VALUE for mark in side)


def _similarity(one: ParsedText, other: ParsedText, found: list[TextDifference]) -> float:
    """Return the share of common wording apart from the differences, from 0 to 1."""
    differing = {term for value in found for mark in value.one + value.other for term in _terms(mark)}
    ours, theirs = (positive_words(*pair) - differing - CHANGE for pair in ((one, other), (other, one)))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0


def _terms(mark: ValueMark) -> list[str]:
    return parts(mark) + terms(mark.shown)


def _contradicts(difference: TextDifference, one: ParsedText, other: ParsedText, similarity: float) -> bool:
    """Tell whether a difference is one between two answers to the same question."""
    if difference.kind == "roles":
        return False  # both may hold: two services may call each other
    if difference.kind == "number":
        same_many = _count(difference.one) == _count(difference.other)
        return same_many and similarity >= SAME_SUBJECT_OF_NUMBERS
    if similarity < SAME_SUBJECT:
        return False
    if difference.kind in ("name", "identifier"):
        return _fill_same_slot(difference, one, other)
    if difference.kind == "word":
        return difference.one[0].before in MEANS
    if difference.kind == "order in time":
        return bool({mark.after for mark in difference.one} & {mark.after for mark in difference.other})
    return difference.share == 1.0 and not _only_describes(difference.word, one, other)


def _only_describes(word: str, one: ParsedText, other: ParsedText) -> bool:
    """Tell whether a negative word only describes a thing, as in "unexported constants"."""
    prefixed = word.isalpha() and word.startswith(NEGATIVE_PREFIXES) and not negates(word)
    if not prefixed or any(stem(word) in negative for _, negative in ANTONYMS):
        return False
    pairs = (pair for tokens in (one.tokens, other.tokens) for pair in pairwise(("", *tokens)))
    return not any(after == word and before in AUXILIARIES for before, after in pairs)


def _fill_same_slot(difference: TextDifference, one: ParsedText, other: ParsedText) -> bool:
    """Tell whether two names fill the same slot: both are tools, follow the same word, or own the same thing."""
    if EXCLUSIVE & one.stems & other.stems:
        return True
    if all(any(mark.value in _TOOLS for mark in side) for side in (difference.one, difference.other)):
        return True
    before = {mark.before for mark in difference.one} & {mark.before for mark in difference.other}
    return any(word in SLOTS or (difference.kind == "name" and stem(word) in VERBS) for word in before)

"""Whether one text denies another: both speak of the same thing and cannot both hold.

Parallel facts are no conflict: "the staging port is 8080" says nothing against "the production port is 8081".
"""

from __future__ import annotations

from itertools import pairwise

from memory_layer.text.compare.guard import Difference, compared, parts
from memory_layer.text.compare.lexicon import (
    ANTONYMS,
    AUXILIARIES,
    CHANGE,
    EXCLUSIVE,
    KNOWN_NAMES,
    MEANS,
    NEGATIVE_PREFIXES,
    SLOTS,
    VERBS,
)
from memory_layer.text.compare.polarity import positive_words
from memory_layer.text.compare.reading import Reading, read
from memory_layer.text.compare.sentences import negates
from memory_layer.text.compare.values import Mark, Place
from memory_layer.text.porter import stem
from memory_layer.text.words import terms

#: How much of their wording two texts share, apart from what differs, when they are about one thing.
SAME_SUBJECT = 0.7
#: The same where they differ in a number, which is seldom anything but the value.
SAME_SUBJECT_OF_NUMBERS = 0.55
_TOOLS = frozenset(KNOWN_NAMES.values())


def denies(a: str, b: str) -> bool:
    """Whether two texts speak of the same thing and cannot both hold."""
    one, other = read(a), read(b)
    found = compared(one, other)
    if not found or _parallel(one, other, found):
        return False
    likeness = _likeness(one, other, found)
    return any(_contradicts(difference, one, other, likeness) for difference in found)


def _parallel(one: Reading, other: Reading, found: list[Difference]) -> bool:
    """Whether the texts are about different things, or differ in more than one value."""
    values = [difference for difference in found if difference.one]
    if sum(min(_count(value.one), _count(value.other)) for value in values) > 1:
        return True
    if any(all(_outside(side) for side in (value.one, value.other)) for value in values):
        return True
    numbers = [mark for value in values if value.kind == "number" for mark in value.one + value.other]
    moved = {term for mark in numbers for term in _terms(mark)}
    return bool(one.subject - other.words - moved and other.subject - one.words - moved)


def _count(side: tuple[Mark, ...]) -> int:
    return len({mark.value for mark in side})


def _outside(side: tuple[Mark, ...]) -> bool:
    """Whether a value, or one occurrence of it, is not part of what its text says of the subject."""
    return any(mark.place is not Place.VALUE for mark in side)


def _likeness(one: Reading, other: Reading, found: list[Difference]) -> float:
    """How much of their wording two texts share, apart from what differs: 1 all, 0 nothing."""
    differing = {term for value in found for mark in value.one + value.other for term in _terms(mark)}
    ours, theirs = (positive_words(*pair) - differing - CHANGE for pair in ((one, other), (other, one)))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0


def _terms(mark: Mark) -> list[str]:
    return parts(mark) + terms(mark.shown)


def _contradicts(difference: Difference, one: Reading, other: Reading, likeness: float) -> bool:
    """Whether a difference is one between two answers to the same question."""
    if difference.kind == "roles":
        return False  # both may hold: two services may call each other
    if difference.kind == "number":
        same_many = _count(difference.one) == _count(difference.other)
        return same_many and likeness >= SAME_SUBJECT_OF_NUMBERS
    if likeness < SAME_SUBJECT:
        return False
    if difference.kind in ("name", "identifier"):
        return _same_slot(difference, one, other)
    if difference.kind == "word":
        return difference.one[0].before in MEANS
    if difference.kind == "order in time":
        return bool({mark.after for mark in difference.one} & {mark.after for mark in difference.other})
    return difference.share == 1.0 and not _only_describes(difference.word, one, other)


def _only_describes(word: str, one: Reading, other: Reading) -> bool:
    """Whether a negative word names other things, as in "unexported constants", and says nothing of them."""
    prefixed = word.isalpha() and word.startswith(NEGATIVE_PREFIXES) and not negates(word)
    if not prefixed or any(stem(word) in negative for _, negative in ANTONYMS):
        return False
    pairs = (pair for tokens in (one.tokens, other.tokens) for pair in pairwise(("", *tokens)))
    return not any(after == word and before in AUXILIARIES for before, after in pairs)


def _same_slot(difference: Difference, one: Reading, other: Reading) -> bool:
    """Whether two names fill the same place: both are tools, follow the same word, or own the same thing."""
    if EXCLUSIVE & one.stems & other.stems:
        return True
    if all(any(mark.value in _TOOLS for mark in side) for side in (difference.one, difference.other)):
        return True
    before = {mark.before for mark in difference.one} & {mark.before for mark in difference.other}
    return any(word in SLOTS or (difference.kind == "name" and stem(word) in VERBS) for word in before)

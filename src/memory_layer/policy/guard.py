"""The guard against false duplicates: in what two texts differ, and whether one denies the other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory_layer.policy.clauses import Clause, clauses, content
from memory_layer.policy.lexicon import ALIASES, ANTONYMS, EXCLUSIVE, KNOWN_NAMES, NEGATIVE_PREFIXES, SLOTS
from memory_layer.policy.marks import Mark, Place, marks
from memory_layer.policy.porter import stem
from memory_layer.policy.sentences import DETERMINERS, first_verb, is_order, negates, sentences
from memory_layer.policy.words import terms

SAME_SUBJECT = 0.55  #: how much of their wording two texts share, apart from what differs, to be about one thing
SAME_SUBJECT_OF_NAMES = 0.7  #: the same where they differ in a name or identifier
MOSTLY = 0.5
_SHORTEST_FRAME = 2  # content words of a text in which one may be exchanged
_SHORTEST_ROOT = 4  # "into" does not deny "to"
_SKIPPED = DETERMINERS | frozenset(",:=()")
_JOINTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as the guard compares it."""

    marks: tuple[Mark, ...]
    clauses: tuple[Clause, ...]
    line: str  #: its terms in order, each between spaces, one form for several spellings
    words: frozenset[str]  #: its content words
    stems: frozenset[str]  #: the stems of all its words
    subject: frozenset[str]  #: the content words before its first verb
    tokens: tuple[str, ...]  #: its words in lower case, without articles and punctuation


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which two texts differ, with the values only one of them holds."""

    kind: str
    one: tuple[Mark, ...] = ()
    other: tuple[Mark, ...] = ()
    word: str = ""  #: by which one text denies what the other affirms
    share: float = 1.0  #: of what both speak of, how much is denied

    def __str__(self) -> str:
        if self.word:
            return f"negation: only one says {self.word!r}"
        sides = sorted(", ".join(sorted({mark.shown for mark in marks})) for marks in (self.one, self.other))
        return f"{self.kind}: {sides[0]} or {sides[1]}"


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Read a text once for all comparisons it takes part in."""
    found = sentences(text)
    parts = tuple(clause for tokens in found for clause in clauses(tokens))
    before_verb = found[0][: first_verb([token.lower() for token in found[0]])] if found else []
    return Reading(
        marks=tuple(mark for tokens in found for mark in marks(tokens)),
        clauses=parts,
        line=f" {' '.join(ALIASES.get(term, term) for term in terms(text))} ",
        words=frozenset().union(*(clause.words for clause in parts)),
        stems=frozenset().union(*(clause.stems for clause in parts)),
        subject=frozenset(word for token in before_verb for word in content(token)),
        tokens=tuple(word for tokens in found for word in map(str.lower, tokens) if word not in _SKIPPED),
    )


def differences(a: str, b: str) -> tuple[str, ...]:
    """Why two texts are not duplicates, in words; empty if nothing speaks against it."""
    return tuple(str(difference) for difference in _differences(read(a), read(b)))


def denies(a: str, b: str) -> bool:
    """Whether two texts speak of the same thing and cannot both hold."""
    one, other = read(a), read(b)
    found = _differences(one, other)
    if not found or _parallel(one, other, found):
        return False
    likeness = _likeness(one, other, found)
    return any(_contradicts(difference, one, other, likeness) for difference in found)


def _differences(one: Reading, other: Reading) -> list[Difference]:
    found = [*_negation(one, other)]
    for kind in sorted({mark.kind for mark in one.marks} & {mark.kind for mark in other.marks}):
        ours, theirs = _lacking(kind, one, other), _lacking(kind, other, one)
        if ours and theirs:
            found.append(Difference(kind, ours, theirs))
    return found or [*_exchanged_word(one, other)]


def _exchanged_word(one: Reading, other: Reading) -> Iterator[Difference]:
    """The one word that stands for another in texts that are otherwise equal, word for word."""
    if len(one.tokens) != len(other.tokens) or len(one.words) <= _SHORTEST_FRAME:
        return
    places = [at for at, pair in enumerate(zip(one.tokens, other.tokens, strict=True)) if pair[0] != pair[1]]
    if len(places) != 1:
        return
    ours, theirs = one.tokens[places[0]], other.tokens[places[0]]
    orders = places[0] == 0 and is_order([ours]) and is_order([theirs])
    if not orders and _carries_meaning(ours) and _carries_meaning(theirs) and not _akin(ours, theirs):
        yield Difference("word", (Mark("word", ours, ours),), (Mark("word", theirs, theirs),))


def _carries_meaning(word: str) -> bool:
    return not negates(word) and any(True for _ in content(word))


def _akin(one: str, other: str) -> bool:
    """Whether two words are forms of one, such as night and nightly, or spellings of one."""
    ours, theirs = ([ALIASES.get(term, term) for term in terms(word)] for word in (one, other))
    return ours == theirs or stem(one).startswith(stem(other)) or stem(other).startswith(stem(one))


def _lacking(kind: str, one: Reading, other: Reading) -> tuple[Mark, ...]:
    """The values of one text that the other does not hold."""
    theirs = [mark for mark in other.marks if mark.kind == kind]
    ours = dict.fromkeys(mark for mark in one.marks if mark.kind == kind)
    return tuple(mark for mark in ours if not _held(mark, theirs, other))


def _held(mark: Mark, theirs: list[Mark], other: Reading) -> bool:
    if mark.kind == "number":
        return any(_same_number(mark, their) for their in theirs)
    if mark.kind in ("name", "identifier") and f" {' '.join(_parts(mark))} " in other.line:
        return True
    return mark.value in {their.value for their in theirs}


def _parts(mark: Mark) -> list[str]:
    """The smallest terms of a value, in order."""
    return [ALIASES.get(part, part) for part in terms(_JOINTS.sub(" ", mark.shown))]


def _all_parts(mark: Mark) -> list[str]:
    return _parts(mark) + terms(mark.shown)


def _same_number(one: Mark, other: Mark) -> bool:
    """Equal in the same unit; without a unit 3.11 is also the longer 3.11.7."""
    if one.unit and other.unit:
        return one.unit == other.unit and math.isclose(one.size, other.size)
    if one.size and one.size == other.size:
        return True
    ours, theirs = ([number.lstrip("0") for number in mark.value.split(".")] for mark in (one, other))
    shorter = min(len(ours), len(theirs))
    return ours[:shorter] == theirs[:shorter]


def _negation(one: Reading, other: Reading) -> Iterator[Difference]:
    """The difference between affirming and denying what both texts speak of."""
    ours, theirs = _signs(one, other), _signs(other, one)
    turns = [ours[word] - theirs[word] for word in ours if word in theirs and ours[word] * theirs[word]]
    if not turns:
        denied = float(_is_negated(one, other) != _is_negated(other, one))
    elif min(turns) < 0 < max(turns):
        denied = 1.0  # "A, not B" against "B, not A"
    else:
        denied = sum(turn != 0 for turn in turns) / len(turns)
        if denied < MOSTLY and _denied_clauses(one, other) == _denied_clauses(other, one):
            return
    if denied:
        yield Difference("negation", word=_denying_word(one, other), share=denied)


def _signs(one: Reading, other: Reading) -> dict[str, int]:
    """Whether a text affirms or denies each of its content words; 0 if it does both or neither."""
    signs: dict[str, int] = {}
    for clause in one.clauses:
        sign = _sign(clause, other)
        for word in _positive_words(clause, other) if sign else ():
            signs[word] = sign if signs.get(word, sign) == sign else 0
    return signs


def _positive_words(clause: Clause, other: Reading) -> frozenset[str]:
    """The content words of a clause, each negative one replaced by its opposite."""
    flips = _flips(clause, other)
    words = (clause.words - flips.keys()) | frozenset(flips.values())
    denied = (positive for positive, negative in ANTONYMS if other.stems & negative and not other.stems & positive)
    return words | frozenset(min(positive) for positive in denied if clause.stems & positive)


def _all_positive_words(one: Reading, other: Reading) -> frozenset[str]:
    return frozenset().union(*(_positive_words(clause, other) for clause in one.clauses))


def _is_negated(one: Reading, other: Reading) -> bool:
    """Whether a text denies something of which the other speaks as well."""
    return any(clause.words <= other.words for clause in one.clauses if _sign(clause, other) < 0)


def _denied_clauses(one: Reading, other: Reading) -> int:
    return sum(_sign(clause, other) < 0 for clause in one.clauses)


def _sign(clause: Clause, other: Reading) -> int:
    return -clause.sign if len(_flips(clause, other)) % 2 else clause.sign


def _flips(clause: Clause, other: Reading) -> dict[str, str]:
    """The words of a clause whose opposite stands in the other text, with one name for that opposite."""
    found: dict[str, str] = {}
    for positive, negative in ANTONYMS:
        if other.stems & positive and not other.stems & negative:
            found |= dict.fromkeys(clause.stems & negative, min(positive))
    for word in clause.tokens:
        if root := _denied_root(word, other):
            found[stem(word)] = root
    return found


def _denied_root(word: str, other: Reading) -> str:
    """What "un-" and the like stand before, if the other text has it without."""
    for prefix in NEGATIVE_PREFIXES:
        root = word.removeprefix(prefix)
        if root != word and len(root) >= _SHORTEST_ROOT and stem(root) in other.stems and stem(word) not in other.stems:
            return stem(root)
    return ""


def _denying_word(one: Reading, other: Reading) -> str:
    words = {clause.negation for reading in (one, other) for clause in reading.clauses if clause.negation}
    for ours, theirs in ((one, other), (other, one)):
        words |= {word for clause in ours.clauses for word in _flips(clause, theirs)}
    return min(words, default="not").replace("insteadof", "instead of")


def _parallel(one: Reading, other: Reading, found: list[Difference]) -> bool:
    """Whether the texts are about different things, or differ in more than one value."""
    values = [difference for difference in found if difference.one]
    if sum(min(_count(value.one), _count(value.other)) for value in values) > 1:
        return True
    if any(all(_outside(side) for side in (value.one, value.other)) for value in values):
        return True
    numbers = [mark for value in values if value.kind == "number" for mark in value.one + value.other]
    moved = {part for mark in numbers for part in _all_parts(mark)}
    return bool(one.subject - other.words - moved and other.subject - one.words - moved)


def _count(side: tuple[Mark, ...]) -> int:
    return len({mark.value for mark in side})


def _outside(side: tuple[Mark, ...]) -> bool:
    """Whether a text has the value, or one occurrence of it, elsewhere than in what it says of its subject."""
    return any(mark.place is not Place.VALUE for mark in side)


def _likeness(one: Reading, other: Reading, found: list[Difference]) -> float:
    """How much of their wording two texts share, apart from what differs: 1 all, 0 nothing."""
    differing = {part for value in found for mark in value.one + value.other for part in _all_parts(mark)}
    ours, theirs = _all_positive_words(one, other) - differing, _all_positive_words(other, one) - differing
    return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0


def _contradicts(difference: Difference, one: Reading, other: Reading, likeness: float) -> bool:
    """Whether a difference is one between two answers to the same question."""
    if difference.kind in ("name", "identifier"):
        return likeness >= SAME_SUBJECT_OF_NAMES and _same_slot(difference, one, other)
    if likeness < SAME_SUBJECT or difference.kind == "word":
        return False
    if difference.kind == "order in time":
        return bool({mark.after for mark in difference.one} & {mark.after for mark in difference.other})
    if difference.kind == "number":
        return _count(difference.one) == _count(difference.other)
    return difference.share == 1.0


def _same_slot(difference: Difference, one: Reading, other: Reading) -> bool:
    """Whether two names fill the same place: both are tools, follow the same word, or own the same thing."""
    if EXCLUSIVE & one.stems & other.stems:
        return True
    if all(any(mark.value in _ONE_FORMS for mark in side) for side in (difference.one, difference.other)):
        return True
    return bool(SLOTS & {mark.before for mark in difference.one} & {mark.before for mark in difference.other})


_ONE_FORMS = frozenset(KNOWN_NAMES.values())

"""Whether a new text repeats a known one, comes close to it, or denies it.

Closeness is a matter of vectors; the guard is not: texts that differ in a negation, a number, an identifier, a
proper name or a pair of opposed words are never duplicates, however close their vectors lie.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from memory_layer.policy.lexicon import ALIASES, ANTONYMS, NEGATIVE_PREFIXES
from memory_layer.policy.reading import Clause, Mark, Place, Reading, read
from memory_layer.policy.words import content_words, terms

SIMILAR_ABOVE = 0.92  #: cosine from which two texts say nearly the same
CONTAINED_ABOVE = 0.80  #: the same when one text's content words are all in the other
CONFLICT_ABOVE = 0.80  #: cosine from which two texts speak of the same thing
SAME_SUBJECT_SHARE = 0.6  #: of the shorter text's content words, apart from what differs


_SHORTEST_ROOT = 4  # "into" does not deny "to"
_LEADING = re.compile(r"^(?:[\s\"'“”‘’«»`¿¡]|[-*•]\s)+")
_TRAILING = re.compile(r"[\s.,;:!?…\"'“”‘’«»`。、！？]+$")
_JOINTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+")


class Verdict(Enum):
    """What a new text is to a known one."""

    NEW = "new"
    SAME = "same"
    SIMILAR = "similar"
    CONFLICT = "conflict"


def canonical(text: str) -> str:
    """The form in which equal texts are equal: case, white space and edge punctuation do not count."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    collapsed = " ".join(folded.split())
    return _TRAILING.sub("", _LEADING.sub("", collapsed)) or collapsed


def content_hash(project_id: str | None, text: str) -> str:
    """The address of a text in its project; the same for every spelling of it that `canonical` makes equal."""
    material = f"{project_id or ''}\0{canonical(text)}"
    return hashlib.sha256(material.encode("utf-8", "surrogatepass")).hexdigest()


def differences(a: str, b: str) -> tuple[str, ...]:
    """Why two texts are not duplicates, in words; empty if nothing speaks against it."""
    return tuple(str(difference) for difference in _differences(read(a), read(b)))


def denies(a: str, b: str) -> bool:
    """Whether the two speak of the same thing and cannot both hold."""
    one, other = read(a), read(b)
    found = list(_differences(one, other))
    if not found or _other_subject(one, other, found):
        return False
    return _shared(one, other, found) >= SAME_SUBJECT_SHARE


def verdict(new: str, known: str, cosine: float, threshold: float = SIMILAR_ABOVE) -> Verdict:
    """What the new text is to the known one, given the cosine of their vectors."""
    if canonical(new) == canonical(known):
        return Verdict.SAME
    if cosine <= min(threshold, CONTAINED_ABOVE, CONFLICT_ABOVE):
        return Verdict.NEW
    if differences(new, known):
        return Verdict.CONFLICT if cosine > CONFLICT_ABOVE and denies(new, known) else Verdict.NEW
    if cosine > threshold or (cosine > CONTAINED_ABOVE and _contained(new, known)):
        return Verdict.SIMILAR
    return Verdict.NEW


def _contained(a: str, b: str) -> bool:
    one, other = content_words(a), content_words(b)
    return bool(one and other) and (one <= other or other <= one)


@dataclass(frozen=True, slots=True)
class _Difference:
    kind: str
    one: tuple[Mark, ...] = ()
    other: tuple[Mark, ...] = ()
    negation: str = ""

    def __str__(self) -> str:
        if self.negation:
            return f"negation: only one says {self.negation!r}"
        sides = sorted(", ".join(sorted({mark.shown for mark in marks})) for marks in (self.one, self.other))
        return f"{self.kind}: {sides[0]} or {sides[1]}"


def _differences(one: Reading, other: Reading) -> Iterator[_Difference]:
    if negation := _negation(one, other):
        yield _Difference("negation", negation=negation)
    for kind in sorted({mark.kind for mark in one.marks} & {mark.kind for mark in other.marks}):
        lacking = _lacking(kind, one, other), _lacking(kind, other, one)
        if all(lacking):
            yield _Difference(kind, *lacking)


def _lacking(kind: str, one: Reading, other: Reading) -> tuple[Mark, ...]:
    """The values of one text that the other does not hold."""
    theirs = [mark for mark in other.marks if mark.kind == kind]
    ours = dict.fromkeys(mark for mark in one.marks if mark.kind == kind)
    return tuple(mark for mark in ours if not _held(mark, theirs, other))


def _held(mark: Mark, theirs: list[Mark], other: Reading) -> bool:
    if mark.kind == "number":
        return any(_same_number(mark, their) for their in theirs)
    if mark.kind in ("name", "identifier"):
        parts = [ALIASES.get(part, part) for part in terms(_JOINTS.sub(" ", mark.shown))]
        if parts and f" {' '.join(parts)} " in other.line:
            return True
    return mark.value in {their.value for their in theirs}


def _same_number(one: Mark, other: Mark) -> bool:
    """Equal in the same unit; without a unit 3.11 is also the longer 3.11.7."""
    if one.unit and other.unit:
        return one.unit == other.unit and math.isclose(one.size, other.size)
    if one.size and one.size == other.size:
        return True
    numbers = [number.lstrip("0") or "0" for number in one.value.split(".")]
    others = [number.lstrip("0") or "0" for number in other.value.split(".")]
    shorter = min(len(numbers), len(others))
    return numbers[:shorter] == others[:shorter]


def _negation(one: Reading, other: Reading) -> str:
    """The word by which one text affirms what the other denies."""
    ours, theirs = _signs(one, other), _signs(other, one)
    shared = [word for word in ours if word in theirs]
    if shared:
        clashes = any(ours[word] * theirs[word] < 0 for word in shared)
    else:
        clashes = any(sign < 0 for sign in ours.values()) != any(sign < 0 for sign in theirs.values())
    return _denying_word(one, other) if clashes else ""


def _signs(one: Reading, other: Reading) -> dict[str, int]:
    """Whether a text affirms or denies each of its content words; 0 if it does both or neither."""
    signs: dict[str, int] = {}
    theirs = _plain(other)
    for clause in one.clauses:
        flips = _flips(clause, theirs)
        sign = -clause.sign if len(flips) % 2 else clause.sign
        for word in clause.words - flips:
            signs[word] = sign if signs.get(word, sign) == sign else 0
    return signs


def _plain(reading: Reading) -> frozenset[str]:
    return frozenset(word for clause in reading.clauses for word in clause.plain)


def _flips(clause: Clause, theirs: frozenset[str]) -> frozenset[str]:
    """The words of a clause whose opposite stands in the other text."""
    found: set[str] = set()
    for positive, negative in ANTONYMS:
        if theirs & positive and not theirs & negative:
            found |= clause.plain & negative
    for word in clause.plain - theirs:
        roots = (word.removeprefix(prefix) for prefix in NEGATIVE_PREFIXES if word.startswith(prefix))
        if any(len(root) >= _SHORTEST_ROOT and root in theirs for root in roots):
            found.add(word)
    return frozenset(found)


def _denying_word(one: Reading, other: Reading) -> str:
    words = [clause.negation for reading in (one, other) for clause in reading.clauses if clause.negation]
    words += sorted(word for clause in one.clauses for word in _flips(clause, _plain(other)))
    words += sorted(word for clause in other.clauses for word in _flips(clause, _plain(one)))
    return min(words, default="not").replace("insteadof", "instead of")


def _other_subject(one: Reading, other: Reading, found: list[_Difference]) -> bool:
    """Whether the texts are parallel: about different things, or different in more than the value."""
    values = [difference for difference in found if difference.one]
    if sum(min(_count(value.one), _count(value.other)) for value in values) > 1:
        return True
    if any(_parallel(value) for value in values):
        return True
    ours, theirs = one.subject - other.words, other.subject - one.words
    differing = {term for value in values for mark in value.one + value.other for term in terms(mark.shown)}
    return bool(ours - differing and theirs - differing)


def _count(marks: tuple[Mark, ...]) -> int:
    return len({mark.value for mark in marks})


def _parallel(difference: _Difference) -> bool:
    """Whether both texts have the value, or an occurrence of it, outside what they say of their subject."""
    return all(any(mark.place is not Place.VALUE for mark in marks) for marks in (difference.one, difference.other))


def _shared(one: Reading, other: Reading, found: list[_Difference]) -> float:
    """The share of content words in common, apart from those that differ."""
    differing = {
        term for difference in found for mark in difference.one + difference.other for term in terms(mark.shown)
    }
    ours = {word for clause in one.clauses for word in clause.words} - differing
    theirs = {word for clause in other.clauses for word in clause.words} - differing
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 1.0

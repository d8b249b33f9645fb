"""Whether one text affirms what another denies."""

from __future__ import annotations

from dataclasses import dataclass

from memory_layer.text.compare.lexicon import ANTONYMS, NEGATIVE_PREFIXES
from memory_layer.text.compare.statement import Clause, Reading
from memory_layer.text.porter import stem

_MOSTLY = 0.5
_POSITIVE = frozenset(word for positive, _ in ANTONYMS for word in positive)
_NEGATIVE = frozenset(word for _, negative in ANTONYMS for word in negative)
_SHORTEST_ROOT = 4  # "into" does not deny "to"


@dataclass(frozen=True, slots=True)
class Denial:
    """How much of what both texts speak of one affirms and the other denies."""

    share: float  #: 0 nothing, 1 all of it
    word: str  #: that makes the difference


def denial(one: Reading, other: Reading, names: frozenset[str]) -> Denial | None:
    """The denial between two texts, if there is any; `names` are those that both hold."""
    ours, theirs = _signs(one, other), _signs(other, one)
    turns = {word: ours[word] - theirs[word] for word in ours if word in theirs and ours[word] * theirs[word]}
    turned = {word for word, turn in turns.items() if turn}
    if not turns:
        share = float(_is_negated(one, other) != _is_negated(other, one))
    elif len({turns[word] for word in turned}) > 1 or turned & names:
        share = 1.0  # "A, not B" against "B, not A", or against A alone
    else:
        share = len(turned) / len(turns)
        if share < _MOSTLY and _denied_clauses(one, other) == _denied_clauses(other, one):
            return None  # both deny the same, worded otherwise
    return Denial(share, _denying_word(one, other)) if share else None


def positive_words(one: Reading, other: Reading) -> frozenset[str]:
    """The content words of a text, those that the other text has the opposite of in their positive form."""
    return frozenset(word for clause in one.clauses for word in _positive_words(clause, other))


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
    for positive, negative in ANTONYMS if clause.stems & _POSITIVE else ():
        if clause.stems & positive and other.stems & negative and not other.stems & positive:
            words |= {min(positive)}
    return words


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
    for positive, negative in ANTONYMS if clause.stems & _NEGATIVE else ():
        if other.stems & positive and not other.stems & negative:
            found |= dict.fromkeys(clause.stems & negative, min(positive))
    for word in clause.tokens:
        if root := _denied_root(word, other):
            found[stem(word)] = root
    return found


def _denied_root(word: str, other: Reading) -> str:
    """What "un-" and the like stand before, if the other text has it without."""
    if not word.startswith(NEGATIVE_PREFIXES) or stem(word) in other.stems:
        return ""
    roots = (stem(word.removeprefix(prefix)) for prefix in NEGATIVE_PREFIXES if word.startswith(prefix))
    return next((root for root in roots if len(root) >= _SHORTEST_ROOT and root in other.stems), "")


def _denying_word(one: Reading, other: Reading) -> str:
    """The word that denies in one text only, or else in both."""
    ours, theirs = _denying_words(one, other), _denying_words(other, one)
    return min(ours ^ theirs or ours | theirs, default="not").replace("insteadof", "instead of")


def _denying_words(one: Reading, other: Reading) -> set[str]:
    found = {clause.negation for clause in one.clauses if clause.negation}
    for clause in one.clauses:
        flips = _flips(clause, other)
        found |= {token for token in clause.tokens if stem(token) in flips}
    return found

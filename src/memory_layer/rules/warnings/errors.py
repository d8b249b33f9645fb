"""Match an error with the memories that describe it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memory_layer.model.vocabulary import Category
from memory_layer.rules.warnings.kinds import DESCRIPTIONS, REPORTS, Rarity
from memory_layer.text.commands.error_text import COMMON_CLASSES, ErrorText, read_error
from memory_layer.text.porter import stem

#: From this weight of shared names and words on, a memory describes an error.
ENOUGH = 1.5
#: From this weight on, a memory describes an error if the meaning is close as well.
PERHAPS = 0.9
CLOSENESS, FAR = 2.0, 0.4  #: what each bit of cosine above the second adds
NAME = 1.3  #: the weight of a class or code in both
LESSER_NAME = 0.9  #: the weight of another name with capitals inside, if it is rare
QUOTED_NAME, SAME_PORT = 0.6, 0.6  #: the weight of a name in quotation marks, and of a port
DESCRIBING = 0.6  #: the factor for words and lesser names in a text that speaks of no problem
SHORTEST_RUN = 3  #: words in the same order that count as one message
_NO_PROBLEMS = DESCRIPTIONS | REPORTS | {Category.COMMAND}
_OPTION = re.compile(r"--[\w-]+")
#: Stems that most errors contain.
_USUAL = frozenset(
    stem(word)
    for word in (
        "error errors exception exceptions failed fail fails failure cannot can't could found find missing unexpected"
        " expected got line file traceback call module name type value object argument arguments code exit status"
        " fatal warning note caused raise raised raises invalid unknown while attempting run running command message"
        " none null true false get set no not is was http https com org io self return import from make test tests"
        " py js ts go rs app src lib main index use used using already try"
    ).split()
) | frozenset(map(stem, COMMON_CLASSES))
#: Stems of phrases that errors of every kind share.
_FREQUENT = frozenset(
    stem(word)
    for word in (
        "context deadline exceeded connection refused timeout timed permission denied directory exists eof operation"
        " permitted forbidden unauthorized internal server request response retry retries max url connect socket"
        " address key token user required supported version client host port reached limit empty closed reset"
        " thread panic panicked goroutine runtime index range bounds out length len array"
    ).split()
)


def weight_of(content: str, category: Category, error: ErrorText, rarity: Rarity) -> float:
    """Return how much of an error a text names: classes and codes most, then runs of its message, then words."""
    own = read_error(content)
    if own.ports and error.ports and not own.ports & error.ports:
        return 0.0  # it is about another service
    named = NAME * (len(error.classes & own.classes) + len(error.codes & own.codes))
    lesser = LESSER_NAME * sum(rarity.of(stem(each)) for each in error.names & own.names)
    told = _OPTION.sub(" ", content.lower())
    lesser += QUOTED_NAME * sum(each in told for each in error.quoted)
    lesser += SAME_PORT * len(own.ports & error.ports)
    shared = set(error.terms) & set(own.terms)
    parts = {term for term in shared for other in shared if term != other and term in other}
    words = {term: _weight(term, parts, rarity) for term in shared}
    runs = [run for run in _runs(error.terms, own.terms) if len(set(run) - parts) >= SHORTEST_RUN]
    inside = {term for run in runs for term in run}
    message = sum(words.get(term, 0.0) for term in inside)
    others = sum(weight for term, weight in words.items() if term not in inside)
    lesser += 0.4 * others
    weight = named + message + (lesser * DESCRIBING if category in _NO_PROBLEMS else lesser)
    return max(weight, ENOUGH) if any(_says_most(run, error.terms) for run in runs) else weight


def _says_most(run: Sequence[str], message: Sequence[str]) -> bool:
    """Is this more than half of a message, with words in it that not all errors share?"""
    return 2 * len(run) > len(message) and len(set(run) - _USUAL - _FREQUENT) > 1


def _weight(term: str, parts: Collection[str], rarity: Rarity) -> float:
    if term in _USUAL or term in parts:
        return 0.1
    return min(rarity.of(term), 0.3) if term in _FREQUENT else rarity.of(term)


def is_meant(weight: float, cosine: float) -> bool:
    """Do some words and a close meaning together describe an error?"""
    return weight + CLOSENESS * (cosine - FAR) >= ENOUGH


def _runs(one: Sequence[str], other: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the runs of terms that both contain in the same order, the longest from each place."""
    starts: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(other) - SHORTEST_RUN + 1):
        starts.setdefault(tuple(other[at : at + SHORTEST_RUN]), []).append(at)
    found: list[tuple[str, ...]] = []
    at = 0
    while at <= len(one) - SHORTEST_RUN:
        length = max(
            (_common(one, at, other, there) for there in starts.get(tuple(one[at : at + SHORTEST_RUN]), ())),
            default=0,
        )
        found += [tuple(one[at : at + length])] if length else []
        at += max(length, 1)
    return found


def _common(one: Sequence[str], at: int, other: Sequence[str], there: int) -> int:
    length = 0
    while (
        at + length < len(one) and there + length < len(other) and one[at + length] == other[there + length]
    ):
        length += 1
    return length

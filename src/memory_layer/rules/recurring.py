"""What keeps going wrong: failures told in nearly the same words, whatever numbers, paths and times they name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from memory_layer.model.record import NamedTuple
from memory_layer.model.upkeep import Failure
from memory_layer.text.compare.repeats import WORDS_ALIKE
from memory_layer.text.words import content_words

#: Characters of a failure that are read, and how few words are too few to tell failures apart.
READ = 600
FEWEST_WORDS = 3
KEPT = 10  #: of the memories and failures behind one
#: With how many that share a rare word one is compared, and with how many in all: long texts share many words.
_LOOKED_AT, _COMPARED = 50, 100

Words = tuple[str, ...]


class Recurring(NamedTuple):
    """Failures that are one and the same."""

    project: str | None
    words: Words
    text: str  #: of the first
    times: int
    first: datetime
    last: datetime
    ids: tuple[str, ...]  #: some of them
    memories: tuple[str, ...]  #: some of those that were used
    others: tuple[Words, ...] = ()  #: the words of those told a little differently

    @property
    def keys(self) -> tuple[str, ...]:
        """By what it is known again, however it is told."""
        return tuple(" ".join(words) for words in (self.words, *self.others))


def recurring(failures: Iterable[Failure], times: int, since: datetime) -> list[Recurring]:
    """What failed so often and again since then, in the order of its first time."""
    told: dict[tuple[str | None, Words], Recurring] = {}
    for failure in failures:
        words = signature(failure.text)
        if len(words) >= FEWEST_WORDS:
            place = failure.project, words
            once = _once(failure, words)
            told[place] = _both(told[place], once) if place in told else once
    by_project: dict[str | None, list[Recurring]] = {}
    for each in told.values():
        by_project.setdefault(each.project, []).append(each)
    found = [each for some in by_project.values() for each in _gathered(some)]
    often = [each for each in found if each.times >= times and each.last >= since]
    return sorted(often, key=lambda each: (each.first, each.words))


def signature(text: str) -> Words:
    """The words of a failure that stay the same from time to time."""
    words = content_words(text[:READ])
    return tuple(sorted(word for word in words if not any(char.isdigit() for char in word)))


def _once(failure: Failure, words: Words) -> Recurring:
    return Recurring(
        project=failure.project,
        words=words,
        text=failure.text[:READ],
        times=1,
        first=failure.at,
        last=failure.at,
        ids=(failure.id,),
        memories=failure.memories[:KEPT],
    )


def _both(one: Recurring, two: Recurring) -> Recurring:
    """Two findings as one, told in the words of the earlier."""
    first, second = sorted((one, two), key=lambda each: (each.first, each.ids))
    told = (*first.others, second.words, *second.others)
    return first._replace(
        times=one.times + two.times,
        last=max(one.last, two.last),
        ids=tuple(dict.fromkeys(first.ids + second.ids))[:KEPT],
        memories=tuple(dict.fromkeys(first.memories + second.memories))[:KEPT],
        others=tuple(dict.fromkeys(each for each in told if each != first.words))[:_LOOKED_AT],
    )


def _gathered(told: Sequence[Recurring]) -> Iterator[Recurring]:
    """Those told in nearly the same words put together, each with the first that it is like."""
    common = Counter(word for each in told for word in each.words)
    heads: list[Recurring] = []
    sets: list[frozenset[str]] = []
    by_word: dict[str, list[int]] = {}
    for each in sorted(told, key=lambda each: (each.first, each.ids)):
        rare, own = _rarest(each.words, common), frozenset(each.words)
        near = dict.fromkeys(at for word in rare for at in by_word.get(word, ())[:_LOOKED_AT])
        at = next((at for at in islice(near, _COMPARED) if _alike(sets[at], own)), None)
        if at is not None:
            heads[at] = _both(heads[at], each)
            continue
        for word in rare:
            by_word.setdefault(word, []).append(len(heads))
        heads.append(each)
        sets.append(own)
    yield from heads


def _rarest(words: Words, common: Counter[str]) -> list[str]:
    """So many rare words that two alike texts share one of them."""
    few = len(words) - math.ceil(WORDS_ALIKE * len(words)) + 1
    return sorted(words, key=lambda word: (common[word], word))[:few]


def _alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    shared = len(ours & theirs)
    return shared >= WORDS_ALIKE * (len(ours) + len(theirs) - shared)

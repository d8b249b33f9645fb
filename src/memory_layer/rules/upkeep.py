"""Decide what a consolidation may do by itself; it rewords nothing and hides nothing that a person guards."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.sources import Standing
from memory_layer.model.upkeep import Failure
from memory_layer.model.vocabulary import Category, Priority, Reason, Status, Tier
from memory_layer.rules.lifecycle import FADED_BELOW, LEAST_CONFIDENCE, activation_of, last_touched
from memory_layer.rules.permissions import guarded_by_a_person, kept_in_sight_by_a_person
from memory_layer.text.compare.duplicates import CONTAINED_ABOVE, WORDS_ALIKE, canonical
from memory_layer.text.compare.guard import differences
from memory_layer.text.compare.statement import read
from memory_layer.text.porter import stem
from memory_layer.text.words import ALIASES, FILLERS, content_words

#: Two texts are merged unasked above this cosine, with this share of all their content words in both, with their words
#: in the same order, with the same code, and with no difference that the guard finds. `python -m bench duplicates`
#: measures how often that is right.
MERGED_ABOVE = 0.95
WORDS_SHARED = 0.9

#: How often a fact must have been confirmed to count for more, in how many projects a text must stand to be
#: suggested for all, and how often something must have failed.
CONFIRMED, PROJECTS, FAILED = 3, 3, 3
#: Suggestions that may wait for a person at the same time.
MOST_WAITING = 20
#: Days without recurrence after which a failure is over.
FAILING_DAYS = 90

_QUOTED = re.compile(r"`([^`]+)`")
_AROUND = "()[]{}*\"'“”‘’.,;:!?"  #: marks around a word
_NO_PROSE = re.compile(r"[^\w'’.–—-]|_|\d|[a-z][A-Z]")
#: Not "may", "must" and the like: they change the meaning.
_EMPHASIS = FILLERS - frozenset(map(stem, ("may", "must", "shall", "need", "prefer")))
_NEXT = {Priority.NORMAL: Priority.MEDIUM, Priority.MEDIUM: Priority.HIGH}
#: Categories that hold for one code base at one time, and so never for all.
_OF_THE_MOMENT = (Category.CONTEXT, Category.TODO, Category.PROGRESS)


#: A memory is compared with its neighbours one after the other.
_words = lru_cache(maxsize=2048)(content_words)
#: Characters of a failure that are read, and how few words are too few to tell failures apart.
READ = 600
FEWEST_WORDS = 3
KEPT = 10  #: of the memories and failures behind one
#: With how many that share a rare word one is compared, and with how many in all: long texts share many words.
_LOOKED_AT, _COMPARED = 50, 100
Words = tuple[str, ...]


def outlived(memory: Memory, now: datetime) -> tuple[Reason, str] | None:
    """Return why a memory can be archived, as a reason and in words; None if it stays."""
    if memory.status is not Status.ACTIVE or guarded_by_a_person(memory):
        return None
    if memory.expires_at is not None and memory.expires_at <= now:
        return Reason.EXPIRED, f"expired on {memory.expires_at:%Y-%m-%d}"
    if memory.tier is Tier.EPISODIC or activation_of(memory, now) >= FADED_BELOW:
        return None
    return Reason.FADED, f"untouched since {last_touched(memory):%Y-%m-%d}"


def comparable(one: Memory, other: Memory, now: datetime) -> bool:
    """Can two memories be merged: both active facts of one kind, with overlapping readers?"""
    given_out = all(_is_given_out(memory, now) for memory in (one, other))
    together = one.project == other.project or None in (one.project, other.project)
    kinds = one.category is other.category or Category.GENERAL in (one.category, other.category)
    return given_out and together and kinds and one.tier is other.tier is Tier.SEMANTIC


def _is_given_out(memory: Memory, now: datetime) -> bool:
    return memory.status is Status.ACTIVE and (memory.expires_at is None or memory.expires_at > now)


def says_the_same(one: Memory, other: Memory) -> bool:
    return canonical(one.content) == canonical(other.content)


def nearly_the_same(one: Memory, other: Memory, cosine: float, threshold: float) -> bool:
    """Are two texts so close that somebody should look at them?"""
    ours, theirs = _words(one.content), _words(other.content)
    within = bool(ours and theirs) and (ours <= theirs or theirs <= ours)
    # The guard takes longest, so it is asked last; the verdict is the same as on a new memory.
    close = cosine > threshold or (cosine > CONTAINED_ABOVE and within)
    return close and (says_the_same(one, other) or not differences(one.content, other.content))


def surely_the_same(one: Memory, other: Memory, cosine: float) -> bool:
    """May two similar texts be merged unasked? Wording may differ, meaning may not."""
    ours, theirs = _words(one.content), _words(other.content)
    shared = bool(ours) and len(ours & theirs) >= WORDS_SHARED * len(ours | theirs)
    if not shared or cosine <= MERGED_ABOVE or one.project != other.project:
        return False
    return _code(one.content) == _code(other.content) and _in_the_same_order(one.content, other.content)


def _in_the_same_order(one: str, other: str) -> bool:
    """Does one text contain all words of the other in order? Swapped words can mean the opposite."""
    shorter, longer = sorted((_order(one), _order(other)), key=len)
    rest = iter(longer)
    return all(word in rest for word in shorter)


def _order(text: str) -> list[str]:
    """Return the words of a text in order, without articles and emphasis; "from" and "to" count here."""
    stems = map(stem, read(text).tokens)
    return [ALIASES.get(word, word) for word in stems if word not in _EMPHASIS]


def _code(text: str) -> frozenset[str]:
    """Return the text in backticks and the words that are not prose, verbatim."""
    quoted = (each.strip() for each in _QUOTED.findall(text))
    bare = (word.strip(_AROUND) for word in _QUOTED.sub(" ", text).split())
    return frozenset((*quoted, *(word for word in bare if _NO_PROSE.search(word))))


def in_order(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """Return the memory that should stay, then the one to merge into it."""
    first, second = sorted((one, other), key=_precedence)
    return first, second


def _precedence(memory: Memory) -> tuple[object, ...]:
    """Sort key: guarded, global, unscoped, longest-lived, trusted, tried, fuller, older memories first."""
    expires = memory.expires_at.timestamp() if memory.expires_at else float("inf")
    return (
        not guarded_by_a_person(memory),
        memory.project is not None,
        bool(memory.scope),
        -expires,
        memory.confidence < LEAST_CONFIDENCE,
        -(memory.worked + memory.partial + memory.failed),
        -len(_words(memory.content)),
        memory.created_at,
        memory.id,
    )


def may_take_over(known: Memory, other: Memory) -> bool:
    """May one memory replace another unasked?"""
    narrower = bool(known.scope) and not other.scope
    elsewhere = known.project is not None and known.project != other.project
    shorter = known.expires_at is not None and (
        other.expires_at is None or other.expires_at > known.expires_at
    )
    return not (narrower or elsewhere or shorter or kept_in_sight_by_a_person(other))


def promoted(memory: Memory, at: datetime) -> Memory | None:
    """Raise a memory that was confirmed often enough by one priority; None if it stays.

    Only a person makes a memory critical, or raises a global one.
    """
    confirmed = memory.reinforcement_count - 1 >= CONFIRMED
    higher = _NEXT.get(memory.priority)
    if not confirmed or higher is None or memory.project is None:
        return None
    if memory.status is not Status.ACTIVE or guarded_by_a_person(memory):
        return None
    return memory._replace(priority=higher, updated_at=at)


def holds_elsewhere(category: Category) -> bool:
    """Can such a memory hold for all projects?"""
    return category not in _OF_THE_MOMENT


def followed(standing: Standing) -> str:
    """Describe the citations that moved."""
    moved = [(check.citation, check.now) for check in standing.checks if check.now]
    return "; ".join(f"its source moved from {then.where} to {now.where}" for then, now in moved)


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
        """Return the keys by which this failure is recognised, in each wording."""
        return tuple(" ".join(words) for words in (self.words, *self.others))


def recurring(failures: Iterable[Failure], times: int, since: datetime) -> list[Recurring]:
    """Return the failures that occurred at least `times` times, and again since then, by first occurrence."""
    findings: dict[tuple[str | None, Words], Recurring] = {}
    for failure in failures:
        words = signature(failure.text)
        if len(words) >= FEWEST_WORDS:
            place = failure.project, words
            once = _once(failure, words)
            findings[place] = _both(findings[place], once) if place in findings else once
    by_project: dict[str | None, list[Recurring]] = {}
    for each in findings.values():
        by_project.setdefault(each.project, []).append(each)
    found = [each for some in by_project.values() for each in _gathered(some)]
    often = [each for each in found if each.times >= times and each.last >= since]
    return sorted(often, key=lambda each: (each.first, each.words))


def signature(text: str) -> Words:
    """Return the words of a failure that stay the same between occurrences."""
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
    """Combine two findings, in the words of the earlier one."""
    first, second = sorted((one, two), key=lambda each: (each.first, each.ids))
    wordings = (*first.others, second.words, *second.others)
    return first._replace(
        times=one.times + two.times,
        last=max(one.last, two.last),
        ids=tuple(dict.fromkeys(first.ids + second.ids))[:KEPT],
        memories=tuple(dict.fromkeys(first.memories + second.memories))[:KEPT],
        others=tuple(dict.fromkeys(each for each in wordings if each != first.words))[:_LOOKED_AT],
    )


def _gathered(findings: Sequence[Recurring]) -> Iterator[Recurring]:
    """Combine findings in nearly the same words, each with the first that it resembles."""
    common = Counter(word for each in findings for word in each.words)
    heads: list[Recurring] = []
    sets: list[frozenset[str]] = []
    by_word: dict[str, list[int]] = {}
    for each in sorted(findings, key=lambda each: (each.first, each.ids)):
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
    """Return enough rare words that any two similar texts share one of them."""
    few = len(words) - math.ceil(WORDS_ALIKE * len(words)) + 1
    return sorted(words, key=lambda word: (common[word], word))[:few]


def _alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    shared = len(ours & theirs)
    return shared >= WORDS_ALIKE * (len(ours) + len(theirs) - shared)

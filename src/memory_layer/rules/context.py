"""Decide which memories may be given without a query, and keep a text within its budget."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache

from memory_layer.model.context import Present
from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import CATEGORIES
from memory_layer.rules.context_text import Frame, text_of
from memory_layer.rules.lifecycle import activation
from memory_layer.text import scopes
from memory_layer.text.tokens import estimate, tokens_of, weight

#: Minimum activation of a memory that is given without being asked for.
PRESENT_FROM = 0.3
#: Weight of a memory whose project is stale.
STALE = 0.9

#: A memory answers a task if its meaning is this near, or so much of the task's telling words stands in it; without a
#: model the words alone decide. Of five data sets this kept all but one of 362 right answers that a search had found,
#: and gave something to one in seven of questions to which there was no answer.
NEAR_MEANING, NEAR_WORDS, NEAR_WORDS_ALONE = 0.35, 0.5, 0.3

#: Much less is asked of a memory that a person vouches for, or that was learned right here.
RELATED_MEANING, RELATED_WORDS = 0.15, 0.1

#: The script whose words take more tokens beside some others.
_CYRILLIC = re.compile("[\u0400-\u052f]")

#: The categories of which everything important is always given.
BASELINE = tuple(category for category, traits in CATEGORIES.items() if traits.baseline)


def contextual(
    present: Iterable[Present], now: datetime, paths: Sequence[str], stale: Collection[str]
) -> list[tuple[Present, float]]:
    """Select memories with enough activation: those that apply to the paths first, then by activation."""
    fits = covering(paths)
    found = []
    for each in present:
        worth = presence(each, now)
        if worth >= PRESENT_FROM:
            found.append((each, worth * (STALE if each.project in stale else 1.0)))
    return sorted(found, key=lambda each: (not fits(each[0].scope), *_layer_order(*each)))


def covering(paths: Sequence[str]) -> Callable[[tuple[str, ...]], bool]:
    """Return a cached test for whether patterns cover one of the paths; many memories share patterns."""

    @cache
    def covers(patterns: tuple[str, ...]) -> bool:
        return bool(patterns) and any(scopes.matches(patterns, path) for path in paths)

    return covers


def near_enough(meaning: float | None, words: float) -> bool:
    """Is a memory close enough to a task to be given whoever wrote it? `meaning` is None without a model."""
    if meaning is None:
        return words >= NEAR_WORDS_ALONE
    return meaning >= NEAR_MEANING or words >= NEAR_WORDS


def related(meaning: float | None, words: float) -> bool:
    """Has a memory that may be given unasked anything to do with a task? `meaning` is None without a model."""
    return words >= RELATED_WORDS or (meaning is not None and meaning >= RELATED_MEANING)


def presence(each: Present, now: datetime) -> float:
    """Return the activation by whole days, so that the order is stable during a day."""
    days = (now.date() - each.touched.date()).days
    return activation(each.category, each.confirmations, now - timedelta(days=max(days, 0)), now)


def proven_first(procedures: Sequence[Memory]) -> list[Memory]:
    """Sort procedures that have worked before untried ones, otherwise keeping their order."""
    return sorted(procedures, key=lambda each: each.worked == 0)


def _layer_order(each: Present, worth: float) -> tuple[float, int, float, str]:
    """Sort by activation, then newest first."""
    return -worth, -each.touched.toordinal(), -each.created.timestamp(), each.id


class TokenBudget:
    """Lines of text that together never exceed a budget."""

    def __init__(self, frame: Frame, tokens: int, characters: int) -> None:
        self._frame = frame
        self._lines: list[str] = []
        self._tokens = tokens
        self._weight = weight(frame.head) + weight(frame.tail)
        self._characters = characters - len(frame.head) - len(frame.tail)

    def take(self, line: str, kept_tokens: int = 0, kept_characters: int = 0) -> bool:
        """Add a line if it fits beside the reserved amount; return whether it did."""
        fits = self.has_for(line, kept_tokens, kept_characters)
        if fits:
            self.put(line)
        return fits

    def put(self, line: str) -> None:
        """Add a line that fits."""
        self._lines.append(line)
        self._weight += weight(line + self._frame.between)
        self._characters -= len(line) + len(self._frame.between)

    @property
    def left(self) -> int:
        """Return about how many tokens are left."""
        return self._tokens - tokens_of(self._weight, False)

    def has_for(self, line: str, kept_tokens: int = 0, kept_characters: int = 0) -> bool:
        """Does a line fit beside the reserved amount?"""
        heavier = self._weight + weight(line + self._frame.between)
        characters = len(line) + len(self._frame.between)
        most = self._tokens - kept_tokens
        if tokens_of(heavier, False) > most or characters > self._characters - kept_characters:
            return False
        return self._fits_together(line, heavier, most)

    def cost(self, line: str) -> tuple[int, int]:
        """Return the tokens and characters of a line by itself, with its separator."""
        return estimate(line + self._frame.between), len(line) + len(self._frame.between)

    def _fits_together(self, line: str, heavier: int, tokens: int) -> bool:
        """Check the joined text: some scripts take more tokens beside others than alone; ASCII never does."""
        lines = [*self._lines, line]
        others = [each for each in lines if not each.isascii()]
        if not others or (tokens_of(heavier, True) <= tokens and not any(map(_CYRILLIC.search, others))):
            return True
        return estimate(text_of(lines, self._frame)) <= tokens

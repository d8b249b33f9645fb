"""Rules about single words; their answers are kept, because the same words come again and again.

Several rules are asked about each text, one after the other. A word is looked up once for all of them, which is most of
the work, but a rule reads only the words of texts that it is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

_Answer = TypeVar("_Answer")

#: Words that are kept before all are forgotten; a long import has tens of thousands, seldom more.
MOST = 65_536
LONGEST = 64  #: characters of a word that is kept
#: Longer words with a digit are not kept: they hardly recur, and some are passwords.
LONGEST_NUMBERED = 4
_RULES = 6  #: rules that share the words
_TEXTS = 2  #: a text that is read by one rule after the other, and one that it is compared with


class TextWords:
    """The words of a text with the answers about each, those of them that are new, and the answers by rule."""

    __slots__ = ("by_rule", "known", "new", "words")

    def __init__(self, words: list[str], known: list[list[Any]], new: list[int]) -> None:
        self.words, self.known, self.new = words, known, new
        self.by_rule: list[Sequence[Any]] = list(zip(*known, strict=True)) or [()] * _RULES


class KnownWords(dict[str, list[Any]]):
    """The answers about each word, by the places of the rules; None where a rule has not read it."""

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most
        self.places = iter(range(_RULES))
        self.of = lru_cache(maxsize=_TEXTS)(self._look_up)

    def _look_up(self, text: str) -> TextWords:
        words = text.split()
        known: list[Any] = list(map(self.get, words))
        new = [] if all(known) else [at for at, answers in enumerate(known) if answers is None]
        for at in new:
            known[at] = self[words[at]]
        return TextWords(words, known, new)

    def __missing__(self, word: str) -> list[Any]:
        answers = [None] * _RULES
        if may_keep(word):
            if len(self) >= self._most:
                self.clear()
            self[word] = answers
        return answers

    def forget(self) -> None:
        """Forget all words."""
        self.clear()
        self.of.cache_clear()


KNOWN = KnownWords()


class WordRule(Generic[_Answer]):
    """A rule whose answer about a word depends on the word alone."""

    def __init__(
        self,
        read: Callable[[list[str]], Iterable[_Answer]],
        known: KnownWords = KNOWN,
        place: int | None = None,
    ) -> None:
        """Make a rule of a function that reads several words at once and never answers None.

        A rule that several threads may make at the same time brings the place that it took when its file was imported.
        """
        self._read = read
        self._known = known
        self._place = next(known.places) if place is None else place

    def answers(self, text: str) -> Sequence[_Answer]:
        """Return the answer about each word of a text, in order."""
        words = self._known.of(text)
        found = words.by_rule[self._place]
        unread = found.count(None)
        return self._completed(words, found, unread) if unread else found

    def _completed(self, words: TextWords, found: Sequence[_Answer | None], unread: int) -> Sequence[_Answer]:
        """Read the words that this rule has not read yet; mostly they are new to all rules."""
        places = words.new
        if unread != len(places):
            places = [at for at, answer in enumerate(found) if answer is None]
        answers: list[Any] = list(found)
        for at, answer in zip(places, self._read([words.words[at] for at in places]), strict=True):
            answers[at] = words.known[at][self._place] = answer
        words.by_rule[self._place] = answers
        return answers


def may_keep(word: str) -> bool:
    """Tell whether the answers about a word may be kept."""
    if len(word) <= LONGEST_NUMBERED:
        return True
    if word[:-1].isalpha():  # a plain word, maybe with a mark at its end
        return len(word) <= LONGEST and not word[-1].isdigit()
    return len(word) <= LONGEST and not any(map(str.isdigit, word))

"""What was found out about a word, kept for the next text: words come again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, Generic, TypeVar

_Found = TypeVar("_Found")

#: How many words are gathered before the older ones go: a long import meets tens of thousands, seldom more.
MOST = 49_152
LONGEST = 64  #: characters of a word that is kept
#: Longer ones with a digit are not: names with a number hardly come again, and some are somebody's password.
LONGEST_NUMBERED = 4


class KnownWords(dict[str, _Found]):
    """What a function finds in a word, by the word; those not met for long are let go of and found out again.

    A plain look-up, because every word of every text asks. The function never answers None.
    """

    def __init__(self, read: Callable[[str], _Found], most: int = MOST) -> None:
        super().__init__()
        self._read = read
        self._most = most
        self._older: dict[str, _Found] = {}

    def __missing__(self, word: str) -> _Found:
        found = self._older.get(word)
        if found is None:
            found = self._read(word)
            if not _is_kept(word):
                return found
        if len(self) >= self._most:
            self._older = dict(self)
            self.clear()
        self[word] = found
        return found


def _is_kept(word: str) -> bool:
    if word.isalpha() or len(word) <= LONGEST_NUMBERED:
        return len(word) <= LONGEST
    return len(word) <= LONGEST and not any(map(str.isdigit, word))


class Trait(Generic[_Found]):
    """Something that can be told of a word by itself, and is asked of all words of a text.

    All traits are looked up at once. A process knows only those that it asks for: one that searches weighs nothing.
    """

    _book: _Book

    def __init__(self, read: Callable[[str], _Found]) -> None:
        self.read = read

    def of(self, text: str) -> Iterator[_Found]:
        """The trait of each word in the order of the text, as white space parts them."""
        book = Trait._book
        place = book.places.get(self)
        if place is None:
            book = Trait._book = _Book((*book.places, self))
            place = book.places[self]
        return map(place, book.of(text))


class _Book:
    """The words known by some traits, and those of the text that was read last: one question follows the other.

    It never takes up another trait, so that nobody who reads in it is disturbed.
    """

    def __init__(self, traits: tuple[Trait[Any], ...]) -> None:
        self.places = {trait: itemgetter(at) for at, trait in enumerate(traits)}
        self._words = KnownWords(lambda word: tuple([trait.read(word) for trait in traits]))
        self._last: tuple[str, list[tuple[Any, ...]]] = ("", [])

    def of(self, text: str) -> list[tuple[Any, ...]]:
        """What is known of each word of a text."""
        last, found = self._last
        if last is not text:
            found = list(map(self._words.__getitem__, text.split()))
            self._last = text, found
        return found


Trait._book = _Book(())

"""What was found out about a word, kept for the next text: words come again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

_Found = TypeVar("_Found")

#: How many words are gathered before the older ones go: a long import meets tens of thousands, seldom more.
MOST = 49_152
#: Words that are read at once: what none of them holds is looked for once, but of many words some hold it.
TOGETHER = 32
LONGEST = 64  #: characters of a word that is kept
#: Longer ones with a digit are not: names with a number hardly come again, and some are somebody's password.
LONGEST_NUMBERED = 4


class KnownWords(dict[str, _Found]):
    """What a function finds in words, by the word; those not met for long are let go of and found out again.

    A plain look-up, because every word of every text asks. The function is given several words at once, which is
    often cheaper, and never answers None.
    """

    def __init__(self, read: Callable[[list[str]], Iterable[_Found]], most: int = MOST) -> None:
        super().__init__()
        self._read = read
        self._most = most
        self._older: dict[str, _Found] = {}

    def met(self, words: list[str]) -> dict[str, _Found]:
        """What is found in words that are not kept, or not any more."""
        older = self._older
        found = {word: older[word] for word in words if word in older}
        unread = [word for word in dict.fromkeys(words) if word not in found]
        for start in range(0, len(unread), TOGETHER):
            some = unread[start : start + TOGETHER]
            found.update(zip(some, self._read(some), strict=True))
        for word in filter(_is_kept, found):
            if len(self) >= self._most:
                self._older = dict(self)
                self.clear()
            self[word] = found[word]
        return found


def _is_kept(word: str) -> bool:
    if word.isalpha() or len(word) <= LONGEST_NUMBERED:
        return len(word) <= LONGEST
    return len(word) <= LONGEST and not any(map(str.isdigit, word))


class Trait(Generic[_Found]):
    """Something that can be told of each word by itself, and is asked of all words of a text.

    All traits are looked up at once. A process knows only those that it asks for: one that searches weighs nothing.
    """

    _book: _Book

    def __init__(self, read: Callable[[list[str]], Iterable[_Found]]) -> None:
        self.read = read

    def of(self, text: str) -> tuple[_Found, ...]:
        """The trait of each word in the order of the text, as white space parts them."""
        book = Trait._book
        place = book.places.get(self)
        if place is None:
            book = Trait._book = _Book((*book.places, self))
            place = book.places[self]
        return book.of(text)[place]


class _Book:
    """The words known by some traits, and those of the text that was read last: one question follows the other.

    It never takes up another trait, so that nobody who reads in it is disturbed.
    """

    def __init__(self, traits: tuple[Trait[Any], ...]) -> None:
        self.places = {trait: place for place, trait in enumerate(traits)}
        self._words = KnownWords(lambda words: zip(*[trait.read(words) for trait in traits], strict=True))
        self._last: tuple[str, tuple[tuple[Any, ...], ...]] = ("", ((),) * len(traits))

    def of(self, text: str) -> tuple[tuple[Any, ...], ...]:
        """By trait, what is known of each word of a text."""
        last, traits = self._last
        if last is not text:
            words = text.split()
            found = list(map(self._words.get, words))
            if not all(found):
                places = [place for place, known in enumerate(found) if known is None]
                met = self._words.met([words[place] for place in places])
                for place in places:
                    found[place] = met[words[place]]
            traits = tuple(zip(*found, strict=True)) or ((),) * len(traits)
            self._last = text, traits
        return traits


Trait._book = _Book(())

"""A cache for rules that read a text word by word: words come again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

_Found = TypeVar("_Found")

#: How many words are remembered before the older ones go: a long import meets tens of thousands, seldom more.
MOST = 49_152
LONGEST = 64  #: characters of a word that is remembered
#: Longer ones with a digit are not: names with a number hardly come again, and some are somebody's password.
LONGEST_NUMBERED = 4


class WordCache(dict[str, _Found]):
    """Answer `cache[word]` with what one rule finds in a word, read once while the word keeps coming.

    Each rule has a cache of its own, whose answers depend on the word alone. A hit is a plain look-up in a dictionary,
    because every word of every text asks.
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
        if (word.isalpha() and len(word) <= LONGEST) or is_kept(word):
            if len(self) >= self._most:
                self._older = dict(self)
                self.clear()
            self[word] = found
        return found


@lru_cache(maxsize=2)
def split(text: str) -> tuple[str, ...]:
    """Return the words of a text as white space parts them; several rules read the same text, one after the other."""
    return tuple(text.split())


def is_kept(word: str) -> bool:
    """Tell whether a word may be remembered."""
    if word.isalpha() or len(word) <= LONGEST_NUMBERED:
        return len(word) <= LONGEST
    return len(word) <= LONGEST and not any(map(str.isdigit, word))

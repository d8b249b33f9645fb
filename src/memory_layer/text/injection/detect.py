"""Find suspicious texts: a first pass by words alone finds that most texts need no closer look."""

from __future__ import annotations

import re
from functools import cache, reduce
from itertools import chain
from operator import add, or_

from memory_layer.model.record import NamedTuple
from memory_layer.text import read_tables, regex
from memory_layer.text.unicode import ENCODING_STARTS, hidden_characters
from memory_layer.text.word_rules import KNOWN, WordRule

#: Flags besides the groups of rows: a word long enough for base64, a single letter, digits in place of letters, a word
#: of an order backwards or in ROT13, a frequent word of another language.
LONG, LONE, MIXED, REVERSED, FOREIGN = 1, 2, 4, 8, 16
DISGUISED = LONG | LONE | MIXED | REVERSED
HEAD = 4  #: characters of a prefix look-up
LONGEST = 14  #: characters of an anchor; longer ones are looked up by their beginning
_LONG = 24  #: characters
_MIXED = r"[a-z][013457@$][a-z]|\W[013457][a-z]{2}"  #: a digit in place of a letter
_DIGITS = frozenset("013457@$")
#: ASCII punctuation separates the parts of a word.
_PARTING = str.maketrans(dict.fromkeys("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", " "))


class Index(NamedTuple):
    """The anchors of a table of rows, each followed by the numbers of its groups, as text (`index.txt`).

    Text, because splitting it takes a tenth of the time that building the tables from the rows would take.
    """

    starts: str  #: anchors that begin a part of a word
    parts: str  #: anchors that are a whole part
    marks: str  #: anchors with punctuation
    letters: str  #: anchors of scripts without spaces
    rows: str  #: of each row the rarest group, the first group, the number of groups, and whether it is minor


_PLACE = next(KNOWN.places)  #: taken once, however many threads build the index at a time


class _Bits(dict[str, int]):
    """The bits of groups, by their numbers."""

    def __missing__(self, numbers: str) -> int:
        bits = self[numbers] = reduce(or_, [1 << int(number) for number in numbers.split(",")])
        return bits


class Anchors:
    """The rows of an index, found by the words they need; each group of words has a bit."""

    def __init__(self, index: Index, place: int) -> None:
        self._starts, self._parts = _pairs(index.starts), _pairs(index.parts)
        self._gates = frozenset([start[:HEAD] for start in self._starts])
        self._letters = tuple(_pairs(index.letters).items())
        self._heads: dict[str, list[tuple[str, str]]] = {}
        for mark, groups in _pairs(index.marks).items():
            self._heads.setdefault(_head(mark), []).append((mark, groups))
        self._marks = frozenset(char for char in "".join(self._heads) if not char.isalnum())
        self._bits = _Bits({"": 0})
        #: The number of each row and its bits, by the bit of its rarest group; minor rows apart.
        self._rows: tuple[dict[int, tuple[int, int]], ...] = ({}, {})
        numbers = map(int, index.rows.split())
        for row, (rarest, first, count, minor) in enumerate(
            zip(numbers, numbers, numbers, numbers, strict=True)
        ):
            self._rows[minor][1 << rarest] = row, (1 << count) - 1 << first
        self._bits_by_word = WordRule(lambda words: map(self._read, words), place=place)
        self._rarest_groups = tuple(reduce(or_, rows, 0) for rows in self._rows)

    def bits_of(self, text: str) -> int:
        """Return the bits of all groups that have an anchor in a text."""
        return reduce(or_, filter(None, self._bits_by_word.answers(text)), 0)

    def _read(self, word: str) -> int:
        """Return the bits of one word; a plain word takes two look-ups."""
        word = word.casefold()
        bare = word[:-1] if word[-1] in ".," and word[-2:] not in self._heads else word
        if bare.isalpha() and len(bare) > 1 and len(word) < _LONG and bare.isascii():
            if bare[:HEAD] not in self._gates:
                return self._bits[self._parts.get(bare, "")]
            return self._part(bare)
        parts = _parts_of(word)
        bits = reduce(or_, map(self._part, parts), LONG if len(word) >= _LONG else 0)
        if "r" in parts and "r" in word.replace(".", " ").replace("-", " ").split():
            bits |= LONE  # every order has this letter that is spelled letter by letter
        if _is_mixed(word):
            bits |= MIXED
        return bits | self._inside(word)

    def _part(self, part: str) -> int:
        """Return the bits of the anchors that a part of a word equals or begins with."""
        bits = self._bits[self._parts.get(part, "")]
        if part[:HEAD] in self._gates:
            for end in range(HEAD, min(len(part), LONGEST) + 1):
                bits |= self._bits[self._starts.get(part[:end], "")]
        return bits

    def _inside(self, word: str) -> int:
        """Return the bits of the anchors that may be anywhere in a word."""
        heads, found = self._heads, []
        if self._marks.isdisjoint(word) and word.isascii():
            return 0
        for head in set(filter(heads.__contains__, chain(map(add, word, word[1:]), word))):
            found += [groups for mark, groups in heads[head] if mark in word]
        if not word.isascii():
            found += [groups for letters, groups in self._letters if letters in word]
        return reduce(or_, map(self._bits.__getitem__, found), 0)

    def candidates(self, bits: int, *, minor: bool = False) -> list[int]:
        """Return the numbers of the rows that a text with these bits may show."""
        rows, found = self._rows[minor], []
        remaining = bits & self._rarest_groups[minor]
        while remaining:
            lowest = remaining & -remaining
            remaining ^= lowest
            row, needed = rows[lowest]
            if bits & needed == needed:
                found.append(row)
        return found


@cache
def english() -> Anchors:
    """Load the index of the English rows."""
    return Anchors(Index(**read_tables("injection/index")), _PLACE)


def _pairs(table: str) -> dict[str, str]:
    cells = table.split()
    return dict(zip(cells[::2], cells[1::2], strict=True))


def _head(mark: str) -> str:
    """Return the two characters by which a mark is looked up: punctuation and its neighbour."""
    at = next(place for place, char in enumerate(mark) if not char.isalnum())
    return mark[at : at + 2] if at + 1 < len(mark) else mark[-2:]


def _parts_of(word: str) -> list[str]:
    if word.isascii():
        return word.translate(_PARTING).split()
    return [word] if word.isalpha() else re.findall(r"[^\W_]+", word)


def _is_mixed(word: str) -> bool:
    """Tell whether digits replace letters in a word."""
    if word.isalpha() or word.isdigit() or _DIGITS.isdisjoint(word):
        return False
    return regex(_MIXED).search(f" {word} ") is not None


def suspicions(text: str) -> tuple[str, ...]:
    """Explain to a person why a text needs review; empty if it needs none."""
    bits = english().bits_of(text) if text.isascii() else 0
    rows = english().candidates(bits)
    if text.isascii() and not (
        rows or bits & (DISGUISED | FOREIGN) or any(map(text.__contains__, ENCODING_STARTS))
    ):
        return hidden_characters(text)
    from memory_layer.text.injection.find import reasons_in  # most texts need none of its tables

    return reasons_in(text, bits, rows)

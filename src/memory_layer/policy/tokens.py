"""An estimate of how many tokens a language model reads in a text."""

from __future__ import annotations

import re
from functools import lru_cache

_PIECES = re.compile(r"[A-Za-z]+|\d+|[^A-Za-z\d]+")
_BREAKS = re.compile(r"\n+")
_LETTERS_PER_TOKEN = 5
_DIGITS_PER_TOKEN = 3
_MARKS_PER_TOKEN = 2  #: runs of punctuation often share a token
_REMEMBERED = 16_384  #: words
_LONGEST = 64  #: characters of a word that is remembered


def estimate(text: str) -> int:
    """Tokens of a text: short words one each, longer ones by length, other scripts one a character."""
    words = text.split()
    read = _remembered if max(map(len, words), default=0) <= _LONGEST else _word
    return sum(map(read, words)) + (len(_BREAKS.findall(text)) if "\n" in text else 0)


def _word(word: str) -> int:
    return sum(map(_cost, _PIECES.findall(word)))


_remembered = lru_cache(maxsize=_REMEMBERED)(_word)


def _cost(piece: str) -> int:
    first = piece[0]
    if not piece.isascii():
        return len(piece)
    if first.isalpha():
        return -(-len(piece) // _LETTERS_PER_TOKEN) if len(piece) > _LETTERS_PER_TOKEN + 3 else 1
    return -(-len(piece) // (_DIGITS_PER_TOKEN if first.isdigit() else _MARKS_PER_TOKEN))

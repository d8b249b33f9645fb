"""An estimate of how many tokens a language model reads in a text."""

from __future__ import annotations

import re

_PIECES = re.compile(r"[A-Za-z]+|\d+|\n+|[^\sA-Za-z\d]+")
_LETTERS_PER_TOKEN = 5
_DIGITS_PER_TOKEN = 3
_MARKS_PER_TOKEN = 2  #: runs of punctuation often share a token


def estimate(text: str) -> int:
    """Tokens of a text: short words one each, longer ones by length, other scripts one a character."""
    return sum(map(_cost, _PIECES.findall(text)))


def _cost(piece: str) -> int:
    first = piece[0]
    if not piece.isascii():
        return len(piece)
    if first.isalpha():
        return -(-len(piece) // _LETTERS_PER_TOKEN) if len(piece) > _LETTERS_PER_TOKEN + 3 else 1
    if first.isdigit():
        return -(-len(piece) // _DIGITS_PER_TOKEN)
    return 1 if first.isspace() else -(-len(piece) // _MARKS_PER_TOKEN)

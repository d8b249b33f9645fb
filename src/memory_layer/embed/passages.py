"""Split a long text into passages, each small enough for one vector.

A passage is a stretch of whole sentences of at most `PASSAGE_PIECES` word pieces. A line end closes a sentence, so
the turns of a chat, list items and lines of code stay whole. The next passage begins with the last sentence of
the one before, if that is short, so that a thought across the border is found from both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.embed.tokenizer import Tokenizer

PASSAGE_PIECES = 128  #: word pieces of a passage, at most
OVERLAP_PIECES = 32  #: a longer sentence is not repeated
MOST_PASSAGES = (
    128  #: for one text; beyond, passages are left out evenly so that every part stays represented
)

_word = re.compile(r"[^ \t\n\r]+[ \t\n\r]*|[ \t\n\r]+")
_sentence_end = re.compile(r"\n+|(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？｡])")


class PassageSpan(NamedTuple):
    """A span of the text and its number of word pieces."""

    start: int
    end: int
    pieces: int


def passages(text: str, tokenizer: Tokenizer) -> list[str]:
    """Split the text into passages; a short text is a single passage."""
    if tokenizer.count(text) <= PASSAGE_PIECES:
        return [text]
    windows = [text[first:last].strip() for first, last in _windows(list(_spans(text, tokenizer)))]
    return _thinned([window for window in windows if window])


def _spans(text: str, tokenizer: Tokenizer) -> Iterator[PassageSpan]:
    """Yield sentences, and the parts of a sentence too long for a passage."""
    for start, end in _sentences(text):
        pieces = tokenizer.count(text[start:end])
        if pieces <= PASSAGE_PIECES:
            yield PassageSpan(start, end, pieces)
        else:
            yield from _parts(text, start, end, tokenizer)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _sentence_end.finditer(text):
        if found.end() > start:
            yield start, found.end()
            start = found.end()
    if start < len(text):
        yield start, len(text)


def _parts(text: str, start: int, end: int, tokenizer: Tokenizer) -> Iterator[PassageSpan]:
    """Split one sentence into parts that each fill a passage, at word boundaries where possible."""
    part = PassageSpan(start, start, 0)
    for word in _words(text, start, end, tokenizer):
        if part.pieces + word.pieces > PASSAGE_PIECES:
            yield part
            part = word
        else:
            part = PassageSpan(part.start, word.end, part.pieces + word.pieces)
    yield part


def _words(text: str, start: int, end: int, tokenizer: Tokenizer) -> Iterator[PassageSpan]:
    for found in _word.finditer(text[start:end]):
        pieces = tokenizer.count(found.group())
        if pieces <= PASSAGE_PIECES:
            yield PassageSpan(start + found.start(), start + found.end(), pieces)
        else:
            for first, last, atom_pieces in tokenizer.atoms(found.group()):
                yield PassageSpan(start + found.start() + first, start + found.start() + last, atom_pieces)


def _windows(spans: list[PassageSpan]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of passages that hold as many consecutive spans as fit."""
    first, pieces = 0, 0
    for at, span in enumerate(spans):
        if pieces + span.pieces > PASSAGE_PIECES:
            yield spans[first].start, spans[at - 1].end
            repeated = spans[at - 1].pieces
            fits = repeated <= OVERLAP_PIECES and repeated + span.pieces <= PASSAGE_PIECES
            first, pieces = (at - 1, repeated) if fits else (at, 0)
        pieces += span.pieces
    yield spans[first].start, spans[-1].end


def _thinned(windows: list[str]) -> list[str]:
    if len(windows) <= MOST_PASSAGES:
        return windows
    last = len(windows) - 1
    return [windows[round(at * last / (MOST_PASSAGES - 1))] for at in range(MOST_PASSAGES)]

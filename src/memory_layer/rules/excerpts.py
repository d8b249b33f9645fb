"""Shorten a long memory to the sentence that tells a reader most."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from memory_layer.text.words import content_words

SHORT = 120  #: characters of a memory that is shortened
_READ = 8_192  #: characters in which its sentence is looked for
_BETWEEN = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(\[])")
_MORE = "..."


def telling(text: str, wanted: Collection[str], most: int = SHORT) -> tuple[int, int] | None:
    """Return the start and length of the sentence with most wanted words; None if the text is short or one sentence.

    Sentences after it are added while they fit in `most` characters. Of a very long text only the beginning is read.
    """
    sentences = list(_sentences(text[:_READ])) if len(text) > most else []
    if len(sentences) < 2:
        return None
    best = 0
    if wanted:
        shared = [len(content_words(text[slice(*each)]).intersection(wanted)) for each in sentences]
        best = shared.index(max(shared))
    start, end = sentences[best]
    for _, stop in sentences[best + 1 :]:
        if stop - start > most:
            break
        end = stop
    return start, end - start


def first_sentence(text: str) -> str:
    return _BETWEEN.split(text, maxsplit=1)[0]


def excerpt(text: str, start: int, characters: int) -> str:
    """Return a part of a text, with signs for what is left out."""
    part = text[start : start + characters]
    before = f"{_MORE} " if start else ""
    return before + part + (f" {_MORE}" if start + len(part) < len(text) else "")


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for between in _BETWEEN.finditer(text):
        yield begin, between.start()
        begin = between.end()
    yield begin, len(text)

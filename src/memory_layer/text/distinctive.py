"""The words that set groups of texts apart from one another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from memory_layer.text.words import STOP_WORDS

_WORD = re.compile(r"[^\W\d_][\w-]{2,}")
LONGEST = 24  #: characters of a word
FEWEST_TEXTS = 2  #: that hold a word, where a group has several


def distinctive(groups: Sequence[Sequence[str]], words: int) -> list[tuple[str, ...]]:
    """Return the words that are frequent in each group and rare in the others, most telling first."""
    counts = [Counter(word for text in group for word in _words(text)) for group in groups]
    spread: Counter[str] = Counter()
    for count in counts:
        spread.update(count.keys())
    return [
        _best(count, len(group), spread, len(groups), words)
        for count, group in zip(counts, groups, strict=True)
    ]


def _words(text: str) -> set[str]:
    found = {match.group().lower() for match in _WORD.finditer(text)}
    return {word for word in found if word not in STOP_WORDS and len(word) <= LONGEST}


def _best(count: Counter[str], texts: int, spread: Counter[str], groups: int, words: int) -> tuple[str, ...]:
    least = FEWEST_TEXTS if texts > FEWEST_TEXTS else 1
    scores = {
        word: number * log(1 + groups / spread[word]) for word, number in count.items() if number >= least
    }
    chosen: list[str] = []
    for word in sorted(scores, key=lambda each: (-scores[each], each)):
        if not any(word.startswith(other[:5]) for other in chosen):  # another form of a word says nothing new
            chosen.append(word)
        if len(chosen) == words:
            break
    return tuple(chosen)

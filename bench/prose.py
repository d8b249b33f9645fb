"""Made-up memories of about sixty words for speed runs: a few words are common and most are rare, as in real texts.

Loads nothing but the standard library: the peers read it in their own environments.
"""

from __future__ import annotations

import random
import re
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

#: Words as frequent as 1 / (rank + FLATTENING), so that the commonest stands in about every sixth memory.
VOCABULARY = 30_000
FLATTENING = 27
#: Seven words of the vocabulary and five that every text is full of, in each sentence.
FRAMES = (
    "The {} {} of the {} is {} when {} {} {}.",
    "After {} {} it should {} the {} {} with {} {}.",
    "We {} {} because a {} {} was {} in {} {}.",
    "If {} {} has {} then the {} {} of {} {}.",
    "This {} {} and that {} {} are {} by {} {}.",
)
SLOTS = 7
NAMES = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "iris",
    "jade",
    "krill",
    "lotus",
)
#: How many memories share one run of chance: any of them can be made without those before.
BLOCK = 1000
KINDS = ("common", "rare")

_NUMBER = re.compile(rf"\b(?:{'|'.join(NAMES)})_(\d+)\b")


class Question(NamedTuple):
    """A question, and the kind of its words."""

    text: str
    kind: str


def memories(first: int, count: int) -> list[str]:
    """The texts with these numbers; always the same, and never two alike."""
    return [_text(number) for number in range(first, first + count)]


def number_of(text: str) -> int:
    """Return the number of the memory with this text."""
    found = _NUMBER.search(text)
    if found is None:
        raise ValueError(f"not one of these memories: {text[:80]!r}")
    return int(found[1])


def questions(count: int, among: int, seed: int = 1) -> list[Question]:
    """Questions about memories in a store of that size, in turn of their commonest and of their rarest words."""
    chance = random.Random(seed)
    return [_question(KINDS[number % 2], chance.randrange(among)) for number in range(count)]


def _question(kind: str, number: int) -> Question:
    ranks = sorted(set(_ranks(number)))
    words = vocabulary()
    if kind == "common":
        first, second, third, fourth = (words[rank] for rank in ranks[:4])
        return Question(f"How is the {first} {second} when there is a {third} {fourth}?", kind)
    one, two, three = (words[rank] for rank in ranks[-3:])
    return Question(f"What did we say about {one} and the {two} {three}?", kind)


def _text(number: int) -> str:
    words = vocabulary()
    chosen = [words[rank] for rank in _ranks(number)]
    start = number % len(FRAMES)
    frames = " ".join((*FRAMES[start:], *FRAMES[:start]))
    return f"{NAMES[number % len(NAMES)]}_{number}: {frames.format(*chosen)}"


def _ranks(number: int) -> list[int]:
    block, place = divmod(number, BLOCK)
    each = SLOTS * len(FRAMES)
    return _drawn(block)[place * each : (place + 1) * each]


@cache
def vocabulary() -> tuple[str, ...]:
    """Made-up words, the commonest first; short ones are common."""
    chance = random.Random(0)
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        syllables = 2 + (len(found) > 400) + (len(found) > 12_000)
        found["".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(syllables))] = (
            None
        )
    return tuple(found)


@cache
def _weights() -> list[float]:
    return list(accumulate(1 / (rank + FLATTENING) for rank in range(1, VOCABULARY + 1)))


@lru_cache(maxsize=8)
def _drawn(block: int) -> list[int]:
    """The ranks of all words of a block."""
    chance = random.Random(block)
    return chance.choices(range(VOCABULARY), cum_weights=_weights(), k=BLOCK * SLOTS * len(FRAMES))

"""Never say the same twice in one text."""

from __future__ import annotations

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Engine
from memory_layer.text.words import content_words
from memory_layer.usecases.recall.vectors import likenesses

#: Of the words of the shorter text, the share in both from which two are compared: texts that mean the same and share
#: fewer words than this are rare.
WORTH_COMPARING = 0.3
#: How many pairs are compared by their vectors, each of which is a look into the store; later ones by words alone.
MOST_COMPARED = 300


class _Said(NamedTuple):
    memory: Memory
    words: frozenset[str]
    numbers: frozenset[str]


class Unrepeated:
    """What a text says so far."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._said: list[_Said] = []
        self._compared = 0

    def says(self, memory: Memory) -> bool:
        """Whether something that was said already says the same."""
        one = _read(memory)
        return any(self._same(one, other) for other in self._said)

    def say(self, memory: Memory) -> None:
        self._said.append(_read(memory))

    def _same(self, one: _Said, other: _Said) -> bool:
        if one.memory.id == other.memory.id:
            return True
        if len(one.words & other.words) < WORTH_COMPARING * min(len(one.words), len(other.words)):
            return False
        if one.numbers - other.numbers and other.numbers - one.numbers:
            return False  # each has a number that the other lacks
        from memory_layer.text.compare.repeats import (
            repeats,  # its rules are a dozen modules, and few texts are close
        )

        text, better, cosine = one.memory.content, other.memory.content, self._cosine(one, other)
        threshold = self._engine.settings.duplicate_threshold
        # Whichever comes first stands: a context has no room for the shorter of two beside the longer.
        return repeats(text, better, cosine, threshold) or repeats(better, text, cosine, threshold)

    def _cosine(self, one: _Said, other: _Said) -> float | None:
        if self._compared >= MOST_COMPARED:
            return None
        self._compared += 1
        pair = (one.memory.id, other.memory.id)
        return likenesses(self._engine.store, [pair]).get(pair)


def _read(memory: Memory) -> _Said:
    words = content_words(memory.content)
    return _Said(memory, words, frozenset(word for word in words if any(map(str.isdigit, word))))

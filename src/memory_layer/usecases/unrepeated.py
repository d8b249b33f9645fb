"""Never say the same twice in one text."""

from __future__ import annotations

from memory_layer.model.memory import Memory
from memory_layer.policy.words import content_words
from memory_layer.ports import Engine

#: Of the words of the shorter text, the share in both from which vectors are compared: two texts that mean the same
#: and share fewer words than this are rare, and each comparison is a look into the store.
WORTH_COMPARING = 0.3


class Unrepeated:
    """What a text says so far."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._said: list[tuple[Memory, frozenset[str]]] = []

    def says(self, memory: Memory) -> bool:
        """Whether something that was said already says the same."""
        words = content_words(memory.content)
        return any(self._same(memory, words, said, theirs) for said, theirs in self._said)

    def say(self, memory: Memory) -> None:
        self._said.append((memory, content_words(memory.content)))

    def _same(self, memory: Memory, words: frozenset[str], said: Memory, theirs: frozenset[str]) -> bool:
        shared = len(words & theirs)
        if memory.id != said.id and shared < WORTH_COMPARING * min(len(words), len(theirs)):
            return False
        from memory_layer.policy.repeats import (
            repeats,  # its rules are a dozen modules, and few texts are close
        )

        pair = (memory.id, said.id)
        cosine = self._engine.store.likenesses([pair]).get(pair)
        threshold = self._engine.settings.duplicate_threshold
        # Whichever comes first stands: a context has no room for the shorter of two beside the longer.
        return repeats(memory.content, said.content, cosine, threshold) or repeats(
            said.content, memory.content, cosine, threshold
        )

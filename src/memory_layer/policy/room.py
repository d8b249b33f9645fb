"""What fits: lines taken one after the other until a budget of tokens or characters is used up."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.policy.context_text import Frame, text_of
from memory_layer.policy.tokens import estimate


class Room:
    """A text that grows line by line and never beyond its budget."""

    def __init__(self, frame: Frame, tokens: int, characters: int) -> None:
        self._frame = frame
        self._tokens = tokens - estimate(frame.head) - estimate(frame.tail)
        self._characters = characters - len(frame.head) - len(frame.tail)

    def take(self, line: str, kept_tokens: int = 0, kept_characters: int = 0) -> bool:
        """Take a line if it fits and leaves what is to be kept free."""
        tokens, characters = self.cost(line)
        if tokens > self._tokens - kept_tokens or characters > self._characters - kept_characters:
            return False
        self._tokens -= tokens
        self._characters -= characters
        return True

    def cost(self, line: str) -> tuple[int, int]:
        """The tokens and characters of a line, with what parts it from the next."""
        return estimate(line + self._frame.between), len(line) + len(self._frame.between)


def prefix(lines: Sequence[str], room: Room, kept_tokens: int = 0, kept_characters: int = 0) -> int:
    """How many lines from the first on fit: more room never gives fewer."""
    for place, line in enumerate(lines):
        if not room.take(line, kept_tokens, kept_characters):
            return place
    return len(lines)


def picked(lines: Sequence[str], room: Room) -> list[int]:
    """The places of the lines that fit, passing over those that do not."""
    return [place for place, line in enumerate(lines) if room.take(line)]


def fits(lines: Sequence[str], frame: Frame, tokens: int, characters: int) -> bool:
    """Whether the whole text keeps to its budget."""
    text = text_of(lines, frame)
    return estimate(text) <= tokens and len(text) <= characters

"""What fits: lines taken one after the other until a budget of tokens or characters is used up."""

from __future__ import annotations

from memory_layer.rules.prompt_text import Frame, text_of
from memory_layer.text.tokens import estimate, tokens_of, weight


class Room:
    """A text that grows line by line and never beyond its budget."""

    def __init__(self, frame: Frame, tokens: int, characters: int) -> None:
        self._frame = frame
        self._lines: list[str] = []
        self._tokens = tokens
        self._weight = weight(frame.head) + weight(frame.tail)
        self._characters = characters - len(frame.head) - len(frame.tail)

    def take(self, line: str, kept_tokens: int = 0, kept_characters: int = 0) -> bool:
        """Take a line if it fits and leaves what is to be kept free: more room never takes fewer."""
        fits = self.has_for(line, kept_tokens, kept_characters)
        if fits:
            self.put(line)
        return fits

    def put(self, line: str) -> None:
        """Take a line that fits."""
        self._lines.append(line)
        self._weight += weight(line + self._frame.between)
        self._characters -= len(line) + len(self._frame.between)

    def has_for(self, line: str, kept_tokens: int = 0, kept_characters: int = 0) -> bool:
        """Whether a line would fit so."""
        heavier = self._weight + weight(line + self._frame.between)
        characters = len(line) + len(self._frame.between)
        most = self._tokens - kept_tokens
        if tokens_of(heavier, False) > most or characters > self._characters - kept_characters:
            return False
        return self._fits_together(line, most)

    def cost(self, line: str) -> tuple[int, int]:
        """The tokens and characters of a line by itself, with what parts it from the next."""
        return estimate(line + self._frame.between), len(line) + len(self._frame.between)

    def _fits_together(self, line: str, tokens: int) -> bool:
        """Some scripts are read as more tokens beside others than alone; letters of ASCII never are."""
        lines = [*self._lines, line]
        return all(map(str.isascii, lines)) or estimate(text_of(lines, self._frame)) <= tokens

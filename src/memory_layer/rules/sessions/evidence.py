"""Write what was seen as one short sentence."""

from __future__ import annotations

LONGEST = 200  #: characters of an evidence
_LONGEST_QUOTED = 80


def quoted(command: str) -> str:
    """Return a command in backticks, on one line and shortened."""
    return f"`{shortened(command.replace('`', chr(39)), _LONGEST_QUOTED)}`"


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line, cut at its end."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"

"""Drop the here-documents of a command line: they are data, not commands."""

from __future__ import annotations

import re
from bisect import bisect_left

_OPENING = re.compile(r"<<-?[ \t]*(['\"]?)(\w{1,40})\b\1")
_LINE_WORD = re.compile(r"\n[ \t]*(\w+)")


def without_documents(command: str) -> str:
    """Drop here-documents; the lines are read once, however many documents have no end."""
    lines: dict[str, list[re.Match[str]]] = {}
    for line in _LINE_WORD.finditer(command):
        lines.setdefault(line[1], []).append(line)
    kept, at = "", 0
    for opening in _OPENING.finditer(command):
        closing = lines.get(opening[2], [])
        first = bisect_left(closing, opening.end(), key=re.Match.start)
        if opening.start() >= at and first < len(closing):
            kept += command[at : opening.start()] + " "
            at = closing[first].end()
    return kept + command[at:]

"""Leave out of a session what would take too long to read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.steps import Step

MOST_STEPS = 2_000  #: of a session, from its end
LONGEST_COMMAND = 2_000  #: characters
MOST_CHARACTERS = 500_000  #: of all commands
MOST_COMMANDS = 24  #: simple ones in a command line
_MOST_DOCUMENTS = 4  #: within a command line
_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+).*?\n\s*\1\b", re.DOTALL)
_SEPARATOR = re.compile(r"&&|\|\||[;|&\n]")


def bounded(steps: Sequence[Step]) -> list[Step]:
    """Return the last steps of a session, without command lines that nobody could draw a conclusion from."""
    kept, room = list[Step](), MOST_CHARACTERS
    for step in reversed(steps[-MOST_STEPS:]):
        if len(step.command) <= room and _is_short(step.command):
            room -= len(step.command)
            kept.append(step)
    return kept[::-1]


def _is_short(command: str) -> bool:
    if len(command) > LONGEST_COMMAND or command.count("<<") > _MOST_DOCUMENTS:
        return False
    line = _DOCUMENT.sub("", command) if "<<" in command else command
    return len(_SEPARATOR.findall(line)) < MOST_COMMANDS

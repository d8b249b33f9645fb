"""What is about to be done, and what is known to go wrong there."""

from __future__ import annotations

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple

MOST_WARNINGS = 2


class Action(NamedTuple):
    """What an agent is about to do, or what it has just run into."""

    command: str | None = None
    path: str | None = None  #: of a file, relative to the project's root
    error: str | None = None


class Caution(NamedTuple):
    """One line for an agent, and what made it speak up."""

    memory: Memory
    because: str  #: command, path, error or meaning
    line: str


class Warned(NamedTuple):
    """At most two lines, or silence."""

    recall: str | None
    warnings: tuple[Caution, ...] = ()
    redacted: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(each.line for each in self.warnings)

"""Statements in a conversation that are worth keeping, and what became of them."""

from __future__ import annotations

from datetime import datetime

from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Priority

_WHY = {
    "preference": "it says how things are wanted",
    "correction": "it corrects something",
    "constraint": "it sets a rule",
    "decision": "it settles a choice",
    "remember": "it asks to be remembered",
    "fact": "it says how things are",
}


class Said(NamedTuple):
    """A message as a person typed it."""

    text: str
    at: datetime | None = None  #: None means now


class Transcript(NamedTuple):
    """The messages a person typed in a conversation, oldest first."""

    messages: tuple[Said, ...]
    damaged: int = 0  #: lines that could not be read
    cut: bool = False  #: there was more than is ever read


class Noticed(NamedTuple):
    """A sentence worth keeping, and the cue that gave it away."""

    content: str  #: made to stand alone
    category: Category
    cue: str  #: preference, correction, constraint, decision, remember or fact
    priority: Priority | None = None  #: None takes the category's

    @property
    def why(self) -> str:
        """Explain in one line why it is kept."""
        article = "an" if self.category.value[0] in "aeiou" else "a"
        return f"{_WHY[self.cue]}, so it is kept as {article} {self.category.value}"


class Listened(NamedTuple):
    """The judgement of the rules about one message."""

    noticed: tuple[Noticed, ...]
    reminder: str | None  #: asks the agent to store what else seems to last; None if nothing does


class CapturedStatement(NamedTuple):
    """The result for one statement."""

    id: str | None  #: None where nothing was stored
    status: str  #: as adding answers; reinforced, or would keep
    category: Category
    priority: Priority
    content: str
    cue: str
    why: str
    reason: str | None = None  #: why it waits for a person, or why a confirmation was not counted
    redacted: tuple[str, ...] = ()


class Captured(NamedTuple):
    """The result of one capture."""

    operation: str | None  #: which `undo` takes back; None if nothing was changed
    dry_run: bool
    messages: int
    kept: tuple[CapturedStatement, ...]
    would_keep: tuple[CapturedStatement, ...]
    reinforced: tuple[CapturedStatement, ...]
    skipped: int  #: noticed, and known from before they were said
    damaged: int = 0
    notice: str | None = None
    reminder: str | None = None  #: asks to store what rules cannot word; None if nothing more seems to last

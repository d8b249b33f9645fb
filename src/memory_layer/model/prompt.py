"""A whole prompt made of given parts and of memories."""

from __future__ import annotations

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.runs import Task

#: How the text of a prompt is kept.
PROMPT = "prompt"


class Parts(NamedTuple):
    """What a caller gives; what is empty has no section."""

    role: str = ""
    task: str = ""
    workspace: str = ""
    read_first: tuple[str, ...] = ()  #: paths
    constraints: tuple[str, ...] = ()
    digest: str = ""  #: of an earlier try
    output_format: str = ""


class Composing(NamedTuple):
    """What a prompt is made of, and what its caller says about the choice of memories."""

    parts: Parts
    task: Task
    memories: tuple[str, ...] = ()  #: exactly these, in this order
    peek: bool = False  #: look without counting as a recall


class Section(NamedTuple):
    """The memories of a prompt as they are written there."""

    text: str
    tokens: int
    digest: str  #: SHA-256 of the text
    memories: tuple[Memory, ...] = ()
    left_out: tuple[str, ...] = ()  #: ids of those that did not fit, or say what another says


class Prompt(NamedTuple):
    """A prompt for an agent."""

    recall: str | None
    text: str
    tokens: int
    digest: str  #: SHA-256 of the text
    budget: int  #: of the section of memories
    section: Section
    redacted: tuple[str, ...] = ()

"""An overview of a project: what is known, what waits, how it went lately, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping

from memory_layer.model.episodes import Handoff
from memory_layer.model.query import Stats
from memory_layer.model.record import NamedTuple
from memory_layer.model.review import Matter
from memory_layer.model.vocabulary import Outcome

CONNECT = "mem install"  #: the command that connects agents
LATELY_DAYS = 30  #: over which outcomes are counted


class NextStep(NamedTuple):
    """A command worth running now, and the reason."""

    command: str
    why: str


class Overview(NamedTuple):
    stats: Stats
    recent_outcomes: Mapping[Outcome, int]  #: reported within LATELY_DAYS
    waiting: Mapping[Matter, int]  #: the review queue by kind
    handoff: Handoff | None  #: of the last session, if it is still open
    next: tuple[NextStep, ...]  #: most urgent first

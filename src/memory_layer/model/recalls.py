"""What searches gave to agents."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memory_layer.model.memory import Memory
from memory_layer.model.query import Mode
from memory_layer.model.record import NamedTuple


class Given(NamedTuple):
    """One memory of a recall, as it is now, and how it was judged then."""

    memory: Memory
    score: float
    signals: Mapping[str, float]  #: the value of each signal by its name
    conflicts: tuple[str, ...] = ()  #: of a run: ids of the others it was given that contradict this one


class Recall(NamedTuple):
    """One answer that was given to an agent, with the exact list it held."""

    id: str
    at: datetime
    query: str
    kind: str  #: search, context or run
    mode: Mode
    ranker: str
    writer: str
    session: str
    project: str | None  #: the key of the project it was asked in
    memories: int  #: how many it gave
    hits: tuple[Given, ...] = ()  #: best first; empty in a list of recalls

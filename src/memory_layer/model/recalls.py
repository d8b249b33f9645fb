"""What searches gave to agents, as people look back at it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from memory_layer.model.memory import Memory
from memory_layer.model.query import Mode


class Given(NamedTuple):
    """One memory of an answer: how it was judged then, and what it says now."""

    memory: Memory
    score: float
    signals: Mapping[str, float]  #: the value of each signal by its name


class Recalled(NamedTuple):
    """One answer that was given to an agent."""

    id: str
    at: datetime
    query: str
    kind: str  #: search or context
    mode: Mode
    ranker: str
    writer: str
    session: str
    project: str | None  #: the key of the project it was asked in
    memories: int  #: how many it gave
    hits: tuple[Given, ...] = ()  #: best first; empty in a list of answers

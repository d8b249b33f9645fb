"""What the core asks of a store that keeps events in the order of their sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.model.episodes import EpisodeKind, Timeline
    from memory_layer.model.memory import Memory


class Span(NamedTuple):
    """Which events are asked for; of the filters only whose they are and between which moments they happened."""

    filters: Filters = Filters()
    session: str | None = None
    kinds: tuple[EpisodeKind, ...] = ()


class Episodes(Protocol):
    """Events are only added; whoever adds one holds the write lock, so that no two get one number."""

    def next_episode(self, session: str) -> int: ...

    def chain_episodes(self, memories: Sequence[Memory]) -> None: ...

    def timeline(self, span: Span, limit: int, after: str | None) -> Timeline: ...

    def last_handoff(self, project: str | None) -> Memory | None: ...

    def episode_sessions(self) -> int: ...

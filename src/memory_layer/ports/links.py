"""What the core asks of a store about relations between memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memory_layer.model.memory import Link, Memory
    from memory_layer.model.query import Filters
    from memory_layer.model.vocabulary import Attention, LinkKind


class Pairs(NamedTuple):
    """A stretch of a list of linked memories, each link's source first."""

    items: tuple[tuple[Memory, Memory], ...]
    next: str | None
    total: int


class Links(Protocol):
    """Links between memories, and the pairs that wait for a decision."""

    def of(self, ids: Sequence[str]) -> list[Link]: ...

    def find(self, source: str, target: str, kind: LinkKind) -> Link | None: ...

    def put(self, link: Link) -> None: ...

    def drop(self, link: Link) -> None: ...

    def pairs(
        self,
        kind: LinkKind,
        attentions: Sequence[Attention],
        filters: Filters,
        now: datetime,
        limit: int,
        after: str | None,
    ) -> Pairs: ...

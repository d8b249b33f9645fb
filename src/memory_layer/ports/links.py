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
    from memory_layer.ports import Edit


class Pairs(NamedTuple):
    """A stretch of a list of linked memories, each link's source first."""

    items: tuple[tuple[Memory, Memory], ...]
    next: str | None
    total: int


class Links(Protocol):
    """Links between memories, and the pairs that wait for a decision."""

    def of(self, ids: Sequence[str]) -> list[Link]: ...

    def link(self, link: Link, edit: Edit, review: bool = False) -> bool: ...

    def unlink(self, link: Link, edit: Edit) -> bool: ...

    def pairs(
        self,
        kind: LinkKind,
        attentions: Sequence[Attention],
        filters: Filters,
        now: datetime,
        limit: int,
        after: str | None,
    ) -> Pairs: ...

    def settle(self, link: Link, attention: Attention, edit: Edit) -> bool: ...

"""Interface to what changed in a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memory_layer.model.feed import Changed, Position


class Feed(Protocol):
    """The rows that changes leave behind, whichever process made them."""

    def position(self) -> Position: ...

    def mark(self, audit: int) -> str: ...

    def changed(self, after: Position, until: Position, most: int) -> Changed: ...

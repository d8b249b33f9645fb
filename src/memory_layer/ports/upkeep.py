"""What keeping a store tidy asks of it, beside what every command does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from memory_layer.model.memory import Memory
    from memory_layer.model.upkeep import Failure, Mark, Told


class Close(NamedTuple):
    """Two memories whose texts lie close together."""

    one: str
    other: str
    cosine: float


class Upkeep(Protocol):
    """Whole stores, looked through in pieces. What comes by rows is asked for again behind the last one."""

    def last_consolidation(self) -> Mark: ...

    def note_consolidation(self, mark: Mark) -> None: ...

    def untouched(
        self, since: datetime, now: datetime, after: int, limit: int
    ) -> list[tuple[int, Memory]]: ...

    def confirmed(self, times: int, after: int, limit: int) -> list[tuple[int, Memory]]: ...

    def told(self, now: datetime, after: int, limit: int) -> list[Told]: ...

    def close_pairs(self, fingerprint: str, above: float, since: int) -> Iterator[list[Close]]: ...

    def memories_at(self, places: Sequence[int]) -> list[Memory]: ...

    def superseded_among(self, ids: Sequence[str]) -> set[str]: ...

    def changed_since(self, sequence: int, without: Sequence[str]) -> bool: ...

    def ever(self, action: str, ids: Sequence[str]) -> set[str]: ...

    def ever_said(self, content_hash: str) -> bool: ...

    def recurrences(self) -> dict[str, bool]: ...

    def failures(self) -> Iterator[Failure]: ...

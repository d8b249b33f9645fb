"""What exports and imports ask of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory_layer.model.export import Carried, CarriedMemory, Kind
    from memory_layer.model.query import Filters
    from memory_layer.ports.store import Terms

    Brought = Carried | tuple[CarriedMemory, Terms]  #: a memory comes with what full text sees of it


class Transfer(Protocol):
    """Records on their way from one store to another."""

    def carried(self, kind: Kind, chosen: Filters | None = None) -> Iterator[Carried]: ...

    def count_carried(self, kind: Kind, chosen: Filters | None = None) -> int: ...

    def is_blank(self) -> bool: ...

    def bring(self, kind: Kind, records: Sequence[Brought]) -> None: ...

"""The interface to the map's positions, kept beside the store and rebuilt when they are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.model.query import Filters

    Rows = NDArray[np.int64]


class Positions(NamedTuple):
    """The positions of memories, and what is needed to place more of them."""

    rows: Rows  #: ascending
    places: NDArray[np.float32]  #: two columns
    reduced: NDArray[np.float16]  #: the vectors that they were computed from
    centre: NDArray[np.float32]  #: of the reduction
    directions: NDArray[np.float32]
    laid_out: int  #: number of memories when all were last laid out together
    current: bool = False  #: nothing has changed in the store since


class VectorRows(NamedTuple):
    """The active memories with a vector; their vectors are read on demand."""

    rows: Rows  #: ascending
    vectors: Callable[[NDArray[np.intp]], NDArray[np.float32]]  #: by places among the rows, of unit length
    unembedded: int  #: active memories without one
    moment: Any = None  #: of the store's history, when they were read


class MapColumns(NamedTuple):
    """The memories that pass some filters, as parallel columns."""

    rows: Rows  #: ascending
    families: NDArray[np.uint8]
    scores: NDArray[np.float32]  #: outcome scores
    days: NDArray[np.uint16]  #: of creation, since 1970


class MapStore(Protocol):
    """Positions by row, and the columns that a map shows."""

    def positions(self, fingerprint: str) -> Positions | None: ...

    def save(self, fingerprint: str, positions: Positions, seen: VectorRows) -> bool: ...

    def locked(self) -> AbstractContextManager[bool]: ...

    def embedded(self, fingerprint: str) -> VectorRows | None: ...

    def columns(self, filters: Filters, now: datetime) -> MapColumns | None: ...

    def ids(self, rows: list[int]) -> dict[int, str]: ...

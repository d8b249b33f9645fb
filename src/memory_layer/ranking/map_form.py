"""The binary form of a map, and the positions of memories as whole numbers; pure."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Protocol

import numpy as np

from memory_layer.model.map import WIDTH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]
    Points = NDArray[np.uint16]

HEADER = struct.Struct(
    "<4sHHIII12x"
)  #: magic, version, state, memories, unplaced, bytes of the rows; 32 bytes
MAGIC, VERSION = b"MEMM", 1


class Columns(Protocol):
    """Columns of the map with a value for each memory."""

    @property
    def rows(self) -> Rows: ...

    @property
    def families(self) -> NDArray[np.uint8]: ...

    @property
    def scores(self) -> NDArray[np.float32]: ...

    @property
    def days(self) -> NDArray[np.uint16]: ...


def nowhere() -> Points:
    """Return no points."""
    return np.empty((0, 2), np.uint16)


def joined(rows: Rows, known: Rows, places: NDArray[np.float32]) -> tuple[Points, NDArray[np.bool_]]:
    """Return the points of those rows whose places are known, and which these are."""
    if not len(known):
        return nowhere(), np.zeros(len(rows), np.bool_)
    at = np.minimum(known.searchsorted(rows), len(known) - 1)
    has = known[at] == rows
    low, high = places.min(axis=0), places.max(axis=0)
    side = float((high - low).max()) or 1.0
    shares = (places[at[has]] - (low + high) / 2) / side + 0.5
    return np.clip(np.rint(shares * WIDTH), 0, WIDTH).astype(np.uint16), has


def packed(state: int, points: Points, columns: Columns | None, unplaced: int) -> bytes:
    """Return a map in its binary form, which docs/reference/map.md describes."""
    if columns is None:
        return HEADER.pack(MAGIC, VERSION, state, 0, unplaced, 0)
    rows = gaps(columns.rows)
    header = HEADER.pack(MAGIC, VERSION, state, len(columns.rows), unplaced, len(rows))
    parts: tuple[NDArray[np.generic], ...] = (
        points[:, 0].astype("<u2"),
        points[:, 1].astype("<u2"),
        columns.days.astype("<u2"),
        columns.families,
        np.rint(np.clip(columns.scores, -1, 1) * 100).astype(np.int8),
    )
    return b"".join((header, *(each.tobytes() for each in parts), rows))


def gaps(rows: NDArray[np.int64]) -> bytes:
    """Return ascending numbers as the gaps between them, seven bits a byte, the last byte of each below 128."""
    left = np.diff(rows, prepend=0).astype(np.uint64)
    sizes = np.ones(len(left), np.intp)
    for bits in range(7, 64, 7):
        sizes += left >> np.uint64(bits) > 0
    ends = sizes.cumsum()
    result = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    for number in range(int(sizes.max(initial=0))):
        mine = sizes > number
        more = np.where(sizes[mine] > number + 1, 128, 0)
        digits = (left[mine] >> np.uint64(7 * number)) & np.uint64(127)
        result[ends[mine] - sizes[mine] + number] = digits.astype(np.uint8) + more.astype(np.uint8)
    return result.tobytes()

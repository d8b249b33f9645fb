"""The map: positions of the memories that pass some filters, words for its groups, and memories by their rows."""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.errors import InvalidInput
from memory_layer.model.map import (
    MOST_MEMORIES,
    SENTENCES,
    WIDTH,
    MapAnswer,
    MapLabel,
    MapLabels,
    MapMemories,
    MapState,
)
from memory_layer.model.record import NamedTuple
from memory_layer.ports.map import MapColumns
from memory_layer.ranking.groups import groups
from memory_layer.text.distinctive import distinctive
from memory_layer.usecases.govern.visibility import WAITS, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters
    from memory_layer.ports import Engine
    from memory_layer.ports.map import Positions

HEADER = struct.Struct(
    "<4sHHIII12x"
)  #: magic, version, state, memories, unplaced, bytes of the rows; 32 bytes
MAGIC, VERSION = b"MEMM", 1
STATES = tuple(MapState)
READ = 30  #: memories of a group that are read for its words
WORDS = 4


class Sight(NamedTuple):
    """A map as it can be shown now."""

    state: MapState
    columns: MapColumns  #: of memories with a position
    points: NDArray[np.uint16]
    unplaced: int


def map_of(engine: Engine, filters: Filters) -> MapAnswer:
    """Return the positions of the memories that pass the filters; what is missing is computed in the background."""
    with engine.store.reading():
        sight = _sight(engine, filters)
    content = packed(sight)
    return MapAnswer(content, int.from_bytes(blake2b(content, digest_size=6).digest()))


def labels(engine: Engine, filters: Filters) -> MapLabels:
    """Return the groups on the map with the words that set them apart."""
    with engine.store.reading():
        sight = _sight(engine, filters)
        found = groups(sight.points.astype(np.float64), WIDTH + 1)
        rows = [sight.columns.rows[_spread(each.members)].tolist() for each in found]
        memories = dict(_memories(engine, [row for some in rows for row in some], filters))
    texts = [[memories[row].content for row in some if _tells(memories.get(row))] for some in rows]
    words = distinctive(texts, WORDS)
    labelled = tuple(
        MapLabel(round(each.x), round(each.y), len(each.members), some)
        for each, some in zip(found, words, strict=True)
        if some
    )
    return MapLabels(
        sight.state,
        SENTENCES[sight.state],
        engine.fingerprint(),
        len(sight.points),
        sight.unplaced,
        labelled,
    )


def memories_at(engine: Engine, rows: Sequence[int], filters: Filters) -> MapMemories:
    """Return the memories at rows of a map; never counts as use."""
    if len(rows) > MOST_MEMORIES:
        raise InvalidInput(f"too many rows: {len(rows):,}; the limit is {MOST_MEMORIES}")
    with engine.store.reading():
        return MapMemories(tuple(_memories(engine, list(dict.fromkeys(rows)), filters)))


def _memories(engine: Engine, rows: list[int], filters: Filters) -> list[tuple[int, Memory]]:
    ids = engine.store.map.ids(rows)
    passed = engine.store.search.passing(list(ids.values()), filters, engine.now())
    found = [(row, passed[ids[row]].read()) for row in rows if ids.get(row) in passed]
    return list(zip([row for row, _ in found], shown(engine, [each for _, each in found]), strict=True))


def _tells(memory: Memory | None) -> bool:
    return memory is not None and not memory.content.startswith(WAITS[:10])


def _spread(members: NDArray[np.intp]) -> NDArray[np.intp]:
    """Choose some members, spread evenly."""
    return members[:: max(1, len(members) // READ)][:READ]


def _sight(engine: Engine, filters: Filters) -> Sight:
    fingerprint = engine.fingerprint()
    columns = engine.store.map.columns(filters, engine.now())
    known = engine.store.map.positions(fingerprint) if fingerprint else None
    if fingerprint is None:
        state = MapState.NO_MODEL
    elif known is not None and known.current and columns is not None:
        state = MapState.READY
    else:
        state = MapState.COMPUTING if engine.lay_out_soon() else MapState.OUTDATED
    return _placed(state, columns, known)


def _placed(state: MapState, columns: MapColumns | None, known: Positions | None) -> Sight:
    """Join the memories with their positions."""
    if columns is None or known is None or not len(known.rows):
        count = 0 if columns is None else len(columns.rows)
        return Sight(state, _no_columns(), np.empty((0, 2), np.uint16), count)
    at = np.minimum(known.rows.searchsorted(columns.rows), len(known.rows) - 1)
    has = known.rows[at] == columns.rows
    low = known.places.min(axis=0)
    side = float((known.places.max(axis=0) - low).max()) or 1.0
    middle = (known.places.max(axis=0) - low) / 2
    points = (known.places[at[has]] - low - middle) / side + 0.5
    return Sight(
        state,
        MapColumns(*(each[has] for each in columns)),
        np.clip(np.rint(points * WIDTH), 0, WIDTH).astype(np.uint16),
        int(np.count_nonzero(~has)),
    )


def _no_columns() -> MapColumns:
    return MapColumns(
        np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.float32), np.empty(0, np.uint16)
    )


def packed(sight: Sight) -> bytes:
    """Return a map in its binary form, which docs/reference/map.md describes."""
    columns = sight.columns
    rows = gaps(columns.rows)
    header = HEADER.pack(
        MAGIC, VERSION, STATES.index(sight.state), len(columns.rows), sight.unplaced, len(rows)
    )
    parts: tuple[NDArray[np.generic], ...] = (
        sight.points[:, 0].astype("<u2"),
        sight.points[:, 1].astype("<u2"),
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

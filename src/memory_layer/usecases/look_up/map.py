"""The map: positions of the memories that pass some filters, words for its groups, and memories by their rows."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

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
from memory_layer.text.distinctive import distinctive
from memory_layer.usecases.govern.visibility import WAITS, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters
    from memory_layer.ports import Engine
    from memory_layer.ports.map import Positions

STATES = tuple(MapState)
READ = 30  #: memories of a group that are read for its words
WORDS = 4


class CurrentMap(NamedTuple):
    """The map as it can be shown now."""

    state: MapState
    columns: MapColumns | None  #: of memories with a position; None if there are none
    points: NDArray[np.uint16]
    unplaced: int


def map_of(engine: Engine, filters: Filters) -> MapAnswer:
    """Return the positions of the memories that pass the filters; what is missing is computed in the background."""
    from memory_layer.ranking import map_form

    with engine.store.reading():
        current = _current(engine, filters)
    content = map_form.packed(STATES.index(current.state), current.points, current.columns, current.unplaced)
    return MapAnswer(content, int.from_bytes(blake2b(content, digest_size=6).digest()))


def labels(engine: Engine, filters: Filters) -> MapLabels:
    """Return the groups on the map with the words that set them apart."""
    from memory_layer.ranking.groups import groups

    with engine.store.reading():
        current = _current(engine, filters)
        found = groups(current.points.astype("f8"), WIDTH + 1)
        every = () if current.columns is None else current.columns.rows
        rows = [[int(every[at]) for at in _spread(each.members)] for each in found]
        memories = dict(_memories(engine, [row for some in rows for row in some], filters))
    texts = [[memories[row].content for row in some if _is_readable(memories.get(row))] for some in rows]
    words = distinctive(texts, WORDS)
    labelled = tuple(
        MapLabel(round(each.x), round(each.y), len(each.members), some)
        for each, some in zip(found, words, strict=True)
        if some
    )
    return MapLabels(
        current.state,
        SENTENCES[current.state],
        engine.fingerprint(),
        len(current.points),
        current.unplaced,
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


def _is_readable(memory: Memory | None) -> bool:
    return memory is not None and not memory.content.startswith(WAITS[:10])


def _spread(members: NDArray[np.intp]) -> NDArray[np.intp]:
    """Choose some members, spread evenly."""
    return members[:: max(1, len(members) // READ)][:READ]


def _current(engine: Engine, filters: Filters) -> CurrentMap:
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


def _placed(state: MapState, columns: MapColumns | None, known: Positions | None) -> CurrentMap:
    """Join the memories with their positions."""
    from memory_layer.ranking import map_form

    if columns is None or known is None:
        return CurrentMap(state, None, map_form.nowhere(), 0 if columns is None else len(columns.rows))
    points, has = map_form.joined(columns.rows, known.rows, known.places)
    shown = MapColumns(columns.rows[has], columns.families[has], columns.scores[has], columns.days[has])
    return CurrentMap(state, shown, points, len(has) - len(points))

"""Verbs about the map: its points, labels and memories, and computing its positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.verbs.call import Verb
from memory_layer.verbs.request import Nothing

if TYPE_CHECKING:
    from memory_layer.model.map import LaidOut, MapAnswer, MapLabels, MapMemories
    from memory_layer.verbs.call import Call


class MapRows(NamedTuple):
    """Rows of a map."""

    rows: tuple[int, ...]


def map_of(call: Call, request: Nothing) -> MapAnswer:
    """Return the positions of the project's active memories, in a compact binary form."""
    from memory_layer.usecases.look_up import map as usecase

    return usecase.map_of(call.engine, _filters(call))


def labels(call: Call, request: Nothing) -> MapLabels:
    """Return the groups on the map with the words that set them apart, and the state of the map."""
    from memory_layer.usecases.look_up import map as usecase

    return usecase.labels(call.engine, _filters(call))


def memories_at(call: Call, request: MapRows) -> MapMemories:
    """Return the memories at rows of the map; never counts as use."""
    from memory_layer.usecases.look_up import map as usecase

    return usecase.memories_at(call.engine, request.rows, _filters(call))


def lay_out(call: Call, request: Nothing) -> LaidOut:
    """Bring the positions of the map up to date."""
    from memory_layer.usecases.upkeep import lay_out as usecase

    return usecase.lay_out(call.engine)


def _filters(call: Call) -> Filters:
    return Filters(reach=call.scope.reach, project=call.scope.project_id)


MAP = Verb("map", Nothing, map_of)
MAP_LABELS = Verb("map_labels", Nothing, labels)
MAP_MEMORIES = Verb("map_memories", MapRows, memories_at)
LAY_OUT = Verb("lay_out", Nothing, lay_out)

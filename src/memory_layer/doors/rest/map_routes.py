"""Routes to the map: points in a binary form, labels, and memories by their rows."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import TEXT, TEXTS, WHOLE, items_of, members, optional
from memory_layer.doors.rest.route import Reply, RestCall, Route, Shape, Values
from memory_layer.doors.rest.shapes import MEMORY
from memory_layer.model.map import MapState
from memory_layer.verbs import map as verbs

MEDIA_TYPE = "application/octet-stream"
_LABEL = members(x=WHOLE, y=WHOLE, memories=WHOLE, words=TEXTS)
_POINT = members(row=WHOLE, memory=MEMORY)


def points(call: RestCall, values: Values) -> Reply:
    found = call.do(verbs.MAP)
    return Reply(None, version=found.version, file=BytesIO(found.content), media_type=MEDIA_TYPE)


def of_memories(found: Any) -> Shape:
    return {"items": [{"row": row, "memory": wire.memory(memory)} for row, memory in found.items]}


MAP_ROUTES = (
    Route(
        "GET",
        "/api/map",
        verbs.MAP,
        None,
        {"type": "string", "format": "binary"},
        run=points,
        matches=True,
        other_statuses=(304,),
        media_types=(MEDIA_TYPE,),
    ),
    Route(
        "GET",
        "/api/map/labels",
        verbs.MAP_LABELS,
        wire.plain,
        members(
            state={"enum": [each.value for each in MapState]},
            sentence=optional(TEXT),
            generation=optional(TEXT),
            memories=WHOLE,
            unplaced=WHOLE,
            labels=items_of(_LABEL),
        ),
    ),
    Route(
        "GET",
        "/api/map/memories",
        verbs.MAP_MEMORIES,
        of_memories,
        members(items=items_of(_POINT)),
        names={"rows": "row"},
    ),
)

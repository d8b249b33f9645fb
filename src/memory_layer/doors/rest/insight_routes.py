"""Routes that show what agents did with the memory: changes, insights, and what happened when."""

from __future__ import annotations

from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import COUNTS, FLAG, TEXT, TEXTS, members
from memory_layer.doors.rest.route import Route
from memory_layer.verbs import recall

INSIGHT_ROUTES = (
    Route(
        "GET",
        "/api/changes",
        recall.CHANGES,
        wire.plain,
        members(position=TEXT, memories=TEXTS, actions=COUNTS, more=FLAG, reload=FLAG),
        scoped=False,
    ),
)

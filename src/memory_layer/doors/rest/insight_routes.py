"""Routes that show what agents did with the memory: changes, insights, and what happened when."""

from __future__ import annotations

from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import (
    COUNTS,
    FLAG,
    TEXT,
    TEXTS,
    WHOLE,
    extended,
    items_of,
    members,
    record,
    unnamed,
)
from memory_layer.doors.rest.route import Route
from memory_layer.doors.rest.shapes import PART
from memory_layer.model.insights import Insights, WeekOfReports
from memory_layer.model.query import Reports
from memory_layer.verbs import look_up

_REPORTS = record(Reports)
INSIGHTS = record(
    Insights,
    weekly=items_of(record(WeekOfReports, week=TEXT, reports=_REPORTS)),
    moved=items_of(extended(unnamed(PART), question=TEXT, before=WHOLE, now=WHOLE, reports=_REPORTS)),
)

INSIGHT_ROUTES = (
    Route("GET", "/api/insights", look_up.INSIGHTS, wire.insights, INSIGHTS),
    Route(
        "GET",
        "/api/changes",
        look_up.CHANGES,
        wire.plain,
        members(position=TEXT, memories=TEXTS, actions=COUNTS, more=FLAG, reload=FLAG),
        scoped=False,
    ),
)

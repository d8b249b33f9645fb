"""The table of all routes."""

from __future__ import annotations

from memory_layer.doors.rest.insight_routes import INSIGHT_ROUTES
from memory_layer.doors.rest.map_routes import MAP_ROUTES
from memory_layer.doors.rest.memory_routes import MEMORY_ROUTES
from memory_layer.doors.rest.passkey_routes import PASSKEY_ROUTES
from memory_layer.doors.rest.project_memories import PROJECT_ROUTES
from memory_layer.doors.rest.review_routes import REVIEW_ROUTES
from memory_layer.doors.rest.session_routes import SESSION_ROUTES
from memory_layer.doors.rest.store_routes import STORE_ROUTES
from memory_layer.doors.rest.work_routes import WORK_ROUTES

ROUTES = (
    *PROJECT_ROUTES,
    *MEMORY_ROUTES,
    *WORK_ROUTES,
    *REVIEW_ROUTES,
    *STORE_ROUTES,
    *INSIGHT_ROUTES,
    *MAP_ROUTES,
    *SESSION_ROUTES,
    *PASSKEY_ROUTES,
)

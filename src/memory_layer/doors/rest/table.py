"""The table of all routes."""

from __future__ import annotations

from memory_layer.doors.rest.project_memories import PROJECT_ROUTES

ROUTES = (*PROJECT_ROUTES,)

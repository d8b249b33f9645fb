"""Serve the REST interface, perhaps with MCP beside it, on a port of this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.doors.http.access import LOOPBACK, Access
from memory_layer.doors.http.server import DEFAULT_LIMITS, HttpServer, listening_on, within_files
from memory_layer.doors.rest.app import HEALTH, rest_app
from memory_layer.doors.rest.table import ROUTES

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from memory_layer.doors.rest.serving import RestServing


def serve_rest(
    serving: RestServing,
    port: int,
    token: str,
    token_file: Path,
    say: Callable[[str], None],
    beside: Starlette | None = None,
) -> None:
    """Serve until interrupted; port 0 picks a free one."""
    with listening_on(port) as listening:
        actual = listening.getsockname()[1]
        also = f" and MCP on http://{LOOPBACK}:{actual}/mcp" if beside is not None else ""
        say(f"serving REST on http://{LOOPBACK}:{actual}/api{also}; the token is in {token_file}")
        say(f"the reference is at http://{LOOPBACK}:{actual}/api/openapi.json; press Ctrl-C to stop")
        limits = within_files(DEFAULT_LIMITS)
        app = rest_app(serving, ROUTES, limits.body_bytes, beside)
        access = Access(token, actual, [HEALTH])
        HttpServer(app, access, limits, serving.store.close, serving.close).run(sockets=[listening])

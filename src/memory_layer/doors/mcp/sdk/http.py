"""The MCP server over HTTP, alone or beside another application."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from memory_layer.doors.http.access import LOOPBACK, Access
from memory_layer.doors.http.connections import Limits
from memory_layer.doors.http.logins import Logins
from memory_layer.doors.http.server import DEFAULT_LIMITS, HttpServer, listening_here, note_on, within_files
from memory_layer.doors.mcp.sdk.server import server
from memory_layer.doors.mcp.serving import Serving

PATH = "/mcp"
MOST_SESSIONS = 2_000  #: of the older protocol; each is remembered for half an hour after its last use
#: The server's own access rule checks host and origin for every door alike.
_CHECKED_BEFORE = TransportSecuritySettings(enable_dns_rebinding_protection=False)


def app(serving: Serving, limits: Limits = DEFAULT_LIMITS) -> Starlette:
    """Return the server as an ASGI application; whoever mounts it adds `Guard` and runs its lifespan."""
    return server(serving).streamable_http_app(
        streamable_http_path=PATH,
        transport_security=_CHECKED_BEFORE,
        max_sessions=MOST_SESSIONS,
        max_request_body_size=limits.body_bytes,
    )


def serve_http(serving: Serving, port: int, token: str, token_file: Path, say: Callable[[str], None]) -> None:
    """Serve on a port of this machine until interrupted; 0 picks a free one."""
    with closing(listening_here(port)) as listening:
        actual = listening.port
        say(f"serving MCP on http://{LOOPBACK}:{actual}{PATH}; the token is in {token_file}")
        if note := note_on(listening.hosts[0], actual):
            say(note)
        limits = within_files(DEFAULT_LIMITS)
        logins = Logins(serving.store, actual)
        access = Access(token, actual, logins=logins, hosts=listening.hosts, browsers=False)
        HttpServer(app(serving, limits), access, limits, serving.close).run(list(listening.sockets))

"""The server over HTTP: on this machine only, and only for those who can read the token's file."""

from __future__ import annotations

import logging
import math
import socket
import sys
import time
from collections.abc import Callable
from hmac import compare_digest
from pathlib import Path

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from memory_layer.doors.mcp.sdk.connections import Limits, Refusal, bounded_by
from memory_layer.doors.mcp.sdk.server import server
from memory_layer.doors.mcp.serving import Serving
from memory_layer.errors import InvalidInput

_LOGGERS = ("uvicorn.error", "asyncio", "mcp")
HOST = "127.0.0.1"
PATH = "/mcp"
BACKLOG = 64  #: connections that wait to be accepted
RESERVED_FILES = 64  #: open files reserved for the store and its index
MOST_SESSIONS = 2_000  #: of the older protocol; each is remembered for half an hour after its last use
DEFAULT_LIMITS = Limits()
_NAMES = (HOST, "localhost", "[::1]")
_NO_TOKEN = Refusal(
    401,
    "send `Authorization: Bearer` with the token from this server's token file",
    (("WWW-Authenticate", "Bearer"),),
)


class Damped(logging.Filter):
    """A log filter that passes one record per place in the code and interval, with the number it stands for."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._clock = clock
        self._shown: dict[tuple[str, int], float] = {}
        self._left_out: dict[tuple[str, int], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        place, now = (record.pathname, record.lineno), self._clock()
        if place in self._shown and now - self._shown[place] < self._seconds:
            self._left_out[place] = self._left_out.get(place, 0) + 1
            return False
        self._shown[place] = now
        if count := self._left_out.pop(place, 0):
            record.msg = f"{record.getMessage()} ({count:,} more like this since the last one)"
            record.args = ()
        return True


def damp_logs(seconds: float) -> None:
    """Send the libraries' log records to standard error, one line for many similar ones."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    handler.addFilter(Damped(seconds))
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)


def app(serving: Serving, port: int, limits: Limits = DEFAULT_LIMITS) -> Starlette:
    """Return the server as an ASGI application; whoever mounts it adds `Guard` and runs its lifespan.

    A request must name this machine as its host, and one from a web page must come from this very server.
    """
    hosts = [f"{name}:{port}" for name in _NAMES]
    security = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    return server(serving).streamable_http_app(
        streamable_http_path=PATH,
        transport_security=security,
        max_sessions=MOST_SESSIONS,
        max_request_body_size=limits.body_bytes,
    )


class Guard:
    """Middleware that only passes requests with the token."""

    def __init__(self, inner: ASGIApp, token: str) -> None:
        self._inner = inner
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None
        if scope["type"] != "lifespan":
            refusal = self.refuses(Headers(scope=scope).get("authorization"))
        if refusal is None:
            await self._inner(scope, receive, send)
            return
        answer = PlainTextResponse(refusal.text, refusal.status, headers=dict(refusal.headers))
        await answer(scope, receive, send)

    def refuses(self, authorization: str | None) -> Refusal | None:
        """Return the response to a request without the token; None if it has the token."""
        kind, _, secret = (authorization or "").partition(" ")
        known = kind.lower() == "bearer" and compare_digest(secret.strip().encode(), self._token)
        return None if known else _NO_TOKEN


def serve_http(serving: Serving, port: int, token: str, token_file: Path, say: Callable[[str], None]) -> None:
    """Serve on a port of this machine until interrupted; 0 picks a free one."""
    with listening_on(port) as listening:
        actual = listening.getsockname()[1]
        say(f"serving MCP on http://{HOST}:{actual}{PATH}; the token is in {token_file}")
        HttpServer(serving, actual, token, within_files(DEFAULT_LIMITS)).run(sockets=[listening])


def within_files(limits: Limits) -> Limits:
    """Reduce the number of connections to what the limit on open files allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return limits
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if allowed == resource.RLIM_INFINITY:
        return limits
    return limits._replace(connections=max(1, min(limits.connections, allowed - BACKLOG - RESERVED_FILES)))


class HttpServer(uvicorn.Server):
    """A server within limits, which closes the store before the signal that stopped it ends the process."""

    def __init__(self, serving: Serving, port: int, token: str, limits: Limits) -> None:
        damp_logs(limits.log_seconds)
        guard = Guard(app(serving, port, limits), token)
        config = uvicorn.Config(
            guard,
            http=bounded_by(limits, guard.refuses),
            ws="none",
            backlog=BACKLOG,
            log_config=None,
            access_log=False,
            timeout_keep_alive=math.ceil(limits.idle_seconds),
            timeout_graceful_shutdown=5,
        )
        super().__init__(config)
        self._serving = serving

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().shutdown(sockets)
        finally:
            self._serving.close()


def listening_on(port: int) -> socket.socket:
    """Return a listening socket on a port of this machine."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise InvalidInput(f"port {port} cannot be used: {error.strerror or error}") from None
    return listening

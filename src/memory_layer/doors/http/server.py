"""An HTTP server on this machine only, within limits."""

from __future__ import annotations

import errno
import logging
import math
import socket
import sys
import time
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from memory_layer.doors.http.access import LOOPBACK, NAMES, Access
from memory_layer.doors.http.connections import Limits, bounded_by
from memory_layer.doors.http.guard import Guard
from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple

_LOGGERS = ("uvicorn.error", "asyncio", "mcp")
LOOPBACK_6 = "::1"
BACKLOG = 64  #: connections that wait to be accepted, at each address
RESERVED_FILES = 64  #: open files reserved for the store and its index
TRIES = 8  #: to find a port that is free at both addresses
#: Errors of a machine without IPv6, where `localhost` can mean one address only.
_NO_IPV6 = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT)
DEFAULT_LIMITS = Limits()


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


def within_files(limits: Limits) -> Limits:
    """Reduce the number of connections to what the limit on open files allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return limits
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if allowed == resource.RLIM_INFINITY:
        return limits
    return limits._replace(
        connections=max(1, min(limits.connections, allowed - 2 * BACKLOG - RESERVED_FILES))
    )


class HttpServer(uvicorn.Server):
    """A server within limits, which closes the store before the signal that stopped it ends the process."""

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        limits: Limits,
        close: Callable[[], None],
        end_streams: Callable[[], None] = lambda: None,
    ) -> None:
        damp_logs(limits.log_seconds)
        config = uvicorn.Config(
            Guard(app, access),
            http=bounded_by(limits, access.decide),
            ws="none",
            backlog=BACKLOG,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nobody stands between a caller and this server
            timeout_keep_alive=math.ceil(limits.idle_seconds),
            timeout_graceful_shutdown=5,
        )
        super().__init__(config)
        self._close = close
        self._end_streams = end_streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._end_streams()
        try:
            await super().shutdown(sockets)
        finally:
            self._close()


class Listening(NamedTuple):
    """The sockets of a server, all on one port."""

    sockets: tuple[socket.socket, ...]
    hosts: tuple[str, ...] = NAMES  #: by which requests may name it, the one for people first

    @property
    def port(self) -> int:
        return int(self.sockets[0].getsockname()[1])

    def close(self) -> None:
        for each in self.sockets:
            each.close()


def note_on(host: str, port: int) -> str | None:
    """Say why a server is not shown as `localhost`; None if it is."""
    if host != LOOPBACK:
        return None
    return (
        f"another program listens on [::1]:{port}, so do not open localhost:{port}; "
        "passkeys need localhost, and work with another --port"
    )


def listening_here(port: int) -> Listening:
    """Listen on a port of both addresses that `localhost` can mean; 0 picks one that is free at both."""
    tries = 1 if port else TRIES
    while True:
        first = listening_on(port)
        try:
            return Listening((first, _bound(first.getsockname()[1], LOOPBACK_6)))
        except OSError as error:
            if error.errno in _NO_IPV6:
                return Listening((first,))
            tries -= 1
            if not tries:
                return Listening((first,), (LOOPBACK,))
            first.close()


def listening_on(port: int, address: str = LOOPBACK) -> socket.socket:
    """Return a listening socket on a port of one address of this machine."""
    try:
        return _bound(port, address)
    except OSError as error:
        where = f"port {port}" if address == LOOPBACK else f"port {port} of {address}"
        raise InvalidInput(f"{where} cannot be used: {error.strerror or error}") from None


def _bound(port: int, address: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # Only where the protocol is named does asyncio send small packets at once; else each answer takes 40 ms more.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening

"""Bounds on HTTP connections: how long each may wait for a request, and how many there may be at once."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from memory_layer.model.record import NamedTuple

ADMITTED = "memory_layer.admitted"  #: in the scope of a request that showed the token
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n"
    b"this server has too many requests under way"
)


class Limits(NamedTuple):
    """What one server allows its clients."""

    head_seconds: float = 10.0  #: from the connection, or the first byte, to the end of a request's head
    body_seconds: float = 30.0  #: from there to the end of its body
    idle_seconds: float = 60.0  #: between an answer and the next request
    connections: int = 256
    body_bytes: int = 4 * 1024 * 1024
    log_seconds: float = 60.0  #: in which one line stands for all that are like it


class Phase(Enum):
    """What a connection waits for."""

    HEAD = "head"
    BODY = "body"
    ANSWER = "answer"
    IDLE = "idle"


class BoundedConnection(H11Protocol):
    """A connection that is closed when a request takes too long to arrive; an answer may take any time."""

    limits = Limits()

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._timer: asyncio.TimerHandle | None = None
        self._timed: Phase | None = None
        self._refused = False
        self._unread = 0  #: bytes of a body that nobody reads, because the answer was given before its end
        self.admitted = False  #: whether a request on it has shown the token
        self.waiting_since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        if len(self.connections) >= self.limits.connections and not self._made_room():
            transport.write(_FULL)
            transport.close()
            self.transport, self._refused = transport, True
            return
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self.phase is Phase.IDLE and self.cycle.more_body:
            self._unread += len(data)
            if self._unread > self.limits.body_bytes:
                self.transport.abort()
                return
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        self._unread, self.admitted = 0, self.admitted or bool(self.scope.get(ADMITTED))
        super().on_response_complete()
        self._watch()

    @property
    def phase(self) -> Phase:
        request = cast("RequestResponseCycle | None", self.cycle)  # the last one; None before the first
        if request is not None and not request.response_complete:
            return Phase.BODY if request.more_body else Phase.ANSWER
        partial = bool(self.conn.trailing_data[0])
        return Phase.HEAD if request is None or partial else Phase.IDLE

    def _watch(self) -> None:
        """Start a timer when a phase begins; further bytes within it do not prolong it."""
        phase = self.phase
        if phase is self._timed:
            return
        self._stop()
        self._timed, self.waiting_since = phase, self.loop.time()
        seconds = {
            Phase.HEAD: self.limits.head_seconds,
            Phase.BODY: self.limits.body_seconds,
            Phase.IDLE: self.limits.idle_seconds,
        }.get(phase)
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _made_room(self) -> bool:
        """Close the connection that waits longest, those first that never showed the token; False if all work."""
        waiting = [
            each
            for each in self.connections
            if isinstance(each, BoundedConnection) and each.phase is not Phase.ANSWER
        ]
        if not waiting:
            return False
        oldest = min(waiting, key=lambda each: (each.admitted, each.waiting_since))
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True


def bounded_by(limits: Limits) -> type[BoundedConnection]:
    """The kind of connection that keeps these limits."""
    return type("BoundedConnection", (BoundedConnection,), {"limits": limits})

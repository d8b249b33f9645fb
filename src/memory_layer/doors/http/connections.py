"""Limits on HTTP connections: how long each may wait for a request, and how many may be open at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any, cast

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from memory_layer.doors.http.access import Head, head_of_target, is_for_programs
from memory_layer.doors.http.grant import KEY, Grant
from memory_layer.doors.http.refusals import (
    FULL,
    LARGE_HEAD,
    LARGE_HEAD_OF_PAGE,
    TOO_MANY_STREAMS,
    UNREADABLE,
    Refusal,
)
from memory_layer.doors.http.security_headers import ALWAYS, UNCACHED
from memory_layer.model.record import NamedTuple

_HEADERS = [*ALWAYS, UNCACHED, ("connection", "close")]  #: of every refusal
_FULL = "\r\n".join(
    [
        "HTTP/1.1 503 Service Unavailable",
        f"content-type: {FULL.media_type}",
        *map(": ".join, _HEADERS),
        "",
        FULL.text,
    ]
).encode()
STREAMS = frozenset(("/api/events", "/mcp"))  #: paths whose answers to GET stay open


class Limits(NamedTuple):
    """Limits on the connections of one server."""

    head_seconds: float = 10.0  #: from the connection, or the first byte, to the end of a request's head
    body_seconds: float = 30.0  #: from there to the end of its body
    idle_seconds: float = 60.0  #: between an answer and the next request
    send_seconds: float = 60.0  #: in which a client has to take some of an answer that waits to be sent
    linger_seconds: float = 5.0  #: for the client to read a refusal
    connections: int = 256
    head_bytes: int = 16 * 1024
    body_bytes: int = 4 * 1024 * 1024
    log_seconds: float = 60.0  #: in which one log line stands for all similar ones

    @property
    def streams(self) -> int:
        """Return the number of event streams that may be open at once, leaving connections for other requests."""
        return max(1, self.connections * 3 // 4)


class Phase(Enum):
    """The phase of a request that a connection is in."""

    HEAD = "head"
    BODY = "body"
    ANSWER = "answer"
    SENDING = "sending"
    REFUSED = "refused"
    IDLE = "idle"


_ANSWERED = (Phase.ANSWER, Phase.SENDING)  #: the client is authenticated and waits for its answer


class Requests(h11.Connection):
    """A parser of one connection's requests, which stops at the head of the first refused one."""

    def __init__(self, refuses: Callable[[h11.Request], Refusal | None]) -> None:
        super().__init__(h11.SERVER)
        self._refuses = refuses
        self.refused: tuple[bytes, Refusal] | None = None  #: with the method

    def next_event(self) -> Any:
        event = h11.PAUSED if self.refused else super().next_event()
        if isinstance(event, h11.Request) and (refusal := self._refuses(event)):
            self.refused = event.method, refusal
            return h11.PAUSED
        return event


class BoundedConnection(H11Protocol):
    """A connection that is closed when its client is too slow; the server may take any time to answer."""

    limits = Limits()
    decide: Callable[[Head], Refusal | Grant]  #: by a request's head

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state.copy(), _loop)
        self.conn: Requests = Requests(self._judged)
        self._timer: asyncio.TimerHandle | None = None
        self._timed: Phase | None = None
        self._full = False
        self._unsent = 0  #: bytes that waited to be sent when the timer started
        self._unread = 0  #: bytes of a body that nobody reads, because the answer was sent before its end
        self.admitted = False  #: whether its requests had the token
        self.waiting_since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        if len(self.connections) >= self.limits.connections and not self._made_room():
            transport.write(_FULL)
            transport.close()
            self.transport, self._full = transport, True
            return
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._full:
            return
        refused = self.conn.refused is not None
        if refused or (self.phase is Phase.IDLE and self.cycle.more_body):
            self._unread += len(data)
            if self._unread > self.limits.body_bytes:
                self.transport.abort()
                return
        if not refused:
            super().data_received(data)
            self._watch()

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.refused is not None:
            self._refuse(*self.conn.refused)

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read as HTTP; a request whose body breaks may be under way already."""
        unread = self.conn.trailing_data[0]
        why = _too_large(unread) if len(unread) > self.limits.head_bytes else UNREADABLE
        if self.conn.our_state is h11.IDLE:
            self.conn.refused = b"", why
            return
        if self.conn.our_state is h11.SEND_RESPONSE:
            self._send(b"", UNREADABLE)
        self.transport.close()

    def on_response_complete(self) -> None:
        self._unread = 0
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch()

    def _judged(self, request: h11.Request) -> Refusal | None:
        """Decide about a request as soon as its head is there; None to accept it."""
        size = len(request.target) + sum(len(name) + len(value) for name, value in request.headers)
        if size > self.limits.head_bytes:
            self.admitted = False
            return _too_large(b"%b %b" % (request.method, request.target))
        head = head_of_target(request.method.decode(), request.target, request.headers)
        decided = self.decide(head)
        self.admitted = isinstance(decided, Grant)
        if isinstance(decided, Refusal):
            return decided
        self.app_state[KEY] = decided  # copied into the scope of this request
        is_stream = head.method == "GET" and head.path in STREAMS
        if is_stream and self._streams() >= self.limits.streams:
            return TOO_MANY_STREAMS
        return None

    def _streams(self) -> int:
        """Count the other connections with an event stream."""
        return sum(
            each.cycle.scope["method"] == "GET"
            and each.cycle.scope["path"] in STREAMS
            and not each.cycle.response_complete
            for each in self.connections
            if isinstance(each, BoundedConnection) and each is not self and each.cycle is not None
        )

    def _refuse(self, method: bytes, why: Refusal) -> None:
        """Send a refusal and drop further input: closing at once could keep the client from reading it."""
        self._unset_keepalive_if_required()
        self._send(method, why)
        with suppress(OSError):  # the client may be gone
            self.transport.write_eof()
        self.flow.resume_reading()

    def _send(self, method: bytes, why: Refusal) -> None:
        text = why.text.encode()
        own = [("content-type", why.media_type), ("content-length", str(len(text)))]
        for event in (
            h11.Response(status_code=why.status, headers=[*own, *_HEADERS, *why.headers]),
            h11.Data(data=b"" if method == b"HEAD" else text),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")

    @property
    def phase(self) -> Phase:
        if self.conn.refused is not None:
            return Phase.REFUSED
        if self.flow.write_paused:
            return Phase.SENDING
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
        self._start()

    def _start(self) -> None:
        seconds = {
            Phase.HEAD: self.limits.head_seconds,
            Phase.BODY: self.limits.body_seconds,
            Phase.SENDING: self.limits.send_seconds,
            Phase.REFUSED: self.limits.linger_seconds,
            Phase.IDLE: self.limits.idle_seconds,
        }.get(self.phase)
        if seconds is not None:
            self._unsent = self.transport.get_write_buffer_size()
            self._timer = self.loop.call_later(seconds, self._end)

    def _end(self) -> None:
        """Close the connection, unless its client took some of the answer in the meantime."""
        if self.phase is Phase.SENDING and self.transport.get_write_buffer_size() < self._unsent:
            self._start()
        else:
            self.transport.abort()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _made_room(self) -> bool:
        """Close the connection that waits longest, unauthenticated ones first; False if all are busy."""
        waiting = [
            each
            for each in self.connections
            if isinstance(each, BoundedConnection) and each.phase not in _ANSWERED
        ]
        if not waiting:
            return False
        oldest = min(waiting, key=lambda each: (each.admitted, each.waiting_since))
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True


def _too_large(beginning: bytes) -> Refusal:
    """Return the refusal of a head that is too large; a browser that opens the page shows it to a person."""
    method, _, rest = beginning.partition(b" ")
    is_page = method == b"GET" and not is_for_programs(rest.partition(b" ")[0].decode("latin-1"))
    return LARGE_HEAD_OF_PAGE if is_page else LARGE_HEAD


def bounded_by(limits: Limits, decide: Callable[[Head], Refusal | Grant]) -> type[BoundedConnection]:
    """Return a connection class with these limits, for requests whose head is admitted."""
    return type("BoundedConnection", (BoundedConnection,), {"limits": limits, "decide": staticmethod(decide)})

"""Server-sent events: tell every open page what changed in the store, whichever process changed it."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from memory_layer import __version__
from memory_layer.doors import wire
from memory_layer.errors import InvalidInput, MemoryLayerError
from memory_layer.model.feed import MOST_NAMED, ChangesSince
from memory_layer.verbs import look_up

if TYPE_CHECKING:
    from memory_layer.doors.rest.serving import RestServing

EVENTS = "/api/events"
MEDIA_TYPE = "text/event-stream"
JOIN_SECONDS = 0.25  #: changes within it are one event
QUIET_SECONDS = 15.0  #: after which a comment keeps the connection open; the right to it is checked each time
RETRY_MILLISECONDS = 1000  #: after which a browser calls again


class Stream:
    """The changes that one client was not told yet; joined, so that a slow client needs no more memory."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._wake = asyncio.Event()
        self._waiting: ChangesSince | None = None
        self.ended = False

    def put(self, changes: ChangesSince | None) -> None:
        """Pass on changes from any thread; None ends the stream."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._take, changes)

    def _take(self, changes: ChangesSince | None) -> None:
        if changes is None:
            self.ended = True
        else:
            self._waiting = joined(self._waiting, changes)
        self._wake.set()

    async def next(self, seconds: float) -> ChangesSince | None:
        """Wait for changes; None if there were none in this time, or the stream has ended."""
        try:
            await asyncio.wait_for(self._wake.wait(), seconds)
        except TimeoutError:
            return None
        self._wake.clear()
        changes, self._waiting = self._waiting, None
        return changes


class Events:
    """All open streams of a server, and the one thread that looks for changes while there are any."""

    def __init__(self, serving: RestServing) -> None:
        self._serving = serving
        self._streams: set[Stream] = set()
        self._guard = threading.Lock()
        self._watcher: threading.Thread | None = None
        self._ending = threading.Event()

    def close(self) -> None:
        """End every stream, and open no more."""
        self._ending.set()
        self._tell(None)

    async def stream(self, request: Request) -> StreamingResponse:
        """Stream what changes, as server-sent events."""
        known = request.headers.get("last-event-id") or None
        stream = Stream(asyncio.get_running_loop())
        first = await run_in_threadpool(self._open, stream, known)
        admitted: Callable[[], bool] = request.scope.get("admitted", lambda: True)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(self._body(stream, first, admitted), 200, headers, MEDIA_TYPE)

    def _open(self, stream: Stream, known: str | None) -> ChangesSince:
        """Register a stream, and return what it missed since the event it knows."""
        position = self._changes(None).position
        with self._guard:
            self._streams.add(stream)
            if self._watcher is None and not self._ending.is_set():
                self._watcher = threading.Thread(target=self._watch, args=(position,), daemon=True)
                self._watcher.start()
        try:
            return self._changes(known)
        except InvalidInput:
            return ChangesSince(position, reload=True)
        except BaseException:
            self._leave(stream)
            raise

    async def _body(
        self, stream: Stream, first: ChangesSince, admitted: Callable[[], bool]
    ) -> AsyncIterator[bytes]:
        try:
            yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
            yield event("hello", first, {"version": __version__})
            if first.reload or first.memories or first.actions:
                yield change_event(first)
            clock = asyncio.get_running_loop().time
            check_at = clock() + QUIET_SECONDS
            while not (stream.ended or self._ending.is_set()):
                changes = await stream.next(check_at - clock())
                if not await run_in_threadpool(admitted):
                    return
                if changes is not None:
                    yield change_event(changes)
                if clock() >= check_at:
                    check_at = clock() + QUIET_SECONDS
                    yield b": still here\n\n"
        finally:
            self._leave(stream)

    def _leave(self, stream: Stream) -> None:
        with self._guard:
            self._streams.discard(stream)

    def _watch(self, position: str) -> None:
        """Look for changes until the last stream has gone; a store that cannot be read ends them all."""
        while not self._ending.wait(JOIN_SECONDS) and self._is_needed():
            try:
                changes = self._changes(position)
            except MemoryLayerError:
                self._tell(None)
                continue
            if changes.position != position:
                position = changes.position
                self._tell(changes)

    def _is_needed(self) -> bool:
        with self._guard:
            if not self._streams:
                self._watcher = None
            return self._watcher is not None

    def _tell(self, changes: ChangesSince | None) -> None:
        """Pass on changes to every stream; None ends them."""
        with self._guard:
            for each in self._streams:
                each.put(changes)

    def _changes(self, after: str | None) -> ChangesSince:
        with self._serving.dispatcher() as dispatcher:
            return dispatcher.run(look_up.CHANGES, {} if after is None else {"after": after})


def joined(earlier: ChangesSince | None, later: ChangesSince) -> ChangesSince:
    """Return two successive changes as one."""
    if earlier is None:
        return later
    memories = tuple(dict.fromkeys((*later.memories, *earlier.memories)))
    return ChangesSince(
        later.position,
        memories[:MOST_NAMED],
        dict(Counter(earlier.actions) + Counter(later.actions)),
        earlier.more or later.more or len(memories) > MOST_NAMED,
        earlier.reload or later.reload,
    )


def change_event(changes: ChangesSince) -> bytes:
    """Return the event that tells of changes."""
    if changes.reload:
        return event("reload", changes, {})
    return event("change", changes, wire.fields(changes, "memories actions more"))


def event(name: str, changes: ChangesSince, data: wire.Shape) -> bytes:
    """Return one server-sent event, with the position as its id."""
    return f"event: {name}\nid: {changes.position}\ndata: {wire.text(data)}\n\n".encode()

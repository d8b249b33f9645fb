"""Middleware before every application: admit requests, log browsers in by their links, complete responses."""

from __future__ import annotations

import time
from collections.abc import Callable, MutableMapping
from functools import partial
from urllib.parse import quote, unquote_plus

from anyio import to_thread
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory_layer.doors.http.access import LINK, Access, Head, head_of
from memory_layer.doors.http.grant import KEY, Grant
from memory_layer.doors.http.refusals import Refusal, unavailable
from memory_layer.doors.http.security_headers import completed
from memory_layer.errors import MemoryLayerError

MOMENT_SECONDS = 1.0  #: from a request's head to the end of its body
_DEAD_LINK = (
    "This link was used already, or is older than ten minutes.\n"
    "Run `mem serve --link` for a new one, with the --port of the server if it has one.\n"
)


class Guard:
    """Middleware that passes only the requests that an access rule admits, each with what it was granted."""

    def __init__(self, inner: ASGIApp, access: Access) -> None:
        self._inner = inner
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        head = head_of(
            scope["method"], scope["path"], scope["query_string"].decode("latin-1"), scope["headers"]
        )
        state = scope.setdefault("state", {})
        decided = state.get(KEY) or self._access.decide(
            head
        )  # a connection has decided before the body was read
        finished = partial(_send_completed, send)
        if isinstance(decided, Refusal):
            await _refused(decided)(scope, receive, finished)
        elif self._access.logins is not None and (link := head.link) is not None:
            answer = await to_thread.run_sync(self._log_in, link, head, scope.get("raw_path"))
            await answer(scope, receive, finished)
        else:
            state[KEY] = decided
            again = partial(self._access.decide_again, head)
            scope["admitted"] = lambda: isinstance(again(), Grant)  # a stream asks again
            if not head.has_body:
                await self._inner(scope, receive, finished)
            elif late := await Body(receive, finished, again, state).pass_to(self._inner, scope):
                await _refused(late)(scope, receive, finished)

    def _log_in(self, link: str, head: Head, raw_path: bytes | None) -> Response:
        """Exchange a one-time link for a cookie, and lead to the address without it."""
        logins = self._access.logins
        assert logins is not None, "links are only looked for where browsers may log in"
        try:
            secret = logins.log_in(link)
            if secret is None and self._access.session_of(head) is None:
                return PlainTextResponse(_DEAD_LINK, 403)
        except MemoryLayerError as error:
            return _refused(unavailable(error))
        address = f"http://{head.host}{_path(head, raw_path)}"
        rest = "&".join(
            each for each in head.query.split("&") if unquote_plus(each.partition("=")[0]) != LINK
        )
        headers = {"location": f"{address}?{rest}" if rest else address}
        if secret is not None:
            headers["set-cookie"] = logins.set_cookie(secret)
        return Response(status_code=303, headers=headers)


class Body:
    """The body of an admitted request: if it was slow, the caller may have lost its rights before its end."""

    def __init__(
        self,
        receive: Receive,
        send: Send,
        again: Callable[[], Refusal | Grant],
        state: MutableMapping[str, object],
    ) -> None:
        self._receive, self._send, self._again, self._state = receive, send, again, state
        self._soon = time.monotonic() + MOMENT_SECONDS
        self._refusal: Refusal | None = None

    async def pass_to(self, inner: ASGIApp, scope: Scope) -> Refusal | None:
        """Let an application answer; return the refusal if it was not given the end of the body."""
        await inner(scope, self._next, self._answer)
        return self._refusal

    async def _next(self) -> Message:
        message = await self._receive()
        ends = message["type"] == "http.request" and not message.get("more_body")
        if ends and time.monotonic() > self._soon:
            decided = await to_thread.run_sync(self._again)
            if isinstance(decided, Refusal):
                self._refusal = decided
                return {"type": "http.disconnect"}
            self._state[KEY] = decided
        return message

    async def _answer(self, message: Message) -> None:
        if self._refusal is None:
            await self._send(message)


def _refused(refusal: Refusal) -> Response:
    return Response(
        refusal.text, refusal.status, headers=dict(refusal.headers), media_type=refusal.media_type
    )


def _path(head: Head, raw_path: bytes | None) -> str:
    """Return the path as it was sent, with nothing in it that a header could not have, or that names a host."""
    sent = raw_path.partition(b"?")[0].decode("latin-1") if raw_path else quote(head.path)
    return quote(sent, safe="/%:@!$&'()*+,;=~") if sent.startswith("/") else "/"


async def _send_completed(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start":
        message = {**message, "headers": completed(list(message.get("headers", [])))}
    await send(message)

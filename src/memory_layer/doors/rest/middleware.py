"""Middleware inside of the guard: limit bodies, and bind the application to one server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory_layer.doors.rest import problems

if TYPE_CHECKING:
    from memory_layer.doors.rest.serving import RestServing

_SERVING = "memory_layer.serving"  #: in the state of a request


def serving_in(scope: Scope) -> RestServing:
    """Return the server that a request is for."""
    serving: RestServing = scope["state"][_SERVING]
    return serving


class Bound:
    """Middleware that lets requests be answered by one server, whose store it closes at the end."""

    def __init__(self, inner: ASGIApp, serving: RestServing) -> None:
        self._inner = inner
        self._serving = serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})[_SERVING] = self._serving
        try:
            await self._inner(scope, receive, send)
        finally:
            if scope["type"] == "lifespan":
                self._serving.store.close()


class BodyLimit:
    """Middleware that stops reading a body that is too large."""

    def __init__(self, inner: ASGIApp, most: int) -> None:
        self._inner = inner
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._most:
                raise HTTPException(413)
            return message

        try:
            await self._inner(scope, counted if scope["type"] == "http" else receive, send)
        except HTTPException as refused:  # by a middleware; what FastAPI refuses it answers itself
            await problems.response(problems.of_status(refused.status_code))(scope, receive, send)

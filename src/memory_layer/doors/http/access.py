"""Authorise HTTP requests: one function for REST and MCP, which decides by a request's head alone."""

from __future__ import annotations

from collections.abc import Iterable
from hmac import compare_digest

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from memory_layer.doors.http.problem import MEDIA_TYPE, problem_text
from memory_layer.model.record import NamedTuple

LOOPBACK = "127.0.0.1"
NAMES = (LOOPBACK, "localhost", "[::1]")  #: of this machine


class Head(NamedTuple):
    """The parts of a request that decide whether it is answered."""

    path: str
    host: str | None = None
    origins: tuple[str, ...] = ()
    authorizations: tuple[str, ...] = ()


class Refusal(NamedTuple):
    """A response sent without reading the request's body."""

    status: int
    code: str
    detail: str
    next_step: str
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return problem_text(self.status, self.code, self.detail, self.next_step)


_NO_TOKEN = Refusal(
    401,
    "unauthorized",
    "send `Authorization: Bearer` with the token from this server's token file",
    "Nothing was changed. Call again with the token.",
    (("WWW-Authenticate", "Bearer"),),
)
_WRONG_HOST = Refusal(
    421,
    "wrong_host",
    "this server answers only requests that name it as their host",
    "Nothing was changed. Use the address that the server printed when it started.",
)
_FOREIGN_PAGE = Refusal(
    403,
    "foreign_origin",
    "this server answers no requests of other web pages",
    "Nothing was changed. Call from a program, not from a page of another site.",
)


def head_of(path: str, headers: Iterable[tuple[bytes, bytes]]) -> Head:
    """Read the parts of a request that decide about it; `headers` have names in lower case."""
    values: dict[bytes, list[str]] = {}
    for name, value in headers:
        values.setdefault(name, []).append(value.decode("latin-1"))
    hosts = values.get(b"host", [])
    return Head(
        path,
        hosts[0] if len(hosts) == 1 else None,
        tuple(values.get(b"origin", ())),
        tuple(values.get(b"authorization", ())),
    )


class Access:
    """The rule of a server: this machine's names, no foreign page, and the token but for a few paths."""

    def __init__(self, token: str, port: int, open_paths: Iterable[str] = ()) -> None:
        self._token = token.encode()
        self._open = frozenset(open_paths)
        self._hosts = frozenset(f"{name}:{port}" for name in NAMES)
        self._hosts |= frozenset(NAMES) if port == 80 else frozenset()  # browsers leave out the default port

    def refuses(self, head: Head) -> Refusal | None:
        """Return the response to a request that is not answered; None to answer it."""
        if (head.host or "").lower() not in self._hosts:
            return _WRONG_HOST
        if any(not self._is_own(origin) for origin in head.origins):
            return _FOREIGN_PAGE
        return None if head.path in self._open or self._has_token(head) else _NO_TOKEN

    def _is_own(self, origin: str) -> bool:
        scheme, _, host = origin.lower().partition("://")
        return scheme == "http" and host in self._hosts

    def _has_token(self, head: Head) -> bool:
        if len(head.authorizations) != 1:
            return False
        kind, _, secret = head.authorizations[0].partition(" ")
        return kind.lower() == "bearer" and compare_digest(secret.strip().encode(), self._token)


class Guard:
    """Middleware that passes only the requests that an access rule admits."""

    def __init__(self, inner: ASGIApp, access: Access) -> None:
        self._inner = inner
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None
        if scope["type"] != "lifespan":
            head = head_of(scope["path"], scope["headers"])
            refusal = self._access.refuses(head)
            scope["admitted"] = lambda: (
                self._access.refuses(head) is None
            )  # a stream asks again while it is open
        if refusal is None:
            await self._inner(scope, receive, send)
            return
        answer = Response(refusal.text, refusal.status, headers=dict(refusal.headers), media_type=MEDIA_TYPE)
        await answer(scope, receive, send)

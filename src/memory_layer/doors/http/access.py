"""Authorise HTTP requests: one function for REST, MCP and the page, which decides by a request's head alone."""

from __future__ import annotations

from collections.abc import Iterable
from hmac import compare_digest
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote

from memory_layer.doors.http.grant import BROWSER, NOBODY, Grant
from memory_layer.doors.http.pace import FAILED, LINKS, Pace
from memory_layer.doors.http.problem import problem_text
from memory_layer.errors import MemoryLayerError
from memory_layer.model.access import BrowserSession, Role
from memory_layer.model.passkeys import SITE, Means
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.doors.http.logins import Logins

LOOPBACK = "127.0.0.1"
NAMES = (SITE, LOOPBACK, "[::1]")  #: of this machine; the first is shown to people
CONFIRMATION = "Memory-Confirmation"
LINK = "t"  #: the parameter of a one-time link
READING = ("GET", "HEAD")
_OWN_SITE = ("same-origin", "none")
MCP = "/mcp"
PROGRAMS = ("/api", MCP)


class Head(NamedTuple):
    """The parts of a request that decide whether it is answered."""

    path: str
    method: str = "GET"
    query: str = ""
    host: str | None = None
    origins: tuple[str, ...] = ()
    authorizations: tuple[str, ...] = ()
    cookies: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()  #: where the browser says that the request comes from
    types: tuple[str, ...] = ()  #: of the body
    confirmations: tuple[str, ...] = ()  #: proof that a person has confirmed in this browser
    has_body: bool = False

    @property
    def link(self) -> str | None:
        """Return the secret of a one-time link; None without one."""
        if self.method != "GET" or is_for_programs(self.path):
            return None
        return next((value for name, value in parse_qsl(self.query) if name == LINK), None)


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


Decided = tuple[str, Refusal | Grant]  #: with the caller's key, by which its requests are counted
_NO_TOKEN = Refusal(
    401,
    "unauthorized",
    "send `Authorization: Bearer` with the token from this server's token file",
    "Nothing was changed. Call again with the token, or open the link that `mem serve` printed.",
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
_NOT_JSON = Refusal(
    415,
    "not_json",
    "a browser session sends its changes as JSON",
    "Nothing was changed. Send it with `Content-Type: application/json`.",
)


def unavailable(error: MemoryLayerError) -> Refusal:
    """Return the response while nobody can be recognised, because the store cannot be used."""
    return Refusal(503, error.code, str(error), "Nothing was changed. `mem doctor` says what is wrong.")


def head_of(method: str, path: str, query: str, headers: Iterable[tuple[bytes, bytes]]) -> Head:
    """Read the parts of a request that decide about it; `headers` have names in lower case."""
    values: dict[bytes, list[str]] = {}
    for name, value in headers:
        values.setdefault(name, []).append(value.decode("latin-1"))

    def given(name: bytes) -> tuple[str, ...]:
        return tuple(values.get(name, ()))

    hosts = given(b"host")
    return Head(
        path,
        method,
        query,
        hosts[0] if len(hosts) == 1 else None,
        given(b"origin"),
        given(b"authorization"),
        given(b"cookie"),
        given(b"sec-fetch-site"),
        given(b"content-type"),
        given(CONFIRMATION.lower().encode()),
        b"transfer-encoding" in values or given(b"content-length") not in ((), ("0",)),
    )


def head_of_target(method: str, target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> Head:
    """Read the head of a request whose target is still in one piece."""
    path, _, query = target.partition(b"?")
    return head_of(method, unquote(path.decode("latin-1")), query.decode("latin-1"), headers)


def is_for_programs(path: str, places: Iterable[str] = PROGRAMS) -> bool:
    """Is this a path of REST or MCP, which never is a part of the page?"""
    return any(path == each or path.startswith(f"{each}/") for each in places)


class Access:
    """The rule of a server: this machine's names, no foreign page, and a token or session but for open paths."""

    def __init__(
        self,
        token: str | None,
        port: int,
        open_paths: Iterable[str] = (),
        open_prefixes: Iterable[str] = (),
        logins: Logins | None = None,
        *,
        hosts: Iterable[str] = NAMES,
        browsers: bool = True,
        pace: Pace | None = None,
    ) -> None:
        self._token = token.encode() if token is not None else None  #: of the file; None: it opens nothing
        self._open = frozenset(open_paths)
        self._open_prefixes = tuple(open_prefixes)
        self._logins = logins
        self.logins = logins if browsers else None  #: where browsers may log in
        self._pace = pace or Pace()
        names = frozenset(map(str.lower, hosts))
        self._hosts = frozenset(f"{name}:{port}" for name in names)
        self._hosts |= names if port == 80 else frozenset()  # browsers leave out the default port

    def decide(self, head: Head) -> Refusal | Grant:
        """Return what a request may do, or the response to one that is not answered."""
        if (head.host or "").lower() not in self._hosts:
            return _WRONG_HOST
        if any(not self._is_own(origin) for origin in head.origins):
            return _FOREIGN_PAGE
        if self.logins is not None and head.link is not None:
            seconds = self._pace.wait(LINKS)
            return _too_many(seconds) if seconds else NOBODY
        if self._is_open(head):
            return NOBODY
        if any(site.lower() not in _OWN_SITE for site in head.sites):
            return _FOREIGN_PAGE
        try:
            key, decided = self._recognised(head)
        except MemoryLayerError as error:
            return unavailable(error)
        if seconds := self._pace.wait(key):
            return _too_many(seconds)
        return decided

    def still_admits(self, head: Head) -> bool:
        """Would a request that was admitted, and is still being answered, be admitted now?"""
        try:
            return isinstance(self._recognised(head)[1], Grant)
        except MemoryLayerError:
            return False

    def session_of(self, head: Head) -> BrowserSession | None:
        """Return the session of the browser that sent a request; None without one."""
        if self.logins is None or head.path.startswith(MCP):
            return None
        pairs = (pair.strip().partition("=") for line in head.cookies for pair in line.split(";"))
        secrets = [value for name, _, value in pairs if name == self.logins.cookie]
        return self.logins.session_of(secrets[0]) if len(secrets) == 1 else None

    def _is_open(self, head: Head) -> bool:
        is_static = not is_for_programs(head.path) and head.path.startswith(self._open_prefixes)
        return head.method in READING and (head.path in self._open or is_static)

    def _is_own(self, origin: str) -> bool:
        scheme, _, host = origin.lower().partition("://")
        return scheme == "http" and host in self._hosts

    def _recognised(self, head: Head) -> Decided:
        return self._of_token(head) if head.authorizations else self._of_browser(head)

    def _of_token(self, head: Head) -> Decided:
        """Admit a program that has the file token or one of `mem token`."""
        if len(head.authorizations) != 1:
            return FAILED, _NO_TOKEN
        kind, _, secret = head.authorizations[0].partition(" ")
        secret = secret.strip()
        if kind.lower() != "bearer" or not secret:
            return FAILED, _NO_TOKEN
        if self._token is not None and compare_digest(secret.encode(), self._token):
            return "file", Grant(Role.ADMIN)
        token = self._logins.token_of(secret) if self._logins else None
        if token is None:
            return FAILED, _NO_TOKEN
        means = Means.TOKEN if token.person is not None and not head.path.startswith(MCP) else None
        return token.id, Grant(token.role, token.person if means else token.name, means=means)

    def _of_browser(self, head: Head) -> Decided:
        """Admit a request with a cookie, which other sites can make a browser send: a change needs more."""
        session = self.session_of(head)
        if session is None or self.logins is None:
            return FAILED, _NO_TOKEN
        key = session.hash.hex()
        if head.method not in READING:
            if [each.lower() for each in head.origins] != [f"http://{head.host}".lower()]:
                return key, _FOREIGN_PAGE
            if (head.has_body or head.types) and not _is_json(head.types):
                return key, _NOT_JSON
        until = None
        if len(head.confirmations) == 1:
            until = self.logins.confirmed_until(session, head.confirmations[0])
        if until is None:
            return key, Grant(Role.ADMIN, BROWSER, session)
        return key, Grant(Role.ADMIN, None, session, Means.PASSPHRASE, until)


def _too_many(seconds: int) -> Refusal:
    return Refusal(
        429,
        "too_many_requests",
        "this caller sends more requests than the server takes",
        "Nothing was changed. It is safe to send it again after the seconds in `Retry-After`.",
        (("Retry-After", str(seconds)),),
    )


def _is_json(types: tuple[str, ...]) -> bool:
    return len(types) == 1 and types[0].partition(";")[0].strip().lower() == "application/json"

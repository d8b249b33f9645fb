"""Authorise HTTP requests: one function for REST, MCP and the page, which decides by a request's head alone."""

from __future__ import annotations

from collections.abc import Iterable
from hmac import compare_digest
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote

from memory_layer.doors.http.grant import BROWSER, NOBODY, Grant
from memory_layer.doors.http.pace import FAILED, LINKS, Pace
from memory_layer.doors.http.refusals import (
    BAD_TARGET,
    FOREIGN_PAGE,
    NO_TOKEN,
    NOT_JSON,
    WRONG_HOST,
    Refusal,
    too_many,
    unavailable,
)
from memory_layer.errors import MemoryLayerError
from memory_layer.model.access import BrowserSession, Role
from memory_layer.model.passkeys import SITE, Means
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.doors.http.logins import Logins

LOOPBACK = "127.0.0.1"
NAMES = (SITE, LOOPBACK, "[::1]")  #: of this machine; the first is shown to people
CONFIRMATION = "Memory-Confirmation"
MOST_COOKIES = 4  #: of the server's name that are looked at
LINK = "t"  #: the parameter of a one-time link
READING = ("GET", "HEAD")
_OWN_SITE = ("same-origin", "none")
_VIEW = ("document",)  #: what somebody opens; other pages ask for images and the like without being noticed
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
    destinations: tuple[str, ...] = ()  #: what the browser wants it for
    types: tuple[str, ...] = ()  #: of the body
    confirmations: tuple[str, ...] = ()  #: proof that a person has confirmed in this browser
    has_body: bool = False

    @property
    def link(self) -> str | None:
        """Return the secret of a one-time link; None without one."""
        if self.method != "GET" or is_for_programs(self.path):
            return None
        return next((value for name, value in parse_qsl(self.query) if name == LINK), None)


Decided = tuple[str, Refusal | Grant]  #: with the caller's key, by which its requests are counted


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
        given(b"sec-fetch-dest"),
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
        if not head.path.startswith("/"):
            return BAD_TARGET
        if (head.host or "").lower() not in self._hosts:
            return WRONG_HOST
        if any(not self._is_own(origin) for origin in head.origins):
            return FOREIGN_PAGE
        is_foreign = any(site.lower() not in _OWN_SITE for site in head.sites)
        if self.logins is not None and head.link is not None:
            if is_foreign and head.destinations != _VIEW:
                return FOREIGN_PAGE
            seconds = self._pace.wait(LINKS)
            return too_many(seconds) if seconds else NOBODY
        if self._is_open(head):
            return NOBODY
        if is_foreign:
            return FOREIGN_PAGE
        try:
            key, decided = self._recognised(head)
        except MemoryLayerError as error:
            return unavailable(error)
        if seconds := self._pace.wait(key):
            return too_many(seconds)
        return decided

    def decide_again(self, head: Head) -> Refusal | Grant:
        """Return what a request that was admitted a while ago may do now."""
        try:
            return self._recognised(head)[1]
        except MemoryLayerError as error:
            return unavailable(error)

    def session_of(self, head: Head) -> BrowserSession | None:
        """Return the session of the browser that sent a request; None without one, or if there are several.

        Pages of other ports can set cookies of this name too; the server's own is sent after those of longer paths.
        """
        if self.logins is None or head.path.startswith(MCP):
            return None
        pairs = (pair.strip().partition("=") for line in head.cookies for pair in line.split(";"))
        secrets = dict.fromkeys(value for name, _, value in pairs if name == self.logins.cookie)
        found = [self.logins.session_of(each) for each in list(secrets)[-MOST_COOKIES:]]
        sessions = [each for each in found if each is not None]
        return sessions[0] if len(sessions) == 1 else None

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
            return FAILED, NO_TOKEN
        kind, _, secret = head.authorizations[0].partition(" ")
        secret = secret.strip()
        if kind.lower() != "bearer" or not secret:
            return FAILED, NO_TOKEN
        if self._token is not None and compare_digest(secret.encode(), self._token):
            return "file", Grant(Role.ADMIN)
        token = self._logins.token_of(secret) if self._logins else None
        if token is None:
            return FAILED, NO_TOKEN
        means = Means.TOKEN if token.person is not None and not head.path.startswith(MCP) else None
        return token.id, Grant(token.role, token.person if means else token.name, means=means)

    def _of_browser(self, head: Head) -> Decided:
        """Admit a request with a cookie, which other sites can make a browser send: a change needs more."""
        session = self.session_of(head)
        if session is None or self.logins is None:
            return FAILED, NO_TOKEN
        key = session.hash.hex()
        if head.method not in READING:
            if [each.lower() for each in head.origins] != [f"http://{head.host}".lower()]:
                return key, FOREIGN_PAGE
            if (head.has_body or head.types) and not _is_json(head.types):
                return key, NOT_JSON
        until = None
        if len(head.confirmations) == 1:
            until = self.logins.confirmed_until(session, head.confirmations[0])
        if until is None:
            return key, Grant(Role.ADMIN, BROWSER, session)
        return key, Grant(Role.ADMIN, None, session, Means.PASSPHRASE, until)


def _is_json(types: tuple[str, ...]) -> bool:
    return len(types) == 1 and types[0].partition(";")[0].strip().lower() == "application/json"

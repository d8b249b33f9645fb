"""The browser sessions of one server, kept in the store, so that they survive a restart."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from memory_layer.model.access import LINK_HOLDS, SESSION_HOLDS, BrowserSession
from memory_layer.model.record import NamedTuple
from memory_layer.usecases.who import browser
from memory_layer.wiring import new_id

if TYPE_CHECKING:
    from memory_layer.doors.shared_engine import SharedEngine

LONGEST_SECRET = 200  #: characters of a link or cookie that are looked at


class FirstLink(NamedTuple):
    """The link that a server printed at its start."""

    hash: bytes
    expires_at: float  #: of the process's clock


class Logins:
    """The links and cookies of the server on a port."""

    def __init__(self, store: SharedEngine, port: int) -> None:
        self._store = store
        self.port = port
        self._first: FirstLink | None = None
        self._guard = threading.Lock()

    @property
    def cookie(self) -> str:
        """Return the name of the cookie: browsers send cookies to every port of a host."""
        return f"memory_layer_{self.port}"

    def first_link(self) -> str:
        """Return the secret of the link that a server prints at its start, which writes nothing to the store."""
        secret = new_id("link")
        self._first = FirstLink(browser.hash_of(secret), time.monotonic() + LINK_HOLDS.total_seconds())
        return secret

    def new_link(self) -> str:
        """Return the secret of a new one-time link."""
        with self._store.engine() as engine:
            return browser.new_link(engine, self.port)

    def log_in(self, link: str) -> str | None:
        """Use up a link; return the secret for the cookie, None if the link is not valid."""
        if len(link) > LONGEST_SECRET:
            return None
        is_first = self._take_first(link)
        with self._store.engine() as engine:
            return (
                browser.new_session(engine, self.port)
                if is_first
                else browser.log_in(engine, link, self.port)
            )

    def _take_first(self, link: str) -> bool:
        """Use up the link of the start; False if this is another one."""
        with self._guard:
            first = self._first
            if first is None or first.hash != browser.hash_of(link):
                return False
            self._first = None
            return time.monotonic() < first.expires_at

    def session_of(self, secret: str) -> BrowserSession | None:
        """Return the session of a cookie; None if it has ended."""
        if len(secret) > LONGEST_SECRET:
            return None
        with self._store.engine() as engine:
            return browser.session_of(engine, secret, self.port)

    def log_out(self, session: BrowserSession) -> None:
        """End a session."""
        with self._store.engine() as engine:
            browser.log_out(engine, session)

    def set_cookie(self, secret: str) -> str:
        """Return the header that gives a browser its cookie."""
        return self._header(secret, int(SESSION_HOLDS.total_seconds()))

    def clear_cookie(self) -> str:
        """Return the header that takes the cookie from a browser."""
        return self._header("", 0)

    def _header(self, value: str, seconds: int) -> str:
        return f"{self.cookie}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict"

"""The browser sessions of one server, kept in the store, so that they survive a restart."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.model.access import (
    CONFIRMATION_HOLDS,
    LINK_HOLDS,
    SESSION_HOLDS,
    AccessToken,
    BrowserSession,
    Entered,
)
from memory_layer.model.record import NamedTuple
from memory_layer.usecases.who import browser
from memory_layer.verbs.access import ENTER_PASSPHRASE
from memory_layer.verbs.call import Caller, Dispatcher
from memory_layer.wiring import new_id

if TYPE_CHECKING:
    from memory_layer.doors.shared_engine import SharedEngine

LONGEST_SECRET = 200  #: characters of a link or cookie that are looked at


class FirstLink(NamedTuple):
    """The link that a server printed at its start."""

    hash: bytes
    expires_at: float  #: of the process's clock


class Confirmation(NamedTuple):
    """A person's confirmation within one browser session."""

    proof: bytes  #: hash of the secret that the page sends; other servers of this machine get the cookie too
    ends: float  #: by the process's clock
    until: datetime


class Logins:
    """The links, cookies, confirmations and tokens of the server on a port."""

    def __init__(self, store: SharedEngine, port: int) -> None:
        self._store = store
        self.port = port
        self._first: FirstLink | None = None
        self._confirmed: dict[bytes, Confirmation] = {}  #: by the hashes of sessions; a restart ends them all
        self._guard = threading.Lock()
        self._entering = threading.Lock()

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

    def token_of(self, secret: str) -> AccessToken | None:
        """Return a token by its secret, looked up for each request, so that revoking counts at once."""
        if len(secret) > LONGEST_SECRET:
            return None
        with self._store.engine() as engine:
            return browser.token_of(engine, secret)

    def has_valid_token(self) -> bool:
        """Is there a token that opens anything now?"""
        with self._store.engine() as engine:
            return browser.has_valid_token(engine)

    def enter_passphrase(self, passphrase: str) -> Entered:
        """Check a passphrase, one at a time, since each takes memory; tries count for the store."""
        with self._entering, self._store.engine() as engine:
            caller = Caller("rest", Path("/"))
            return Dispatcher(engine, caller).run(ENTER_PASSPHRASE, {"passphrase": passphrase})

    def confirm(self, session: BrowserSession) -> tuple[str, datetime]:
        """Let a browser session count as the person's; return the proof for the page, and until when."""
        proof = new_id("con")
        until = datetime.now(UTC) + CONFIRMATION_HOLDS
        ends = time.monotonic() + CONFIRMATION_HOLDS.total_seconds()
        with self._guard:
            known = {key: each for key, each in self._confirmed.items() if each.ends > time.monotonic()}
            self._confirmed = known | {session.hash: Confirmation(browser.hash_of(proof), ends, until)}
        return proof, until

    def confirmed_until(self, session: BrowserSession, proof: str) -> datetime | None:
        """Return until when a session counts as the person's; None without a valid proof."""
        found = self._confirmed.get(session.hash)
        if found is None or found.ends <= time.monotonic() or len(proof) > LONGEST_SECRET:
            return None
        return found.until if compare_digest(found.proof, browser.hash_of(proof)) else None

    def withdraw(self, session: BrowserSession) -> None:
        """End the confirmation of a session."""
        with self._guard:
            self._confirmed.pop(session.hash, None)

    def log_out(self, session: BrowserSession) -> None:
        """End a session."""
        self.withdraw(session)
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

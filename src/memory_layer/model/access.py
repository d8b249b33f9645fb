"""Who may call over HTTP: roles, tokens and the sessions of browsers."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from memory_layer.model.record import NamedTuple

LINK_HOLDS = timedelta(minutes=10)
SESSION_HOLDS = timedelta(days=30)
CONFIRMATION_HOLDS = timedelta(minutes=15)


class Role(StrEnum):
    """The rights of a caller over HTTP; each role has those of the ones before it."""

    READER = "reader"  #: reads, and its reads count as no use
    WRITER = "writer"  #: does what an agent may
    ADMIN = "admin"  #: also upkeep, exports, settings and the audit log

    def covers(self, needed: Role) -> bool:
        """Does this role have the rights of another one?"""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(needed)


class BrowserSession(NamedTuple):
    """A browser that came by a one-time link, known by the hash of its cookie."""

    hash: bytes
    port: int  #: of the server that it belongs to
    created_at: datetime
    expires_at: datetime


class AccessToken(NamedTuple):
    """A token for programs; its secret is shown once and stored as a hash."""

    id: str
    name: str
    role: Role
    person: str | None  #: whom a personal token speaks for; None: an agent's token
    made_by: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None

    def is_valid(self, now: datetime) -> bool:
        """Does the token open anything now?"""
        return self.revoked_at is None and now < self.expires_at


class MadeToken(NamedTuple):
    """A new token, with the only copy of its secret."""

    token: AccessToken
    secret: str


class Passphrase(NamedTuple):
    """The stored form of the passphrase, and the tries that were wrong."""

    salt: bytes
    hash: bytes
    set_at: datetime
    failures: int = 0  #: since the last right one
    locked_until: datetime | None = None


class Entered(NamedTuple):
    """The result of entering a passphrase."""

    right: bool
    wait_seconds: int = 0  #: until the next try counts

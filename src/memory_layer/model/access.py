"""Who may call over HTTP: roles, tokens and the sessions of browsers."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from memory_layer.model.record import NamedTuple

LINK_HOLDS = timedelta(minutes=10)
SESSION_HOLDS = timedelta(days=30)


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

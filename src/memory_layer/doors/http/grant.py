"""Grants: whose an admitted request is, and what it may do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from memory_layer.model.access import BrowserSession, Role
from memory_layer.model.passkeys import Means
from memory_layer.model.record import NamedTuple

BROWSER = "browser"  #: the writer's name for what is done on the page


class Grant(NamedTuple):
    """The rights of one request; without a role only what is open to everybody."""

    role: Role | None = None
    name: str | None = None  #: of the caller, unless it gives itself another
    session: BrowserSession | None = None  #: of a browser
    means: Means | None = None  #: by which a person is recognised; None: an agent
    confirmed_until: datetime | None = None  #: a browser, by the passphrase

    def covers(self, needed: Role) -> bool:
        """May this request do what needs a role?"""
        return self.role is not None and self.role.covers(needed)


NOBODY = Grant()
KEY = "memory_layer.grant"  #: in the state of a request


def grant_in(scope: Mapping[str, Any]) -> Grant:
    """Return the grant that was decided for a request; nothing is granted to a request that nobody judged."""
    found = scope.get("state", {}).get(KEY)
    return found if isinstance(found, Grant) else NOBODY

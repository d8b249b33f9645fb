"""Read and write who may call over HTTP."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.access import BrowserSession
from memory_layer.store.rows import moment, to_micros

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections


class SqliteAccess:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def put_link(self, hashed: bytes, port: int, expires_at: datetime) -> None:
        """Store a one-time link."""
        self._connection.run(
            "insert into browser_link (hash, port, expires_at) values (?, ?, ?)",
            [hashed, port, to_micros(expires_at)],
        )

    def take_link(self, hashed: bytes, port: int, now: datetime) -> bool:
        """Delete a link; return whether it was there, for this port, and had not expired."""
        given = [hashed, port, to_micros(now)]
        found = self._connection.row(
            "select 1 from browser_link where hash = ? and port = ? and expires_at > ?", given
        )
        if found is not None:
            self._connection.run("delete from browser_link where hash = ?", [hashed])
        return found is not None

    def put_session(self, session: BrowserSession) -> None:
        """Store the session of a browser."""
        self._connection.run(
            "insert into browser_session (hash, port, created_at, expires_at) values (?, ?, ?, ?)",
            [session.hash, session.port, to_micros(session.created_at), to_micros(session.expires_at)],
        )

    def session(self, hashed: bytes) -> BrowserSession | None:
        """Return the session of a browser; None if there is none."""
        row = self._connection.row("select * from browser_session where hash = ?", [hashed])
        return _session(row) if row else None

    def drop_session(self, hashed: bytes) -> None:
        """Delete the session of a browser."""
        self._connection.run("delete from browser_session where hash = ?", [hashed])

    def drop_expired(self, now: datetime) -> None:
        """Delete the links and sessions that have expired."""
        at = to_micros(now)
        self._connection.run("delete from browser_link where expires_at <= ?", [at])
        self._connection.run("delete from browser_session where expires_at <= ?", [at])


def _session(row: sqlite3.Row) -> BrowserSession:
    return BrowserSession(row["hash"], row["port"], moment(row["created_at"]), moment(row["expires_at"]))

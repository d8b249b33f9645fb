"""Read and write who may call over HTTP."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.access import AccessToken, BrowserSession, Passphrase, Role
from memory_layer.store.rows import from_micros, moment, to_micros

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

    def put_token(self, token: AccessToken, hashed: bytes) -> None:
        """Store a new token by the hash of its secret."""
        self._connection.run(
            "insert into access_token (id, name, role, person, hash, made_by, created_at, expires_at)"
            " values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(token.id, token.name, token.role.value, token.person, hashed, token.made_by),
                *(to_micros(token.created_at), to_micros(token.expires_at)),
            ],
        )

    def token(self, hashed: bytes) -> AccessToken | None:
        """Return the token with this hash; None if there is none."""
        row = self._connection.row("select * from access_token where hash = ?", [hashed])
        return _token(row) if row else None

    def tokens(self) -> list[tuple[AccessToken, bytes]]:
        """Return all tokens with their hashes, oldest first."""
        found = self._connection.rows("select * from access_token order by created_at, id")
        return [(_token(row), row["hash"]) for row in found]

    def revoke_token(self, token_id: str, at: datetime) -> None:
        """Mark a token as revoked."""
        self._connection.run("update access_token set revoked_at = ? where id = ?", [to_micros(at), token_id])

    def passphrase(self) -> Passphrase | None:
        """Return the passphrase as it is stored; None if none was set."""
        row = self._connection.row("select * from passphrase")
        if row is None:
            return None
        locked_until = from_micros(row["locked_until"] or None)
        return Passphrase(row["salt"], row["hash"], moment(row["set_at"]), row["failures"], locked_until)

    def put_passphrase(self, passphrase: Passphrase) -> None:
        """Store the passphrase and its tries, instead of what was stored before."""
        locked_until = to_micros(passphrase.locked_until) or 0
        self._connection.run(
            "insert or replace into passphrase (row, salt, hash, set_at, failures, locked_until)"
            " values (1, ?, ?, ?, ?, ?)",
            [
                passphrase.salt,
                passphrase.hash,
                to_micros(passphrase.set_at),
                passphrase.failures,
                locked_until,
            ],
        )

    def drop_expired(self, now: datetime) -> None:
        """Delete the links and sessions that have expired."""
        at = to_micros(now)
        self._connection.run("delete from browser_link where expires_at <= ?", [at])
        self._connection.run("delete from browser_session where expires_at <= ?", [at])


def _session(row: sqlite3.Row) -> BrowserSession:
    return BrowserSession(row["hash"], row["port"], moment(row["created_at"]), moment(row["expires_at"]))


def _token(row: sqlite3.Row) -> AccessToken:
    return AccessToken(
        id=row["id"],
        name=row["name"],
        role=Role(row["role"]),
        person=row["person"],
        made_by=row["made_by"],
        created_at=moment(row["created_at"]),
        expires_at=moment(row["expires_at"]),
        revoked_at=from_micros(row["revoked_at"]),
    )

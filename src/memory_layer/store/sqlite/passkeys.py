"""Read and write registered passkeys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.model.passkeys import Passkey
from memory_layer.store.rows import from_micros, moment, to_micros

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.store.sqlite.connection import Connections

_FIELDS = ", ".join(Passkey._fields)


class SqlitePasskeys:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def all(self) -> list[Passkey]:
        """Return all passkeys, in the order of their registration."""
        found = self._connection.rows(f"select {_FIELDS} from passkey order by row")
        return [
            Passkey._make(row)._replace(
                created_at=moment(row["created_at"]), last_used_at=from_micros(row["last_used_at"])
            )
            for row in found
        ]

    def put(self, passkey: Passkey) -> None:
        """Insert a passkey."""
        values = passkey._replace(
            created_at=to_micros(passkey.created_at),  # type: ignore[arg-type]
            last_used_at=to_micros(passkey.last_used_at),  # type: ignore[arg-type]
        )
        marks = ", ".join("?" for _ in Passkey._fields)
        self._connection.run(f"insert into passkey ({_FIELDS}) values ({marks})", values)

    def drop(self, passkey_id: str) -> None:
        """Delete a passkey."""
        self._connection.run("delete from passkey where id = ?", [passkey_id])

    def used(self, passkey_id: str, counter: int, at: datetime) -> None:
        """Count a signature."""
        self._connection.run(
            "update passkey set counter = ?, last_used_at = ?, uses = uses + 1 where id = ?",
            [counter, to_micros(at), passkey_id],
        )

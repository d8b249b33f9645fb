"""The audit chain: every entry's hash covers the one before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memory_layer.model.memory import Change
from memory_layer.ports import Edit
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.connection import Connections

START = bytes(32)


def chained(previous: bytes, entry: list[object]) -> bytes:
    """The hash of an entry that follows `previous`."""
    from hashlib import sha256  # only writes need it, and a search should not wait for it

    plain = [value.hex() if isinstance(value, bytes) else value for value in entry]
    return sha256(previous + to_json(plain).encode()).digest()


class Audit(Connections):
    def _append(
        self,
        edit: Edit,
        memory_id: str | None,
        before: bytes | None,
        after: bytes | None,
        payload: Mapping[str, object] | None,
    ) -> None:
        """Add one entry and move the head, inside the caller's transaction."""
        count, head = self._head()
        entry: list[Any] = [
            count + 1,
            to_micros(edit.at),
            edit.operation,
            edit.action,
            memory_id,
            edit.writer.name,
            edit.writer.door,
            before,
            after,
        ]
        entry_hash = chained(head, entry)
        self._run(
            "insert into audit (number, at, operation, action, memory, writer, door, before, after, hash)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [*entry, entry_hash],
        )
        if payload is not None:
            self._run(
                "insert into audit_payload (number, payload) values (?, ?)", [count + 1, to_json(payload)]
            )
        self._move_head(count + 1, entry_hash)

    def _move_head(self, count: int, head: bytes) -> None:
        self._run(
            "insert into meta (key, value) values ('audit_head', ?)"
            " on conflict (key) do update set value = excluded.value",
            [f"{count}:{head.hex()}"],
        )

    def _head(self) -> tuple[int, bytes]:
        row = self._row("select value from meta where key = 'audit_head'")
        if row is None:
            return 0, START
        count, _, head = row["value"].partition(":")
        return int(count), bytes.fromhex(head)

    def audit_head(self) -> tuple[int, str]:
        """How many entries the chain has, and its last hash."""
        count, head = self._head()
        return count, head.hex()

    def changes(self, memory_id: str | None = None) -> Iterator[Change]:
        """The chain's entries in order; those of one memory if named."""
        rows = self._rows("select * from audit where ?1 is null or memory = ?1 order by number", [memory_id])
        for row in rows:
            yield Change(
                number=row["number"],
                at=moment(row["at"]),
                operation=row["operation"],
                action=row["action"],
                memory=row["memory"],
                writer=row["writer"],
                door=row["door"],
                before=row["before"].hex() if row["before"] else None,
                after=row["after"].hex() if row["after"] else None,
                hash=row["hash"].hex(),
            )

    def first_broken_entry(self) -> int | None:
        """The number of the first entry that does not follow from the one before; None if all hold."""
        previous, expected = START, 1
        for row in self._rows("select * from audit order by number"):
            entry = [row[name] for name in row.keys() if name != "hash"]  # noqa: SIM118 - a Row yields values
            if row["number"] != expected or chained(previous, entry) != row["hash"]:
                return expected
            previous, expected = row["hash"], expected + 1
        return None if self._head() == (expected - 1, previous) else expected

"""Entries of the audit chain: how they are hashed, written and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.model.memory import Change
from memory_layer.model.record import NamedTuple
from memory_layer.store.rows import moment, to_json

if TYPE_CHECKING:
    from memory_layer.store.rows import Row

START = bytes(32)
INSERT_ENTRY = (
    "insert into audit (number, at, operation, action, memory, writer, door, before, after, hash)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_PAYLOAD = "insert into audit_payload (number, payload) values (?, ?)"


class Entry(NamedTuple):
    """What one entry says: the memory if it is about one, the digests around it, and what is kept with it as JSON."""

    memory: str | None
    after: bytes | None
    before: bytes | None = None
    payload: str | None = None


def chained(previous: bytes, entry: list[object]) -> bytes:
    """The hash of an entry that follows `previous`."""
    from hashlib import sha256  # only writes need it, and a search should not wait for it

    return sha256(previous + to_json(entry).encode()).digest()


def digest_of(told: str) -> bytes:
    from hashlib import sha256  # only writes need it, and a search should not wait for it

    return sha256(told.encode()).digest()


#: What a chain is read by: its entries in order, and what is kept of its end.
CHAIN = "select * from audit order by number"
HEAD = "select value from meta where key = 'audit_head'"


def head_from(kept: str | None) -> tuple[int, bytes]:
    """How many entries a chain has, and its last hash."""
    if kept is None:
        return 0, START
    count, _, head = kept.partition(":")
    return int(count), bytes.fromhex(head)


def change_from(row: Row) -> Change:
    """An entry from its columns."""
    return Change(
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

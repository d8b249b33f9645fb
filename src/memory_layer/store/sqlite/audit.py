"""Entries of the audit chain: how they are hashed, written and read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memory_layer.model.memory import Change
from memory_layer.model.record import NamedTuple
from memory_layer.store.rows import moment, to_json, to_micros

if TYPE_CHECKING:
    from memory_layer.ports import Edit
    from memory_layer.store.rows import Row
    from memory_layer.store.sqlite.connection import Connections

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


def append(connection: Connections, edit: Edit, entries: Iterable[Entry]) -> None:
    """Add the entries of one operation and move the head once."""
    from hashlib import sha256  # only writes need it, and a search should not wait for it

    count, last = head(connection)
    made: list[tuple[Any, ...]] = []
    kept: list[tuple[int, str]] = []
    at, operation, action, writer, door = of_edit = _of(edit)
    done, doer = to_json(of_edit[:3])[1:-1], to_json(of_edit[3:])[1:-1]
    for each in entries:
        count += 1
        # What `chained` covers, put together from what is the same in every entry of an operation.
        spelled = f"[{count},{done},{to_json(each.memory)},{doer},{_hex(each.before)},{_hex(each.after)}]"
        last = sha256(last + spelled.encode()).digest()
        made.append((count, at, operation, action, each.memory, writer, door, each.before, each.after, last))
        if each.payload is not None:
            kept.append((count, each.payload))
    if made:
        connection.run_many(INSERT_ENTRY, made)
        if kept:
            connection.run_many(INSERT_PAYLOAD, kept)
        move_head(connection, count, last)


def move_head(connection: Connections, count: int, head: bytes) -> None:
    connection.run(
        "insert into meta (key, value) values ('audit_head', ?)"
        " on conflict (key) do update set value = excluded.value",
        [f"{count}:{head.hex()}"],
    )


def note(connection: Connections, edit: Edit, told: Mapping[str, object]) -> None:
    """Add an entry for a change that makes no version; its digest is that of what it tells."""
    if edit.writer.is_person:
        told = {**told, "writer_kind": edit.writer.kind.value}
    spelled = to_json(told)
    append(connection, edit, [Entry(None, digest_of(spelled), payload=spelled)])


def head(connection: Connections) -> tuple[int, bytes]:
    row = connection.row(HEAD)
    return head_from(row["value"] if row else None)


def _of(edit: Edit) -> tuple[int | None, str, str, str, str]:
    """What every entry of an operation says: when and what was done, and by whom."""
    return to_micros(edit.at), edit.operation, edit.action, edit.writer.name, edit.writer.door


def _hex(digest: bytes | None) -> str:
    return "null" if digest is None else f'"{digest.hex()}"'

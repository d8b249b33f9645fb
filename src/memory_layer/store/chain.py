"""Hash and read back the audit chain and the chains of sessions, as values without SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.errors import StoreDamaged
from memory_layer.model.memory import Change
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason
from memory_layer.ports.store import AuditEntry, EpisodeEntry
from memory_layer.store import rows
from memory_layer.store.rows import moment, to_json, to_micros

if TYPE_CHECKING:
    from memory_layer.model.export import ExportRecord
    from memory_layer.model.history import KeptVersion
    from memory_layer.model.memory import Memory, Writer
    from memory_layer.ports import Edit
    from memory_layer.ports.store import Head


START = bytes(32)
#: The actions of entries that say by which means a person confirmed an operation, and which passkeys exist.
CONFIRM, ADD_PASSKEY, REMOVE_PASSKEY = PROOFS = "confirm", "add passkey", "remove passkey"
#: The actions of entries about who may call over HTTP.
MAKE_TOKEN, REVOKE_TOKEN, SET_PASSPHRASE = ACCESS = "make token", "revoke token", "set passphrase"
LASTING = (*PROOFS, *ACCESS)  #: nobody can undo these

Columns = Mapping[str, Any]  #: the columns of a record, by name

#: The columns of an event; archiving, approval and usage are not part of what happened.
EVENT = ("id", "content", "category", "tags", "metadata", "writer", "session", "position", "created_at")


_in_order = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Body(NamedTuple):
    """The content of an entry to be written: its memory, the digests before and after, and its payload as JSON."""

    memory: str | None
    after: bytes | None
    before: bytes | None = None
    payload: str | None = None


def chained(previous: bytes, entry: Sequence[object]) -> bytes:
    """Return the hash of an entry that follows `previous`."""
    from hashlib import sha256  # only needed by writes; keeps searches fast to start

    return sha256(previous + to_json(entry).encode()).digest()


def digest_of(text: str) -> bytes:
    """Return the SHA-256 of a text."""
    from hashlib import sha256  # only needed by writes; keeps searches fast to start

    return sha256(text.encode()).digest()


def head_from(text: str | None) -> Head:
    """Parse the stored head of a chain."""
    if text is None:
        return 0, START
    count, _, head = text.partition(":")
    return int(count), bytes.fromhex(head)


def head_text(head: Head) -> str:
    """Format the head of a chain for storage."""
    count, last = head
    return f"{count}:{last.hex()}"


def linked(head: Head, edit: Edit, bodies: Iterable[Body]) -> list[AuditEntry]:
    """Build the entries of one operation on top of a head."""
    from hashlib import sha256  # only needed by writes; keeps searches fast to start

    count, last = head
    made: list[AuditEntry] = []
    at = to_micros(edit.at)
    assert at is not None
    operation, action, writer, door = edit.operation, edit.action, edit.writer.name, edit.writer.door
    done, doer = to_json((at, operation, action))[1:-1], to_json((writer, door))[1:-1]
    for memory, after, before, payload in bodies:
        count += 1
        # The input of `chained`, with the part that is equal in every entry of an operation built once.
        spelled = f"[{count},{done},{to_json(memory)},{doer},{_hex(before)},{_hex(after)}]"
        last = sha256(last + spelled.encode()).digest()
        made.append(
            AuditEntry(count, at, operation, action, memory, writer, door, before, after, last, payload)
        )
    return made


def note_body(noted: Mapping[str, object], writer: Writer | None) -> Body:
    """Return the body of a change that makes no version; its digest covers its payload."""
    if writer is not None and writer.is_person:
        noted = {**noted, "writer_kind": writer.kind.value}
    payload = to_json(noted)
    return Body(None, digest_of(payload), payload=payload)


def change_from(entry: AuditEntry) -> Change:
    """Convert a stored entry to a change of the model."""
    return Change(
        number=entry.number,
        at=moment(entry.at),
        operation=entry.operation,
        action=entry.action,
        memory=entry.memory,
        writer=entry.writer,
        door=entry.door,
        before=entry.before.hex() if entry.before else None,
        after=entry.after.hex() if entry.after else None,
        hash=entry.hash.hex(),
    )


def states_of(
    current: Columns, entries: Sequence[AuditEntry]
) -> Iterator[tuple[AuditEntry, dict[str, Any], bool]]:
    """Yield each entry, newest first, with the columns after it and whether they match its digest."""
    values = dict(current)
    for place, entry in enumerate(entries):
        before = entries[place + 1].after if place + 1 < len(entries) else None
        holds = rows.digest(values) == entry.after and entry.before == before
        yield entry, values, holds
        values = rows.earlier(values, json.loads(entry.payload or "{}"))


def versions_of(current: Columns, entries: Sequence[AuditEntry]) -> list[KeptVersion]:
    """Return every version of a memory, oldest first, from its current columns and its entries, newest first."""
    from memory_layer.model.history import KeptVersion  # few commands read the history

    erased = current["reason"] == Reason.FORGOTTEN.value
    try:
        found = [
            KeptVersion(
                number, change_from(entry), rows.memory_from(values | {"version": number}), holds or erased
            )
            for number, (entry, values, holds) in zip(
                range(len(entries), 0, -1), states_of(current, entries), strict=True
            )
        ]
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise StoreDamaged(
            f"the history of {current['id']} cannot be read; run `mem audit verify` to see where it breaks"
        ) from error
    return found[::-1]


def event_digest(values: Iterable[Any]) -> bytes:
    """Return the SHA-256 of an event's values, given in the order of `EVENT`."""
    return digest_of(to_json(list(values)))


def event_values(columns: Columns) -> list[Any]:
    """Return the values of an event, in the order of `EVENT`."""
    return [columns[name] for name in EVENT]


def event_hash(previous: bytes, session: str, number: int, memory_id: str, digest: bytes) -> bytes:
    """Return the hash of an event that follows `previous`."""
    return chained(previous, [session, number, memory_id, digest])


def linked_event(head: Head, memory: Memory, columns: Columns) -> EpisodeEntry:
    """Build the event that follows the head of a session; the memory already has the next number."""
    count, previous = head[0] + 1, head[1]
    assert memory.position == count, "an event gets the next number of its session"
    session, digest = memory.session or "", event_digest(event_values(columns))
    hashed = event_hash(previous, session, count, memory.id, digest)
    return EpisodeEntry(session, count, memory.id, digest, hashed)


def _hex(digest: bytes | None) -> str:
    return "null" if digest is None else f'"{digest.hex()}"'


def columns_as_read(memory: Memory) -> dict[str, Any]:
    """Return the columns of a memory that is already in a store or a file."""
    # Keep the keys of an old record in stored order, because its digest covers the order.
    values = rows.columns(memory)
    values["metadata"] = _in_order(dict(memory.metadata))
    return values


def memory_digest(memory: Memory) -> str:
    """Return the digest of a memory in this state, as the audit chain records it."""
    return rows.digest(columns_as_read(memory)).hex()


def digest_of_event(memory: Memory) -> str:
    """Return the digest of an event, as the chain of its session records it."""
    return event_digest(event_values(columns_as_read(memory))).hex()


def hash_of_change(previous: str, change: ExportRecord) -> str:
    """Return the hash of an entry that follows another."""
    number, at, *others = change[:9]
    return chained(bytes.fromhex(previous), [number, to_micros(at), *others]).hex()


def hash_of_episode(previous: str, episode: ExportRecord) -> str:
    """Return the hash of an event that follows another."""
    return chained(bytes.fromhex(previous), episode[:4]).hex()

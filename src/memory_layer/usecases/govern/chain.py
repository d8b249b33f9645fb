"""Read the audit chain for history, undo and verification."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.model.history import Note
from memory_layer.ports.store import Entries
from memory_layer.store.chain import ACCESS, LASTING, change_from, versions_of

if TYPE_CHECKING:
    from memory_layer.model.history import Flaw, KeptVersion
    from memory_layer.model.memory import Change
    from memory_layer.ports import Store
    from memory_layer.ports.store import AuditEntry


def changes(store: Store, memory_id: str | None = None) -> list[Change]:
    """Return the entries in order; those of one memory if it is named."""
    wanted = Entries() if memory_id is None else Entries(memories=(memory_id,))
    return [change_from(entry) for entry in store.chain.entries(wanted)]


def latest_changes(store: Store) -> Iterator[Change]:
    """Yield the entries of changes, newest first."""
    return map(change_from, _of_changes(store.chain.entries(Entries(order="newest"))))


def latest_entries(store: Store) -> Iterator[Change]:
    """Yield all entries, newest first."""
    return map(change_from, store.chain.entries(Entries(order="newest")))


def proofs_of(store: Store, operations: Sequence[str]) -> dict[int, tuple[str, dict[str, Any]]]:
    """Map the numbers of entries about confirmations and passkeys of operations to the operation and the payload."""
    found = store.chain.proofs(operations)
    return {each.number: (each.operation, _payload(each)) for each in found}


def access_at(store: Store, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Map the numbers of entries about access to their payloads."""
    found = store.chain.entries(Entries(numbers=numbers, payloads=True))
    return {each.number: _payload(each) for each in found if each.action in ACCESS}


def access_entries(store: Store) -> Iterator[tuple[AuditEntry, dict[str, Any]]]:
    """Yield the entries about access with their payloads, those of each action in order."""
    for action in ACCESS:
        for entry in store.chain.entries(Entries(action=action, payloads=True)):
            yield entry, _payload(entry)


def changes_of(store: Store, operations: Sequence[str]) -> Iterator[Change]:
    """Yield the entries of several operations in order, in one pass over the chain."""
    return map(change_from, _of_changes(store.chain.entries(Entries(operations=operations))))


def newest_changes_of(store: Store, operation: str, most: int) -> list[Change]:
    """Return the last entries of an operation in order, at most so many."""
    wanted = Entries(operations=(operation,), order="newest", most=most)
    return [change_from(each) for each in _of_changes(store.chain.entries(wanted))][::-1]


def notes_of(store: Store, operations: Sequence[str]) -> list[Note]:
    """Return the notes of operations, newest first."""
    wanted = Entries(operations=operations, about_memories=False, order="newest", payloads=True)
    return _notes(store.chain.entries(wanted))


def notes_at(store: Store, numbers: Sequence[int]) -> list[Note]:
    """Return the notes among the entries with these numbers."""
    return _notes(store.chain.entries(Entries(numbers=numbers, about_memories=False, payloads=True)))


def ever(store: Store, action: str, ids: Sequence[str]) -> set[str]:
    """Return the memories that an action was ever applied to, even if it was undone."""
    found = store.chain.entries(Entries(memories=ids, action=action))
    return {entry.memory for entry in found if entry.memory is not None}


def versions(store: Store, memory_id: str) -> list[KeptVersion]:
    """Return every version of a memory, oldest first, reconstructed backwards from its current state."""
    current = next(store.memories.columns([memory_id]), None)
    if current is None:
        return []
    wanted = Entries(memories=(memory_id,), order="newest", payloads=True)
    return versions_of(current, list(store.chain.entries(wanted)))


def chain_flaws(store: Store) -> Iterator[Flaw]:
    """Yield the first break of the chain, every memory that differs from its entries, then flawed events."""
    from memory_layer.store.flaws import Records, first_in_chain  # few commands look for them

    try:
        head = store.chain.head()
    except ValueError:
        head = None
    if broken := first_in_chain(store.chain.entries(), head):
        yield broken
    records = Records(store.memories.columns())
    by_memory = Entries(about_memories=True, order="memory", payloads=True)
    notes = Entries(about_memories=False, payloads=True)
    yield from records.unfit(store.chain.entries(by_memory), store.chain.entries(notes))
    yield from records.in_sessions(store.chain.episodes(), store.chain.session_heads())


def _notes(entries: Iterator[AuditEntry]) -> list[Note]:
    return [
        Note(entry.number, json.loads(entry.payload))
        for entry in _of_changes(entries)
        if entry.payload is not None
    ]


def _payload(entry: AuditEntry) -> dict[str, Any]:
    """Return the payload of an entry; an empty one if it cannot be read."""
    try:
        told = json.loads(entry.payload or "{}")
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _of_changes(entries: Iterator[AuditEntry]) -> Iterator[AuditEntry]:
    """Leave out the entries of confirmations, passkeys and access, which nobody can undo."""
    return (entry for entry in entries if entry.action not in LASTING)

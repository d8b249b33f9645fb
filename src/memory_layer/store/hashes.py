"""The hashes that two chains are made of, from records alone: the audit chain, and those of sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from memory_layer.store import rows

if TYPE_CHECKING:
    from memory_layer.model.carried import CarriedEpisode
    from memory_layer.model.memory import Change, Memory

#: What an event says; whether it is archived, approved or was of use is no part of what happened.
EVENT = ("id", "content", "category", "tags", "metadata", "writer", "session", "position", "created_at")

_in_order = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def columns_as_read(memory: Memory) -> dict[str, Any]:
    """Return the columns of a memory that a store or a file holds already."""
    # The keys of an old record stand in the order in which they were stored, and its digest covers that.
    values = rows.columns(memory)
    values["metadata"] = _in_order(dict(memory.metadata))
    return values


def memory_digest(memory: Memory) -> str:
    """Return the digest by which the audit chain knows a memory in this state."""
    return rows.digest(columns_as_read(memory)).hex()


def event_digest(memory: Memory) -> str:
    """Return the digest by which the chain of a session knows an event."""
    values = columns_as_read(memory)
    return sha256(rows.to_json([values[name] for name in EVENT]).encode()).hexdigest()


def note_digest(noted: Mapping[str, object]) -> str:
    """Return the digest of what an entry notes that makes no version."""
    return sha256(rows.to_json(noted).encode()).hexdigest()


def hash_of_change(previous: str, change: Change) -> str:
    """Return the hash that an entry has when it follows another."""
    return _chained(previous, hashed_part(change))


def hash_of_episode(previous: str, episode: CarriedEpisode) -> str:
    """Return the hash that an event has when it follows another."""
    return _chained(previous, list(episode[:4]))


def hashed_part(change: Change) -> list[Any]:
    """Return the part of an entry that its hash covers."""
    return [
        change.number,
        rows.to_micros(change.at),
        change.operation,
        change.action,
        change.memory,
        change.writer,
        change.door,
        bytes.fromhex(change.before) if change.before else None,
        bytes.fromhex(change.after) if change.after else None,
    ]


def _chained(previous: str, entry: list[Any]) -> str:
    return sha256(bytes.fromhex(previous) + rows.to_json(entry).encode()).hexdigest()

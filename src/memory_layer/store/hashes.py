"""The hashes that two chains are made of, from records alone: the audit chain, and those of sessions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_layer.store import chain, rows

if TYPE_CHECKING:
    from memory_layer.model.export import CarriedEpisode
    from memory_layer.model.memory import Change, Memory

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
    return chain.event_digest(chain.event_values(columns_as_read(memory))).hex()


def hash_of_change(previous: str, change: Change) -> str:
    """Return the hash that an entry has when it follows another."""
    return chain.chained(bytes.fromhex(previous), chain.entry_from(change)[:9]).hex()


def hash_of_episode(previous: str, episode: CarriedEpisode) -> str:
    """Return the hash that an event has when it follows another."""
    return chain.chained(bytes.fromhex(previous), episode[:4]).hex()

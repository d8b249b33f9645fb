"""Earlier versions of memories, and whether memories and audit chain still agree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memory_layer.errors import StoreDamaged
from memory_layer.model.vocabulary import Reason
from memory_layer.store import rows
from memory_layer.store.sqlite.audit import CHAIN, HEAD, change_from
from memory_layer.store.sqlite.memories import READ_MEMORY

if TYPE_CHECKING:
    from memory_layer.model.history import Flaw, Kept
    from memory_layer.store.sqlite.connection import Connections

ENTRIES = "select a.*, p.payload from audit a left join audit_payload p on p.number = a.number "


def versions(connection: Connections, memory_id: str) -> list[Kept]:
    """Every version of a memory, oldest first, taken back step by step from what it is now."""
    from memory_layer.model.history import Kept  # few commands look back

    current = connection.row(READ_MEMORY + "where m.id = ?", [memory_id])
    if current is None:
        return []
    entries = connection.rows(ENTRIES + "where a.memory = ? order by a.number desc", [memory_id])
    erased = current["reason"] == Reason.FORGOTTEN.value
    try:
        states = states_of(dict(current), entries)
        found = [
            Kept(
                number,
                change_from(entry),
                rows.memory_from(values | {"version": number}),
                holds or erased,
            )
            for number, (entry, values, holds) in zip(range(len(entries), 0, -1), states, strict=True)
        ]
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise StoreDamaged(
            f"the history of {memory_id} cannot be read; `mem audit verify` says where it breaks"
        ) from error
    return found[::-1]


def flaws(connection: Connections) -> Iterator[Flaw]:
    """The first break of the chain, every memory that is not as its entries say, then what is wrong with events."""
    from memory_layer.store.sqlite.broken_sessions import in_sessions  # few commands look for them
    from memory_layer.store.sqlite.flaws import first_in_chain, unfit

    head = connection.row(HEAD)
    if broken := first_in_chain(connection.each(CHAIN), head["value"] if head else None):
        yield broken
    yield from unfit(connection.each)
    yield from in_sessions(connection.each)


def states_of(current: Mapping[str, Any], entries: list[Any]) -> Iterator[tuple[Any, dict[str, Any], bool]]:
    """Each entry, newest first, with the columns it left and whether their digest is the one it names."""
    values = dict(current)
    for place, entry in enumerate(entries):
        before = entries[place + 1]["after"] if place + 1 < len(entries) else None
        holds = rows.digest(values) == entry["after"] and entry["before"] == before
        yield entry, values, holds
        values = rows.earlier(values, json.loads(entry["payload"] or "{}"))

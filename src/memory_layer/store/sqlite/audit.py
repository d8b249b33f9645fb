"""Rows of the audit chain and of the chains of sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from memory_layer.ports.chain import Entries, Entry, EpisodeEntry
from memory_layer.store.chain import EVENT, head_from
from memory_layer.store.rows import to_json

Each = Callable[..., Iterable[Any]]  #: the rows of a statement and its parameters

HEAD = "select value from meta where key = 'audit_head'"
_FIELDS = ", ".join(f"a.{name}" for name in Entry._fields[:-1])
_BARE = f"select {_FIELDS}, null from audit a"
_WITH_PAYLOADS = f"select {_FIELDS}, p.payload from audit a left join audit_payload p on p.number = a.number"
_ORDERS = {
    "oldest": "a.number",
    "newest": "a.number desc",
    "memory": "a.memory, a.number desc",
}
_LISTED = "in (select value from json_each(?))"

EPISODES = (
    f"select e.session, e.number, e.memory, e.digest, e.hash, m.reason, {', '.join(f'm.{each}' for each in EVENT)}"
    " from episode e left join memory m on m.id = e.memory order by e.session, e.number"
)


def read_head(each: Each) -> tuple[int, bytes]:
    """Return the head of the chain; a ValueError if it cannot be read."""
    return head_from(next((row["value"] for row in each(HEAD)), None))


def read_entries(each: Each, wanted: Entries) -> Iterator[Entry]:
    """Read the entries that are wanted, one by one."""
    conditions, parameters = _conditions(wanted)
    sql = f"{_WITH_PAYLOADS if wanted.payloads else _BARE}{conditions} order by {_ORDERS[wanted.order]}"
    return map(Entry._make, each(sql, parameters))


def _conditions(wanted: Entries) -> tuple[str, list[object]]:
    conditions: list[str] = []
    parameters: list[object] = []
    for name, listed in (
        ("memory", wanted.memories),
        ("operation", wanted.operations),
        ("number", wanted.numbers),
    ):
        if listed is not None:
            conditions.append(f"a.{name} = ?" if len(listed) == 1 else f"a.{name} {_LISTED}")
            parameters.append(listed[0] if len(listed) == 1 else to_json(list(listed)))
    if wanted.action is not None:
        conditions.append("a.action = ?")
        parameters.append(wanted.action)
    if wanted.about_memories is not None:
        conditions.append(f"a.memory is {'not ' if wanted.about_memories else ''}null")
    return f" where {' and '.join(conditions)}" if conditions else "", parameters


def read_session_heads(each: Each) -> dict[str, tuple[int, bytes]]:
    """Read the heads of all sessions."""
    return {row["session"]: (row["count"], row["hash"]) for row in each("select * from episode_head")}


def read_episodes(each: Each) -> Iterator[EpisodeEntry]:
    """Read the events of all sessions in their order, one by one."""
    for row in each(EPISODES):
        session, number, memory, digest, hashed, reason, *said = row
        yield EpisodeEntry(
            session, number, memory, digest, hashed, reason, None if said[0] is None else tuple(said)
        )

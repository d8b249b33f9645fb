"""Events in the order of their sessions: numbered without a gap, each hash covering the one before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.store import rows
from memory_layer.store.sqlite.audit import START, chained

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.store.rows import Row
    from memory_layer.store.sqlite.connection import Connections

#: What an event says; whether it is archived, approved or was of use is no part of what happened.
TOLD = ("id", "content", "category", "tags", "metadata", "writer", "session", "position", "created_at")

INSERT_EPISODE = "insert into episode (session, number, memory, digest, hash) values (?, ?, ?, ?, ?)"
MOVE_HEAD = (
    "insert into episode_head (session, count, hash) values (?, ?, ?)"
    " on conflict (session) do update set count = excluded.count, hash = excluded.hash"
)


def told_digest(values: Row) -> bytes:
    """SHA-256 over what an event says."""
    from memory_layer.store.sqlite.audit import digest_of

    return digest_of(rows.to_json([values[name] for name in TOLD]))


def linked(previous: bytes, session: str, number: int, memory_id: str, digest: bytes) -> bytes:
    """The hash of an event that follows `previous`."""
    return chained(previous, [session, number, memory_id, digest])


class Episodes:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def next_episode(self, session: str) -> int:
        """The number that the next event of a session gets."""
        return self._session_head(session)[0] + 1

    def _session_head(self, session: str) -> tuple[int, bytes]:
        row = self._connection.row("select count, hash from episode_head where session = ?", [session])
        return (row["count"], row["hash"]) if row else (0, START)

    def chain_episodes(self, memories: Sequence[Memory]) -> None:
        """Put stored events at the end of their sessions; the caller has given them the next numbers."""
        heads: dict[str, tuple[int, bytes]] = {}
        made: list[list[Any]] = []
        for memory in memories:
            session = memory.session or ""
            count, previous = heads.get(session) or self._session_head(session)
            assert memory.position == count + 1, "an event gets the next number of its session"
            stored = self._connection.row("select * from memory where id = ?", [memory.id])
            assert stored is not None
            digest = told_digest(stored)
            hashed = linked(previous, session, count + 1, memory.id, digest)
            made.append([session, count + 1, memory.id, digest, hashed])
            heads[session] = count + 1, hashed
        self._connection.run_many(INSERT_EPISODE, made)
        self._connection.run_many(MOVE_HEAD, ([session, *head] for session, head in heads.items()))

    def episode_sessions(self) -> int:
        """How many sessions have events."""
        row = self._connection.row("select count(*) as n from episode_head")
        return int(row["n"]) if row else 0

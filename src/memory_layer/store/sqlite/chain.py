"""The audit chain and the chains of sessions, as they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memory_layer.ports.chain import ALL_ENTRIES, Entries, Entry
from memory_layer.store.chain import head_text
from memory_layer.store.rows import to_json
from memory_layer.store.sqlite.audit import read_entries, read_episodes, read_head, read_session_heads

if TYPE_CHECKING:
    from memory_layer.ports.chain import EpisodeEntry, Head
    from memory_layer.store.sqlite.connection import Connections


class Chain:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def head(self) -> Head:
        """Return how many entries the chain has, and its last hash; a ValueError if that cannot be read."""
        return read_head(self._connection.rows)

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries that follow the head, and move it."""
        self._connection.run_many(
            "insert into audit (number, at, operation, action, memory, writer, door, before, after, hash)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (entry[:-1] for entry in entries),
        )
        payloads = [(entry.number, entry.payload) for entry in entries if entry.payload is not None]
        if payloads:
            self._connection.run_many("insert into audit_payload (number, payload) values (?, ?)", payloads)
        if entries:
            self._connection.run(
                "insert into meta (key, value) values ('audit_head', ?)"
                " on conflict (key) do update set value = excluded.value",
                [head_text((entries[-1].number, entries[-1].hash))],
            )

    def entries(self, wanted: Entries = ALL_ENTRIES) -> Iterator[Entry]:
        """Read entries as they are asked for."""
        return read_entries(self._connection.each, wanted)

    def drop_payloads(self, memory_id: str) -> None:
        """Erase the old values kept with the entries of a memory."""
        self._connection.run(
            "delete from audit_payload where number in (select number from audit where memory = ?)",
            [memory_id],
        )

    def session_heads(self, sessions: Sequence[str] | None = None) -> Mapping[str, Head]:
        """Return the heads of the sessions that have events, of all or of those named."""
        if sessions is None:
            return read_session_heads(self._connection.rows)
        found = self._connection.rows(
            "select session, count, hash from episode_head where session in (select value from json_each(?))",
            [to_json(list(sessions))],
        )
        return {row["session"]: (row["count"], row["hash"]) for row in found}

    def append_episodes(self, entries: Sequence[EpisodeEntry]) -> None:
        """Write events that follow the heads of their sessions, and move them."""
        self._connection.run_many(
            "insert into episode (session, number, memory, digest, hash) values (?, ?, ?, ?, ?)",
            (entry[:5] for entry in entries),
        )
        heads = {entry.session: (entry.number, entry.hash) for entry in entries}
        self._connection.run_many(
            "insert into episode_head (session, count, hash) values (?, ?, ?)"
            " on conflict (session) do update set count = excluded.count, hash = excluded.hash",
            ([session, *head] for session, head in heads.items()),
        )

    def episodes(self) -> Iterator[EpisodeEntry]:
        """Read the events of all sessions, by session and number, as they are asked for."""
        return read_episodes(self._connection.each)

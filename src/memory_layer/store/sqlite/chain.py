"""Read and write the stored audit chain and the chains of sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.ports.store import ALL_ENTRIES, AuditEntry, Entries, EpisodeEntry
from memory_layer.store.chain import EVENT, LASTING, PROOFS, head_from, head_text
from memory_layer.store.rows import to_json, to_micros

if TYPE_CHECKING:
    from memory_layer.ports.store import Head
    from memory_layer.store.sqlite.connection import Connections


Each = Callable[..., Iterable[Any]]  #: the rows of a statement and its parameters

HEAD = "select value from meta where key = 'audit_head'"
_FIELDS = ", ".join(f"a.{name}" for name in AuditEntry._fields[:-1])
_BARE = f"select {_FIELDS}, null from audit a"
_WITH_PAYLOADS = f"select {_FIELDS}, p.payload from audit a left join audit_payload p on p.number = a.number"
_ORDERS = {
    "oldest": "a.number",
    "newest": "a.number desc",
    "memory": "a.memory, a.number desc",
}
_LISTED = "in (select value from json_each(?))"
_ABOVE_ALL = 2**63 - 1
#: Spelled out, so that SQLite finds these few by the index that is made of them.
_PROOFS = f"a.action in {PROOFS}"

EPISODES = (
    f"select e.session, e.number, e.memory, e.digest, e.hash, m.reason, {', '.join(f'm.{each}' for each in EVENT)}"
    " from episode e left join memory m on m.id = e.memory order by e.session, e.number"
)


def read_head(each: Each) -> tuple[int, bytes]:
    """Return the head of the chain; raise ValueError if it cannot be read."""
    return head_from(next((row["value"] for row in each(HEAD)), None))


def read_entries(each: Each, wanted: Entries) -> Iterator[AuditEntry]:
    """Yield the entries that match the filter."""
    conditions, parameters = _conditions(wanted)
    sql = f"{_WITH_PAYLOADS if wanted.payloads else _BARE}{conditions} order by {_ORDERS[wanted.order]}"
    if wanted.most is not None:
        sql, parameters = f"{sql} limit ?", [*parameters, wanted.most]
    return map(AuditEntry._make, each(sql, parameters))


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
    if wanted.undoing is not None:
        conditions.append(f"a.action glob 'undo *' and a.action {_LISTED}")
        parameters.append(to_json([f"undo {operation}" for operation in wanted.undoing]))
    bounds = {"number <": wanted.below, "at >=": to_micros(wanted.since), "at <": to_micros(wanted.until)}
    for bound, value in bounds.items():
        if value is not None:
            conditions.append(f"a.{bound} ?")
            parameters.append(value)
    return f" where {' and '.join(conditions)}" if conditions else "", parameters


def read_session_heads(each: Each) -> dict[str, tuple[int, bytes]]:
    """Return the heads of all sessions."""
    return {row["session"]: (row["count"], row["hash"]) for row in each("select * from episode_head")}


def read_episodes(each: Each) -> Iterator[EpisodeEntry]:
    """Yield the events of all sessions in order."""
    for row in each(EPISODES):
        session, number, memory, digest, hashed, reason, *values = row
        yield EpisodeEntry(
            session, number, memory, digest, hashed, reason, None if values[0] is None else tuple(values)
        )


class SqliteChain:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def head(self) -> Head:
        """Return the number of entries and the last hash; raise ValueError if they cannot be read."""
        return read_head(self._connection.rows)

    def append(self, entries: Sequence[AuditEntry]) -> None:
        """Append entries after the head, and move it."""
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

    def entries(self, wanted: Entries = ALL_ENTRIES) -> Iterator[AuditEntry]:
        """Yield the entries that match the filter."""
        return read_entries(self._connection.each, wanted)

    def newest_operations(self, wanted: Entries, limit: int) -> list[str]:
        """Return the operations of the newest changes; none that has an entry above the bound."""
        conditions, parameters = _conditions(wanted)
        next_one = f"a.action not in {LASTING} and a.number < ? and a.operation not {_LISTED}"
        sql = (
            f"select a.operation, a.number from audit a{conditions or ' where true'} and {next_one}"
            " order by a.number desc limit 1"
        )
        seen: list[str] = []
        found: list[str] = []
        below = _ABOVE_ALL
        while len(found) < limit and (row := self._connection.row(sql, [*parameters, below, to_json(seen)])):
            operation, below = row["operation"], row["number"]
            seen.append(operation)
            if wanted.below is None or self._last_number(operation) < wanted.below:
                found.append(operation)
        return found

    def _last_number(self, operation: str) -> int:
        row = self._connection.row("select max(number) as n from audit where operation = ?", [operation])
        assert row is not None
        return int(row["n"])

    def actions(self, operation: str) -> dict[str, int]:
        """Count the actions of an operation on memories."""
        sql = "select action, count(*) as n from audit where operation = ? and memory is not null group by action"
        return {row["action"]: row["n"] for row in self._connection.rows(sql, [operation])}

    def proofs(self, operations: Sequence[str] | None = None) -> Iterator[AuditEntry]:
        """Yield people's confirmations and the changes of passkeys in order, of operations or of all."""
        chosen = "" if operations is None else f" and a.operation {_LISTED}"
        parameters = [] if operations is None else [to_json(list(operations))]
        sql = f"{_WITH_PAYLOADS} where {_PROOFS}{chosen} order by a.number"
        return map(AuditEntry._make, self._connection.each(sql, parameters))

    def drop_payloads(self, memory_id: str) -> None:
        """Erase the old values saved with the entries of a memory."""
        self._connection.run(
            "delete from audit_payload where number in (select number from audit where memory = ?)",
            [memory_id],
        )

    def session_heads(self, sessions: Sequence[str] | None = None) -> Mapping[str, Head]:
        """Return the heads of sessions that have events; of all sessions or of those named."""
        if sessions is None:
            return read_session_heads(self._connection.rows)
        found = self._connection.rows(
            "select session, count, hash from episode_head where session in (select value from json_each(?))",
            [to_json(list(sessions))],
        )
        return {row["session"]: (row["count"], row["hash"]) for row in found}

    def append_episodes(self, entries: Sequence[EpisodeEntry]) -> None:
        """Append events after the heads of their sessions, and move the heads."""
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
        """Yield the events of all sessions, by session and number."""
        return read_episodes(self._connection.each)

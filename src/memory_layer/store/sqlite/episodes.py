"""Events in the order of their sessions: numbered without a gap, each hash covering the one before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.model.place import place, values_at
from memory_layer.store import rows
from memory_layer.store.sqlite.audit import START, chained
from memory_layer.store.sqlite.filters import LEARNED, VOUCHED, reach
from memory_layer.store.sqlite.memories import READ_MEMORY, Memories

if TYPE_CHECKING:
    from memory_layer.model.episodes import Timeline
    from memory_layer.model.memory import Memory
    from memory_layer.ports.episodes import Span
    from memory_layer.store.rows import Row

#: What an event says; whether it is archived, approved or was of use is no part of what happened.
TOLD = ("id", "content", "category", "tags", "metadata", "writer", "session", "position", "created_at")

INSERT_EPISODE = "insert into episode (session, number, memory, digest, hash) values (?, ?, ?, ?, ?)"
_AN_END = (
    "{0}.tier = 'episodic' and json_extract({0}.metadata, '$.kind') = 'session_end' and {0}.status = 'active'"
)
#: A handoff is told from another end of a session by its list of what is next.
_IN_PARTS = "json_type({0}.metadata, '$.next') = 'array'"
#: The end of a session that was handed over says nothing more.
LAST_HANDOFF = (
    READ_MEMORY + f"where {_AN_END.format('m')} and {{}} and ({_IN_PARTS.format('m')} or not exists ("
    f"select 1 from memory h where h.project is m.project and {_AN_END.format('h')}"
    f" and h.session is m.session and {_IN_PARTS.format('h')}"
    " and json_type(h.metadata, '$.written_from') is null))"
    " order by m.created_at desc, m.row desc limit 1"
)
OF_PROJECT = f"m.project = (select row from project where id = ?) and ({VOUCHED} or {LEARNED})"
#: A few events of a session among many are looked up one by one.
_ALL = "memory m left join episode e on e.memory = m.id"
_OF_A_SESSION = "episode e cross join memory m on m.id = e.memory"
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


class Episodes(Memories):
    def next_episode(self, session: str) -> int:
        """The number that the next event of a session gets."""
        return self._session_head(session)[0] + 1

    def _session_head(self, session: str) -> tuple[int, bytes]:
        row = self._row("select count, hash from episode_head where session = ?", [session])
        return (row["count"], row["hash"]) if row else (0, START)

    def chain_episodes(self, memories: Sequence[Memory]) -> None:
        """Put stored events at the end of their sessions; the caller has given them the next numbers."""
        heads: dict[str, tuple[int, bytes]] = {}
        made: list[list[Any]] = []
        for memory in memories:
            session = memory.session or ""
            count, previous = heads.get(session) or self._session_head(session)
            assert memory.position == count + 1, "an event gets the next number of its session"
            stored = self._row("select * from memory where id = ?", [memory.id])
            assert stored is not None
            digest = told_digest(stored)
            hashed = linked(previous, session, count + 1, memory.id, digest)
            made.append([session, count + 1, memory.id, digest, hashed])
            heads[session] = count + 1, hashed
        self._run_many(INSERT_EPISODE, made)
        self._run_many(MOVE_HEAD, ([session, *head] for session, head in heads.items()))

    def timeline(self, span: Span, limit: int, after: str | None) -> Timeline:
        """The last events before the cursor `after`, in the order in which they happened."""
        from memory_layer.model.episodes import Episode, Timeline  # few commands look at events

        condition, parameters = _spanned(span)
        if after is not None:
            condition += " and (m.created_at, m.row) < (?, ?)"
            parameters += values_at(after, int, int)
        found = self._rows(
            "select m.*, p.key as project_key, e.session as told_session, e.number as told_number"
            f" from {_ALL if span.session is None else _OF_A_SESSION} left join project p on p.row = m.project"
            f" where {condition} order by m.created_at desc, m.row desc limit ?",
            [*parameters, limit + 1],
        )
        first = found[limit - 1] if len(found) > limit else None
        items = (
            Episode(rows.memory_from(row), row["told_session"], row["told_number"])
            for row in reversed(found[:limit])
        )
        return Timeline(tuple(items), place([first["created_at"], first["row"]]) if first else None)

    def last_handoff(self, project: str | None) -> Memory | None:
        """The last active one of a project by its id, or of no project, or a plain end of a later session.

        One that an agent wrote for the project from elsewhere is passed over.
        """
        own = OF_PROJECT if project else "m.project is null"
        row = self._row(LAST_HANDOFF.format(own), [project] if project else [])
        return rows.memory_from(row) if row else None

    def episode_sessions(self) -> int:
        """How many sessions have events."""
        row = self._row("select count(*) as n from episode_head")
        return int(row["n"]) if row else 0


def _spanned(span: Span) -> tuple[str, list[Any]]:
    """The condition for the events of a span; what waits for a person is not shown."""
    # The plus keeps SQLite from reading all that a project has, and sorting it.
    whose, parameters = reach(span.filters, project="+m.project")
    condition = f"m.tier = 'episodic' and m.status <> 'staged' and {whose}"
    bounds = {"m.created_at >= ?": span.filters.after, "m.created_at < ?": span.filters.before}
    for sql, bound in bounds.items():
        if bound is not None:
            condition += f" and {sql}"
            parameters = [*parameters, rows.to_micros(bound)]
    if span.session is not None:
        condition += " and e.session = ?"
        parameters = [*parameters, span.session]
    if span.kinds:
        condition += " and json_extract(m.metadata, '$.kind') in (select value from json_each(?))"
        parameters = [*parameters, json.dumps([kind.value for kind in span.kinds])]
    return condition, [*parameters]

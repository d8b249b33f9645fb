"""Events as they are looked back at: a stretch of them, and the last handoff."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_layer.model.episodes import Episode, Timeline
from memory_layer.model.place import place, values_at
from memory_layer.store import rows
from memory_layer.store.sqlite.filters import LEARNED, VOUCHED, reach
from memory_layer.store.sqlite.memories import READ_MEMORY

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.ports.log import Span
    from memory_layer.store.sqlite.connection import Connections

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


def timeline(connection: Connections, span: Span, limit: int, after: str | None) -> Timeline:
    """The last events before the cursor `after`, in the order in which they happened."""
    condition, parameters = _spanned(span)
    if after is not None:
        condition += " and (m.created_at, m.row) < (?, ?)"
        parameters += values_at(after, int, int)
    found = connection.rows(
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


def last_handoff(connection: Connections, project: str | None) -> Memory | None:
    """The last active one of a project by its id, or of no project, or a plain end of a later session.

    One that an agent wrote for the project from elsewhere is passed over.
    """
    own = OF_PROJECT if project else "m.project is null"
    row = connection.row(LAST_HANDOFF.format(own), [project] if project else [])
    return rows.memory_from(row) if row else None


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
    if span.outcomes:
        condition += " and json_extract(m.metadata, '$.outcome') in (select value from json_each(?))"
        parameters = [*parameters, json.dumps(list(span.outcomes))]
    return condition, [*parameters]

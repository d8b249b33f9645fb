"""Filters as SQL conditions over `memory m`, values always bound."""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memory_layer.model.query import Reach
from memory_layer.model.vocabulary import Reason
from memory_layer.store.rows import to_micros

if TYPE_CHECKING:
    from memory_layer.model.query import Filters


_DRIFTED = (
    "m.row in (select c.memory from source_check c join memory d on d.row = c.memory"
    " where c.state in ('changed', 'missing') and c.citations = d.citations)"
)


#: The condition of a partial index, letter by letter; in JSON no other tag can hold the word in quotes.
_PROPOSED = (
    "m.row in (select o.row from memory o indexed by memory_proposed"
    " where o.status = 'active' and o.approved_at is null and instr(o.tags, '\"proposed\"') > 0)"
)


def superseded(memory: str) -> str:
    """A condition that is true where an active memory has replaced the one of that alias."""
    return (
        "exists (select 1 from link r join memory s on s.row = r.source"
        f" where r.target = {memory}.row and r.kind = 'supersedes' and s.status = 'active')"
    )


#: As the index `memory_vouched` has it, letter by letter; else it is not used.
VOUCHED = "(m.writer_kind = 'person' or m.approved_by is not null)"
_RIVALS = (
    "exists (select 1 from link l join memory o on o.row = l.{} where l.{} = m.row"
    f" and l.kind = 'conflicts_with' and l.review <> 2 and o.status = 'active' and not {superseded('o')})"
)
#: Part of a conflict that nobody has settled, with a memory that is given out, or failed and has not worked since.
DISPUTED = (
    f"({_RIVALS.format('target', 'source')} or {_RIVALS.format('source', 'target')}"
    " or (m.failed > 0 and exists (select 1 from outcome f where f.memory = m.row and f.counted"
    " and f.result = 'failed' and not exists (select 1 from outcome w where w.memory = m.row and w.counted"
    " and w.result = 'worked' and (w.at, w.row) > (f.at, f.row)))))"
)
#: Learned in its project, and not written for it by an agent that worked elsewhere.
LEARNED = "(m.project is not null and json_type(m.metadata, '$.written_from') is null)"
#: What says whether a memory may be given whatever is asked, beside whether its project is the one that is meant.
WARRANT = f"{VOUCHED} as vouched, {LEARNED} as learned, {DISPUTED} as disputed"
#: `may_be_given` of a memory of the project that is asked about, or of none.
WARRANTED = f"({VOUCHED} or ({LEARNED} and not {DISPUTED}))"


def where(filters: Filters, now: datetime) -> tuple[str, list[Any]]:
    """A condition that is true for the memories that may answer, and its parameters.

    Being expired or superseded holds back what is active; who asks for the archive gets all of it but
    the empty places of what was forgotten.
    """
    condition, parameters = _lasting(filters)
    hourly = []
    if filters.expired_since:
        hourly.append("m.expires_at <= ?")
    if not filters.expired:
        hourly.append("(m.status <> 'active' or m.expires_at is null or m.expires_at > ?)")
    return " and ".join([condition, *hourly]), [*parameters, *[to_micros(now)] * len(hourly)]


@lru_cache(maxsize=16)
def _lasting(filters: Filters) -> tuple[str, list[Any]]:
    """The part that does not depend on the hour, remembered because it is asked for again and again."""
    parts: list[tuple[str, list[Any]]] = [("1", []), reach(filters)]
    listed = {
        "m.category": [category.value for category in filters.categories],
        "m.tier": [tier.value for tier in filters.tiers],
        "m.source": [source.value for source in filters.sources],
        "m.status": [status.value for status in filters.statuses],
        "m.reason": [reason.value for reason in filters.reasons],
        "m.writer": list(filters.writers),
        "m.id": list(filters.ids),
    }
    for column, values in listed.items():
        if values:
            parts.append((f"{column} in (select value from json_each(?))", [json.dumps(values)]))
    for tag in filters.tags:
        parts.append(("exists (select 1 from json_each(m.tags) where value = ? collate nocase)", [tag]))
    for pattern in filters.scopes:
        parts.append(("exists (select 1 from json_each(m.scope) where value = ?)", [pattern]))
    if filters.paths:
        covered = " or ".join(["scope_covers(m.scope, ?)"] * len(filters.paths))
        parts.append((f"({covered})", [*filters.paths]))
    bounds = {
        "m.confidence >= ?": filters.min_confidence if filters.min_confidence > 0 else None,
        "m.confidence < ?": filters.below_confidence,
        "m.created_at < ?": to_micros(filters.before),
        "m.created_at >= ?": to_micros(filters.after),
        "m.expires_at > ?": to_micros(filters.expired_since),
    }
    parts += [(sql, [bound]) for sql, bound in bounds.items() if bound is not None]
    if filters.expired_since:
        parts.append(("(m.status <> 'archived' or m.reason = 'expired')", []))
    if filters.has_outcome is not None:
        parts.append((f"(m.worked + m.failed + m.partial > 0) = {int(filters.has_outcome)}", []))
    if filters.drifted:
        parts.append((_DRIFTED, []))
    if filters.proposed:
        parts.append((_PROPOSED, []))
    if not filters.superseded:
        parts.append((f"(m.status <> 'active' or not {superseded('m')})", []))
    if Reason.FORGOTTEN not in filters.reasons:
        parts.append(("m.reason is not 'forgotten'", []))
    return " and ".join(sql for sql, _ in parts), [value for _, values in parts for value in values]


def reach(filters: Filters, project: str = "m.project") -> tuple[str, list[Any]]:
    """The condition for whose memories are looked at; `project` is how the statement names their project."""
    if filters.reach is Reach.ALL:
        return "1", []
    if filters.reach is Reach.GLOBAL or filters.project is None:
        return f"{project} is null", []
    return f"({project} is null or {project} = (select row from project where id = ?))", [filters.project]

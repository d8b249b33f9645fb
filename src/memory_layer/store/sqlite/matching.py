"""Conditions of a list: its filters, its words, and what is hidden by now."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.model.filters import restricting
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Status
from memory_layer.store.rows import to_micros
from memory_layer.store.sqlite.filters import where

if TYPE_CHECKING:
    from memory_layer.model.lists import Wording
    from memory_layer.store.sqlite.connection import Connections

Part = tuple[str, list[Any]]
#: The filters that the kept counts can answer.
KEPT = frozenset(
    "reach owner categories tiers sources statuses reasons writers has_outcome expired superseded".split()
)
#: Read once for each statement: the active memories that an active one supersedes.
_SUPERSEDED = (
    "select r.target from link r indexed by link_supersedes cross join memory s on s.row = r.source"
    " where r.kind = 'supersedes' and s.status = 'active'"
)
_EXPIRED = (
    "select e.row from memory e indexed by memory_expiry where e.status = 'active' and e.expires_at <= ?"
)
#: Of so many matches at most a text is looked up first, and the memories then.
FEW = 2_000


def is_kept(filters: Filters) -> bool:
    """Check whether kept counts answer these filters."""
    return all(rule.field in KEPT for rule, _ in restricting(filters))


def matching(filters: Filters, wording: Wording, now: datetime) -> Part:
    """Return the condition for memories that pass the filters and contain the words."""
    condition, parameters = where(filters._replace(superseded=True), now)
    parts = [condition]
    if not filters.superseded:
        parts.append(f"(m.status <> 'active' or m.row not in ({_SUPERSEDED}))")
    if expression := match_all(wording):
        parts.append("m.row in (select rowid from memory_fts where memory_fts match ?)")
        parameters = [*parameters, expression]
    if wording.texts:
        parts.append("holds(m.content, ?)")
        parameters = [*parameters, json.dumps(wording.texts)]
    return " and ".join(parts), parameters


def hidden(filters: Filters, now: datetime) -> Part | None:
    """Return the rows of active memories that these filters hide by now; None if they hide none."""
    if filters.statuses and Status.ACTIVE not in filters.statuses:
        return None
    parts = [] if filters.superseded else [_SUPERSEDED]
    if filters.expired:
        return (parts[0], []) if parts else None
    return " union ".join([_EXPIRED, *parts]), [to_micros(now)]


def lasting(filters: Filters) -> Filters:
    """Return the filters without those that hide memories as time passes."""
    return filters._replace(expired=True, superseded=True)


def match_all(wording: Wording) -> str:
    """Return the full-text expression; every word is quoted, so that no text is parsed as syntax."""
    parts = [_quoted(term) for term in wording.terms]
    parts += [f"labels : {_quoted(term)}" for term in wording.labels]
    last = [_quoted(term) for term in wording.last]
    if wording.prefix:
        last.append(f"{_quoted(wording.prefix)} *")
    if last:
        parts.append(f"({' OR '.join(last)})")
    return " AND ".join(parts)


def is_rare(connection: Connections, wording: Wording) -> bool:
    """Check whether only few memories contain the words."""
    expression = match_all(wording)
    if not expression:
        return False
    found = connection.row(
        "select count(*) as n from (select 1 from memory_fts where memory_fts match ? limit ?)",
        [expression, FEW + 1],
    )
    return found is not None and found["n"] <= FEW


def source(filters: Filters, *, rare: bool) -> str:
    """Return the table to read, with the index that holds what filters ask for unless few rows are looked up."""
    # Ids, proposals and drifted sources name their rows themselves.
    if rare or filters.ids or filters.proposed or filters.drifted:
        return "memory m"
    return "memory m indexed by memory_list"


def project_keys(connection: Connections, projects: Sequence[int | None]) -> dict[int | None, str]:
    """Return the keys of projects by their rows; empty for none."""
    found = connection.rows(
        "select row, key from project where row in (select value from json_each(?))",
        [json.dumps([each for each in projects if each is not None])],
    )
    return {None: "", **{row["row"]: row["key"] for row in found}}


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""').replace("\0", " ") + '"'

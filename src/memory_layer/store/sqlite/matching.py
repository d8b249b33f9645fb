"""Conditions of a list: its filters, its words, and what is hidden by now."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.model.filters import restricting
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
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
#: Of so many matches at most words or tags are looked up first, and the memories then.
FEW = 2_000
#: Words that more memories contain are not counted.
MOST_COUNTED = 10_000


class Matches(NamedTuple):
    """The memories that pass filters and contain words: a table to read, with the condition in it."""

    table: str
    condition: str
    parameters: list[Any]
    rare: bool = False  #: few rows are looked up, in no order
    common: bool = False  #: very many memories contain the words

    def along(self, index: str) -> Matches:
        """Return these matches read along an index, which is met soon if there are many."""
        return self._replace(table=f"memory m indexed by {index}")


def is_kept(filters: Filters) -> bool:
    """Check whether kept counts answer these filters."""
    return all(rule.field in KEPT for rule, _ in restricting(filters))


def matching(connection: Connections, filters: Filters, wording: Wording, now: datetime) -> Matches:
    """Find the best way to the memories that pass the filters and contain the words."""
    expression = match_all(wording)
    words = _at_most(connection, _WITH_WORDS, [expression]) if expression else MOST_COUNTED
    condition, parameters = conditions(filters, wording, now)
    if driver := _driver(connection, filters, expression if words <= FEW else ""):
        # A cross join keeps its order: the few are looked up.
        table = f"({driver[0]}) f cross join memory m on m.row = f.row"
        return Matches(table, condition, [*driver[1], *parameters], rare=True)
    if filters.proposed or filters.drifted:  # they name their rows themselves
        return Matches("memory m", condition, parameters, rare=True)
    return Matches("memory m indexed by memory_list", condition, parameters, common=words > MOST_COUNTED)


_WITH_WORDS = "select rowid as row from memory_fts where memory_fts match ?"
_WITH_TAG = "select memory as row from memory_tag where tag = lower(?)"


def _driver(connection: Connections, filters: Filters, expression: str) -> Part | None:
    """Return a statement for few rows that contain all matches; None if there is none."""
    if filters.ids:
        return "select row from memory where id in (select value from json_each(?))", [
            json.dumps(filters.ids)
        ]
    if expression:
        return _WITH_WORDS, [expression]
    if filters.tags:
        counts = {tag: _at_most(connection, _WITH_TAG, [tag]) for tag in filters.tags}
        rarest = min(counts, key=counts.__getitem__)
        return (_WITH_TAG, [rarest]) if counts[rarest] <= FEW else None
    return None


def _at_most(connection: Connections, rows: str, parameters: list[Any]) -> int:
    """Count rows up to the bound of what is counted, and one more."""
    found = connection.row(
        f"select count(*) as n from (select 1 from ({rows}) limit ?)", [*parameters, MOST_COUNTED + 1]
    )
    return int(found["n"]) if found else 0


def conditions(filters: Filters, wording: Wording, now: datetime) -> Part:
    """Return the condition for memories that pass the filters and contain the words."""
    condition, parameters = where(filters._replace(superseded=True), now)
    parts = [condition]
    if not filters.superseded:
        parts.append(f"(m.status <> 'active' or m.row not in ({_SUPERSEDED}))")
    if expression := match_all(wording):
        parts.append(f"m.row in ({_WITH_WORDS})")
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
    last = [_quoted(term) for term in wording.last]
    if wording.prefix:
        last.append(f"{_quoted(wording.prefix)} *")
    if last:
        parts.append(f"({' OR '.join(last)})")
    return " AND ".join(parts)


def project_keys(connection: Connections, projects: Sequence[int | None]) -> dict[int | None, str]:
    """Return the keys of projects by their rows; empty for none."""
    found = connection.rows(
        "select row, key from project where row in (select value from json_each(?))",
        [json.dumps([each for each in projects if each is not None])],
    )
    return {None: "", **{row["row"]: row["key"] for row in found}}


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""').replace("\0", " ") + '"'

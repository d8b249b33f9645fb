"""Read few columns of many memories: for contexts and runs, and for totals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memory_layer.model.context import Present, Warrant
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Category, Priority, Status
from memory_layer.store.rows import from_micros, moment
from memory_layer.store.sqlite.filters import (
    DISPUTED,
    LEARNED,
    TOUCHED,
    VOUCHED,
    column_values,
    only_vouched,
    project_ids,
    where,
)

if TYPE_CHECKING:
    from memory_layer.ports.store import Order
    from memory_layer.store.sqlite.connection import Connections

    ColumnValues = Mapping[str, Sequence[str]]  #: allowed values by column

_COLUMNS = (
    "select m.id, m.project, p.key, m.status, m.category, m.priority, m.reinforcement_count, m.confidence, m.relevance,"
    f" m.created_at, {TOUCHED} as touched, m.expires_at, m.scope, m.tags,"
    f" {VOUCHED} as vouched, {LEARNED} as learned, {DISPUTED} as disputed from memory m {{}}"
    " left join project p on p.row = m.project where "
)
#: The conditions of the indexes, verbatim, or SQLite does not use them.
_FACTS = "m.status = 'active' and m.tier = 'semantic' and m.project is ?"
#: The column values that each partial index covers.
_FACT: ColumnValues = {"status": ["active"], "tier": ["semantic"]}
_IMPORTANT: ColumnValues = {**_FACT, "priority": ["critical", "high"]}
_PROCEDURE: ColumnValues = {"status": ["active"], "tier": ["procedural"]}
_NEXT = (
    "select m.category, m.reinforcement_count from memory m indexed by {} where {} and {}"
    " order by m.category, m.reinforcement_count limit 1"
)

#: The index to use, with its conditions and their values.
Way = tuple[str, str, list[object]]


_STATUSES = {each.value: each for each in Status}
_CATEGORIES = {each.value: each for each in Category}
_PRIORITIES = {each.value: each for each in Priority}


class Presence:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def present(self, filters: Filters, now: datetime, most: int | None, order: Order) -> list[Present]:
        """Return matching memories, at most `most` of each group that the order defines.

        `presence` groups by project, category and number of confirmations, `touched` by project and, if scopes are
        given exactly, scope; both prefer the most recently touched. `trust` makes a single group and prefers the
        highest confidence times relevance.
        """
        own, limit = self._row_of(filters.project), -1 if most is None else most
        if order == "trust":
            condition, parameters = where(filters, now)
            found = self._connection.rows(
                f"{_COLUMNS.format('')}{condition} order by m.confidence * m.relevance desc, m.id limit ?",
                [*parameters, limit],
            )
            return [_present(row, own) for row in found]
        condition, parameters = where(filters._replace(reach=Reach.ALL), now)
        columns = column_values(filters)
        return [
            _present(row, own)
            for project in self._reached(filters, own)
            for index, facts, values in self._ways(
                columns,
                project,
                order,
                most,
                only_vouched(filters, here=own is not None and project == own),
            )
            for row in self._connection.rows(
                f"{_COLUMNS.format(index)}{facts} and {condition} order by {TOUCHED} desc limit ?",
                [*values, *parameters, limit],
            )
        ]

    def _ways(
        self, columns: ColumnValues, project: int | None, order: Order, most: int | None, vouched: bool
    ) -> Iterator[Way]:
        """Yield the statement for each group of a project."""
        if order == "touched":
            yield from _by_scope(columns, project)
        elif most is None and _within(columns, _IMPORTANT):
            yield (
                "indexed by memory_baseline",
                f"{_FACTS} and m.priority in ('critical', 'high')",
                [project],
            )
        elif _within(columns, _FACT):
            index, those = (
                ("memory_vouched", f"{_FACTS} and {VOUCHED}") if vouched else ("memory_presence", _FACTS)
            )
            for group in self._groups(index, those, project):
                yield (
                    f"indexed by {index}",
                    f"{those} and m.category = ? and m.reinforcement_count = ?",
                    [project, *group],
                )
        else:
            found = self._connection.rows(
                "select distinct category, reinforcement_count from memory where project is ? order by 1, 2",
                [project],
            )
            for row in found:
                yield "", "m.project is ? and m.category = ? and m.reinforcement_count = ?", [project, *row]

    def _groups(self, index: str, facts: str, project: int | None) -> Iterator[tuple[str, int]]:
        """Yield every pair of category and confirmations that exists, by skipping through the index."""
        category, confirmations = "", 0
        while row := self._connection.row(
            _NEXT.format(index, facts, "m.category = ? and m.reinforcement_count > ?"),
            [project, category, confirmations],
        ) or self._connection.row(_NEXT.format(index, facts, "m.category > ?"), [project, category]):
            category, confirmations = row["category"], row["reinforcement_count"]
            yield category, confirmations

    def scopes(self, filters: Filters) -> list[tuple[str, ...]]:
        """Return every set of scope patterns of an active memory in reach, by skipping through the index."""
        found: dict[str, None] = {}
        for project in self._reached(filters, self._row_of(filters.project)):
            scope = ""
            while row := self._connection.row(
                "select m.scope from memory m indexed by memory_scope"
                " where m.status = 'active' and m.scope <> '[]' and m.project is ? and m.scope > ?"
                " order by m.scope limit 1",
                [project, scope],
            ):
                scope = row["scope"]
                found[scope] = None
        return [_listed(scope) for scope in found]

    def _row_of(self, project: str | None) -> int | None:
        row = self._connection.row("select row from project where id = ?", [project]) if project else None
        return int(row["row"]) if row else None

    def _reached(self, filters: Filters, own: int | None) -> Sequence[int | None]:
        """Return the projects to read, None for global memories."""
        ids = project_ids(filters)
        if ids is None:
            every = self._connection.rows("select row from project order by row")
            return [None, *(row["row"] for row in every)]
        return [None if each is None else own for each in ids if each is None or own is not None]


def _by_scope(columns: ColumnValues, project: int | None) -> Iterator[Way]:
    facts = _within(columns, _FACT)
    scopes = columns.get("scope", ())
    for scope in scopes:
        index, those = (
            ("indexed by memory_scope", "m.scope <> '[]'") if scope != "[]" and facts else ("", "1")
        )
        active = " and m.status = 'active'" if facts else ""
        yield index, f"m.project is ?{active} and m.scope = ? and {those}", [project, scope]
    if not scopes and _within(columns, _PROCEDURE):
        those = "m.status = 'active' and m.tier = 'procedural' and m.project is ?"
        yield "indexed by memory_procedure", those, [project]
    elif not scopes:
        yield "", "m.project is ?", [project]


def _within(columns: ColumnValues, index: ColumnValues) -> bool:
    """Check whether a partial index with these column values contains every match."""
    return all(name in columns and {*columns[name]} <= {*values} for name, values in index.items())


def _present(row: Any, own: int | None) -> Present:
    # Access by position and cached lookups, because a run reads every memory that has labels.
    id_, project, key, status, category, priority, confirmations, confidence, relevance, *more = row
    created, touched, expires, scope, tags, vouched, learned, disputed = more
    here = own is not None and project == own
    return Present(
        id_,
        _CATEGORIES[category],
        _PRIORITIES[priority],
        confirmations,
        moment(created),
        moment(touched),
        key,
        _STATUSES[status],
        confidence,
        relevance,
        from_micros(expires),
        _listed(scope),
        _listed(tags),
        Warrant(bool(vouched), here and bool(learned), bool(disputed)),
    )


@lru_cache(maxsize=4096)
def _listed(text: str) -> tuple[str, ...]:
    """Parse a JSON list; cached because many memories have the same labels."""
    return tuple(json.loads(text))

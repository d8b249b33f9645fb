"""Light rows of memories, for contexts and runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memory_layer.model.context import Present, Warrant
from memory_layer.model.query import HIGH, LOW, Filters, Reach, Total
from memory_layer.model.vocabulary import Category, Priority, Reason, Status, Tier
from memory_layer.store.rows import from_micros, moment, to_json
from memory_layer.store.sqlite.filters import DISPUTED, LEARNED, TOUCHED, VOUCHED, where

if TYPE_CHECKING:
    from memory_layer.ports.store import Order
    from memory_layer.store.sqlite.connection import Connections


_COLUMNS = (
    "select m.id, m.project, p.key, m.status, m.category, m.priority, m.reinforcement_count, m.confidence, m.relevance,"
    f" m.created_at, {TOUCHED} as touched, m.expires_at, m.scope, m.tags,"
    f" {VOUCHED} as vouched, {LEARNED} as learned, {DISPUTED} as disputed from memory m {{}}"
    " left join project p on p.row = m.project where "
)
#: The conditions of the indexes, letter by letter; else they are not used.
_FACTS = "m.status = 'active' and m.tier = 'semantic' and m.project is ?"
_IMPORTANT = {Priority.CRITICAL, Priority.HIGH}
_NEXT = (
    "select m.category, m.reinforcement_count from memory m indexed by {} where {} and {}"
    " order by m.category, m.reinforcement_count limit 1"
)

#: Which index answers, with its conditions and their values.
Way = tuple[str, str, list[object]]


_STATUSES = {each.value: each for each in Status}
_CATEGORIES = {each.value: each for each in Category}
_PRIORITIES = {each.value: each for each in Priority}


class Presence:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def present(self, filters: Filters, now: datetime, most: int | None, order: Order) -> list[Present]:
        """Return memories that pass, `most` of each group that an order makes.

        `presence` makes one of each project, category and number of confirmations, and `touched` one of each project
        and, if scopes are given exactly, scope; both prefer what was touched last. `trust` makes a single one and
        prefers what has the most confidence times relevance.
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
        return [
            _present(row, own)
            for project in self._reached(filters, own)
            for index, facts, values in self._ways(
                filters, project, order, own is not None and project == own, most
            )
            for row in self._connection.rows(
                f"{_COLUMNS.format(index)}{facts} and {condition} order by {TOUCHED} desc limit ?",
                [*values, *parameters, limit],
            )
        ]

    def _ways(
        self, filters: Filters, project: int | None, order: Order, here: bool, most: int | None
    ) -> Iterator[Way]:
        """Yield for each group of a project how it is read."""
        facts = filters.statuses == (Status.ACTIVE,) and filters.tiers == (Tier.SEMANTIC,)
        if order == "touched":
            yield from self._by_scope(filters, project, facts)
        elif facts and most is None and filters.priorities and {*filters.priorities} <= _IMPORTANT:
            yield (
                "indexed by memory_baseline",
                f"{_FACTS} and m.priority in ('critical', 'high')",
                [project],
            )
        elif facts:
            only_vouched = filters.giving is not None and not here
            index, those = (
                ("memory_vouched", f"{_FACTS} and {VOUCHED}") if only_vouched else ("memory_presence", _FACTS)
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

    def _by_scope(self, filters: Filters, project: int | None, facts: bool) -> Iterator[Way]:
        for scope in filters.exact_scopes:
            index, those = ("indexed by memory_scope", "m.scope <> '[]'") if scope and facts else ("", "1")
            active = " and m.status = 'active'" if facts else ""
            yield (
                index,
                f"m.project is ?{active} and m.scope = ? and {those}",
                [project, to_json(list(scope))],
            )
        if (
            not filters.exact_scopes
            and filters.tiers == (Tier.PROCEDURAL,)
            and filters.statuses == (Status.ACTIVE,)
        ):
            those = "m.status = 'active' and m.tier = 'procedural' and m.project is ?"
            yield "indexed by memory_procedure", those, [project]
        elif not filters.exact_scopes:
            yield "", "m.project is ?", [project]

    def _groups(self, index: str, facts: str, project: int | None) -> Iterator[tuple[str, int]]:
        """Yield every category with every number of confirmations it has, found by leaps through the index."""
        category, confirmations = "", 0
        while row := self._connection.row(
            _NEXT.format(index, facts, "m.category = ? and m.reinforcement_count > ?"),
            [project, category, confirmations],
        ) or self._connection.row(_NEXT.format(index, facts, "m.category > ?"), [project, category]):
            category, confirmations = row["category"], row["reinforcement_count"]
            yield category, confirmations

    def scopes(self, filters: Filters) -> list[tuple[str, ...]]:
        """Return every set of patterns that an active memory within reach carries, found by leaps through the index."""
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
        """Return the projects whose memories count, None for those that apply everywhere."""
        if filters.reach is Reach.ALL:
            every = self._connection.rows("select row from project order by row")
            return [None, *(row["row"] for row in every)]
        if filters.reach is Reach.GLOBAL or own is None:
            return [None]
        return [own, None]


def _present(row: Any, own: int | None) -> Present:
    # By place and by dictionaries, because a run looks at every memory that has labels.
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
    """A list from its JSON; many memories have the same labels."""
    return tuple(json.loads(text))


def totals(connection: Connections, filters: Filters, now: datetime) -> list[Total]:
    """Return sums over everything the filters let through, one for each kind of memory that is there."""
    condition, parameters = where(filters, now)
    groups = connection.rows(
        "select g.*, p.key from (select m.project, m.status, m.reason, m.category, m.tier, count(*) as n,"
        " sum(m.outcome_score) as score, sum(m.tokens) as tokens,"
        f" sum(m.outcome_score > {HIGH}) as high, sum(m.outcome_score < {LOW}) as low"
        f" from memory m where {condition} group by m.project, m.status, m.reason, m.category, m.tier) g"
        " left join project p on p.row = g.project",
        parameters,
    )
    return [
        Total(
            project=group["key"],
            status=Status(group["status"]),
            reason=Reason(group["reason"]) if group["reason"] else None,
            category=Category(group["category"]),
            tier=Tier(group["tier"]),
            memories=group["n"],
            outcome_score=group["score"],
            tokens=group["tokens"],
            high=group["high"],
            low=group["low"],
        )
        for group in groups
    ]

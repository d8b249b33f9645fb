"""Facts by how present they are, for contexts and runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memory_layer.model.context import Present, Warrant
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Category, Priority, Status
from memory_layer.store.rows import from_micros, moment
from memory_layer.store.sqlite.filters import LEARNED, VOUCHED, WARRANT, WARRANTED, where

if TYPE_CHECKING:
    from memory_layer.model.runs import Choosable
    from memory_layer.store.sqlite.connection import Connections

#: As the index has it, letter by letter; else it is not used.
_TOUCHED = (
    "max(m.created_at, m.updated_at, coalesce(m.last_used_at, 0), coalesce(m.last_recalled_at, 0),"
    " coalesce(m.reinforced_at, 0))"
)
_COLUMNS = (
    "select m.row, m.id, m.category, m.priority, m.reinforcement_count, m.created_at, m.scope,"
    f" {_TOUCHED} as touched, {WARRANT} from memory m"
)
#: The conditions of the indexes, likewise.
_FACTS = "m.status = 'active' and m.tier = 'semantic' and m.project is ?"
_NEXT = (
    "select m.category, m.reinforcement_count from memory m indexed by {} where {} and {}"
    " order by m.category, m.reinforcement_count limit 1"
)
#: The index for the project that a context is for, and for all others: of them only what a person stands for.
_OWN, _OTHERS = ("memory_presence", _FACTS), ("memory_vouched", f"{_FACTS} and {VOUCHED}")


#: What may be given of the project that a context is for, and of others: whatever is asked, and for a path it covers.
_UNASKED = {True: WARRANTED, False: VOUCHED}
_BY_SCOPE = {True: f"({VOUCHED} or {LEARNED})", False: VOUCHED}
_CHOOSABLE = (
    "select m.id, m.status, m.expires_at, m.confidence, m.relevance, m.scope, m.tags,"
    f" {WARRANT} from memory m where "
)


class Presence:
    """Light rows of memories that may be given unasked."""

    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def always_given(
        self, filters: Filters, now: datetime, categories: Collection[Category]
    ) -> list[Present]:
        """All of these categories and of priority high or critical that may be given whatever is asked."""
        condition, parameters = where(filters._replace(reach=Reach.ALL), now)
        names = json.dumps([category.value for category in categories])
        return [
            _present(row, here)
            for project, here in self._reached(filters)
            for row in self._connection.rows(
                f"{_COLUMNS} indexed by memory_baseline where {_FACTS} and m.priority in ('critical', 'high')"
                f" and m.category in (select value from json_each(?)) and {_UNASKED[here]} and {condition}",
                [project, names, *parameters],
            )
        ]

    def most_present(self, filters: Filters, now: datetime, most: int, unscoped: bool) -> list[Present]:
        """Of each category and number of confirmations those touched last, if asked only what applies everywhere.

        Only what may be given whatever is asked counts. Whatever the weights of categories and the speed of fading
        are, the most present ones are among them.
        """
        condition, parameters = where(filters._replace(reach=Reach.ALL), now)
        condition += " and m.scope = '[]'" if unscoped else ""
        found: list[Present] = []
        for project, here in self._reached(filters):
            index, facts = _OWN if here else _OTHERS
            for category, confirmations in self._groups(project, here):
                rows = self._connection.rows(
                    f"{_COLUMNS} indexed by {index} where {facts}"
                    f" and m.category = ? and m.reinforcement_count = ? and {_UNASKED[here]} and {condition}"
                    f" order by {_TOUCHED} desc limit ?",
                    [project, category, confirmations, *parameters, most],
                )
                found += [_present(row, here) for row in rows]
        return found

    def _groups(self, project: int | None, here: bool) -> Iterator[tuple[str, int]]:
        """Every category with every number of confirmations it has, found by leaps through the index."""
        category, confirmations = "", 0
        within = _OWN if here else _OTHERS
        while row := self._connection.row(
            _NEXT.format(*within, "m.category = ? and m.reinforcement_count > ?"),
            [project, category, confirmations],
        ) or self._connection.row(_NEXT.format(*within, "m.category > ?"), [project, category]):
            category, confirmations = row["category"], row["reinforcement_count"]
            yield category, confirmations

    def scoped(
        self, filters: Filters, now: datetime, covers: Callable[[tuple[str, ...]], bool], most: int
    ) -> list[Present]:
        """Those whose patterns cover something, of each set of patterns the ones touched last.

        An agent's patterns count in the project they were written in, and nowhere else.
        """
        condition, parameters = where(filters._replace(reach=Reach.ALL), now)
        found: list[Present] = []
        for project, here in self._reached(filters):
            for scope in self._scopes(project):
                if covers(tuple(json.loads(scope))):
                    rows = self._connection.rows(
                        f"{_COLUMNS} indexed by memory_scope where {_FACTS} and m.scope = ? and m.scope <> '[]'"
                        f" and {_BY_SCOPE[here]} and {condition}"
                        f" order by {_TOUCHED} desc limit ?",
                        [project, scope, *parameters, most],
                    )
                    found += [_present(row, here) for row in rows]
        return found

    def _scopes(self, project: int | None) -> Iterator[str]:
        """Every set of patterns that somebody gave a memory."""
        scope = ""
        while row := self._connection.row(
            "select m.scope from memory m indexed by memory_scope"
            " where m.status = 'active' and m.scope <> '[]' and m.project is ? and m.scope > ?"
            " order by m.scope limit 1",
            [project, scope],
        ):
            scope = row["scope"]
            yield scope

    def knows_procedures(self, filters: Filters) -> bool:
        """Whether there is any procedure that could be given."""
        return any(
            self._connection.row(
                "select 1 from memory m indexed by memory_procedure"
                " where m.status = 'active' and m.tier = 'procedural' and m.project is ? limit 1",
                [project],
            )
            for project, _ in self._reached(filters)
        )

    def _reached(self, filters: Filters) -> list[tuple[int | None, bool]]:
        """The projects whose memories count, None for those that apply everywhere, each with whether it is the own."""
        own = (
            self._connection.row("select row from project where id = ?", [filters.project])
            if filters.project
            else None
        )
        if filters.reach is Reach.ALL:
            every = self._connection.rows("select row from project order by row")
            return [
                (None, False),
                *((row["row"], own is not None and row["row"] == own["row"]) for row in every),
            ]
        if filters.reach is Reach.GLOBAL or own is None:
            return [(None, False)]
        return [(own["row"], True), (None, False)]

    def choosable(
        self, filters: Filters, now: datetime, without: Sequence[str], most: int, labelled: bool, named: bool
    ) -> list[Choosable]:
        """The best that pass, by confidence times relevance, and if asked all that have labels; without some.

        Unless somebody `named` them only those of the filters' project and those that a person vouches for.
        """
        condition, parameters = where(filters, now)
        condition = condition if named else f"{condition} and {WARRANTED}"
        base = f"{_CHOOSABLE}{condition} and m.id not in (select value from json_each(?))"
        parameters = [*parameters, json.dumps(list(without))]
        best = self._connection.rows(
            f"{base} order by m.confidence * m.relevance desc, m.id limit ?", [*parameters, most]
        )
        if labelled:
            best += self._connection.rows(f"{base} and (m.scope <> '[]' or m.tags <> '[]')", parameters)
        return list({row["id"]: _choosable(row) for row in best}.values())


def _present(row: Any, here: bool) -> Present:
    return Present(
        row=row["row"],
        id=row["id"],
        category=Category(row["category"]),
        priority=Priority(row["priority"]),
        confirmations=row["reinforcement_count"],
        created=moment(row["created_at"]),
        touched=moment(row["touched"]),
        scope=tuple(json.loads(row["scope"])),
        warrant=Warrant(bool(row["vouched"]), here and bool(row["learned"]), bool(row["disputed"])),
    )


def _choosable(row: Any) -> Choosable:
    from memory_layer.model.runs import Choosable  # few commands know of runs

    return Choosable(
        id=row["id"],
        status=Status(row["status"]),
        expires_at=from_micros(row["expires_at"]),
        confidence=row["confidence"],
        relevance=row["relevance"],
        scope=_listed(row["scope"]),
        tags=_listed(row["tags"]),
        warrant=Warrant(bool(row["vouched"]), bool(row["learned"]), bool(row["disputed"])),
    )


@lru_cache(maxsize=4096)
def _listed(text: str) -> tuple[str, ...]:
    """A list from its JSON; many memories have the same labels."""
    return tuple(json.loads(text))

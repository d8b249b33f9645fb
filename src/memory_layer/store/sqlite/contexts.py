"""Facts by how present they are, and the texts that agents were given."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.model.context import Kept, KeptLine, Present, Warrant
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Category, Priority
from memory_layer.store.rows import moment, to_json
from memory_layer.store.sqlite.filters import LEARNED, VOUCHED, WARRANT, WARRANTED, where

if TYPE_CHECKING:
    from memory_layer.store.sqlite import SqliteStore

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


class ContextVerbs:
    """The verbs of a context over an open store."""

    def __init__(self, store: SqliteStore) -> None:
        self._run, self._row, self._rows = store._run, store._row, store._rows

    def always_given(
        self, filters: Filters, now: datetime, categories: Collection[Category]
    ) -> list[Present]:
        """All of these categories and of priority high or critical that may be given whatever is asked."""
        condition, parameters = where(filters._replace(reach=Reach.ALL), now)
        names = json.dumps([category.value for category in categories])
        return [
            _present(row, here)
            for project, here in self._reached(filters)
            for row in self._rows(
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
                rows = self._rows(
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
        while row := self._row(
            _NEXT.format(*within, "m.category = ? and m.reinforcement_count > ?"),
            [project, category, confirmations],
        ) or self._row(_NEXT.format(*within, "m.category > ?"), [project, category]):
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
                    rows = self._rows(
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
        while row := self._row(
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
            self._row(
                "select 1 from memory m indexed by memory_procedure"
                " where m.status = 'active' and m.tier = 'procedural' and m.project is ? limit 1",
                [project],
            )
            for project, _ in self._reached(filters)
        )

    def _reached(self, filters: Filters) -> list[tuple[int | None, bool]]:
        """The projects whose memories count, None for those that apply everywhere, each with whether it is the own."""
        own = (
            self._row("select row from project where id = ?", [filters.project]) if filters.project else None
        )
        if filters.reach is Reach.ALL:
            every = self._rows("select row from project order by row")
            return [
                (None, False),
                *((row["row"], own is not None and row["row"] == own["row"]) for row in every),
            ]
        if filters.reach is Reach.GLOBAL or own is None:
            return [(None, False)]
        return [(own["row"], True), (None, False)]

    def record_context(self, recall_id: str, kept: Kept) -> None:
        """Keep of what a text was made; its recall is there already."""
        self._run(
            "insert into context (recall, form, asked, lines, tokens, digest)"
            " values ((select row from recall where id = ?), ?, ?, ?, ?, ?)",
            [recall_id, *columns_of(kept)],
        )

    def context(self, recall_id: str) -> Kept | None:
        """Of what the text of a recall was made; None if it gave no text."""
        row = self._row(
            "select c.* from context c join recall r on r.row = c.recall where r.id = ?", [recall_id]
        )
        return None if row is None else kept_from(row)


def kept_from(row: Any) -> Kept:
    lines = tuple(KeptLine(*line) for line in json.loads(row["lines"]))
    return Kept(row["form"], json.loads(row["asked"]), lines, row["tokens"], row["digest"])


def columns_of(kept: Kept) -> list[object]:
    lines = to_json([list(line) for line in kept.lines])
    return [kept.form, to_json(kept.asked), lines, kept.tokens, kept.digest]


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

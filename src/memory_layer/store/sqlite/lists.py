"""Pages of a list in any order, each continued from a cursor.

Only an index is read to find the rows of a page: `memory_list` holds every column that filters and orders ask for. An
order by score or by use reads those that have one from an index of their own, and then the rest in storage order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.errors import InvalidInput
from memory_layer.model.lists import NO_WORDING, Wording
from memory_layer.model.query import Filters, Page, place, values_at
from memory_layer.model.record import NamedTuple
from memory_layer.store import rows
from memory_layer.store.sqlite.counting import Counting
from memory_layer.store.sqlite.filters import SCORE
from memory_layer.store.sqlite.matching import Matches, is_kept, matching, project_keys

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

#: From this share on of all memories, matches are met soon by walking along an order.
DENSE = 0.25
FEW = 1_000  #: matches that are read and sorted


class Band(NamedTuple):
    """A part of an order: its index, its condition, and the sign of its keys."""

    way: str
    condition: str
    sign: int


class Sort(NamedTuple):
    """An order: its key, the types of a key in a cursor, and the parts or the index to read."""

    key: str
    kinds: type | tuple[type, ...]
    bands: tuple[Band, ...] = ()  #: highest first
    walk: str = ""  #: the index that lies in this order
    by_project: bool = False


_SCORED, _USED = "memory_scored", "memory_used"
SORTS = {
    "created": Sort("m.created_at", int, walk="memory_list"),
    "updated": Sort("m.updated_at", int, walk="memory_updated"),
    "score": Sort(
        SCORE,
        (int, float),
        (
            Band(_SCORED, "m.outcome_score <> 0 and m.outcome_score > 0", 1),
            Band("", "m.outcome_score = 0", 0),
            Band(_SCORED, "m.outcome_score <> 0 and m.outcome_score < 0", -1),
        ),
    ),
    "used": Sort(
        "m.use_count + m.recall_count",
        int,
        (
            Band(_USED, "m.use_count + m.recall_count > 0", 1),
            Band("", "m.use_count + m.recall_count = 0", 0),
        ),
    ),
    "category": Sort("m.category", str, walk="memory_category"),
    "project": Sort(
        "coalesce((select p.key from project p where p.row = m.project), '')", int, by_project=True
    ),
    "confidence": Sort("m.confidence", (int, float), walk="memory_confidence"),
}
#: The rows outside the bands with an index.
_REST = {
    "score": "m.row not in (select row from memory indexed by memory_scored where outcome_score <> 0)",
    "used": "m.row not in (select row from memory indexed by memory_used where use_count + recall_count > 0)",
}


class Wanted(NamedTuple):
    """A page to be read."""

    filters: Filters
    now: datetime
    sort: str
    limit: int
    after: str | None = None
    ascending: bool = False
    wording: Wording = NO_WORDING


class Place(NamedTuple):
    """The place behind which a page begins, and the moment of its scores."""

    key: Any = None
    row: int = 0
    moment: int = 0
    begins: bool = True


class Lists:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection
        self._counting = Counting(connection)

    def page(self, wanted: Wanted) -> Page:
        """Return a page, highest or newest first unless it ascends."""
        begun = _begun(wanted)
        total = self._counting.count(wanted.filters, wanted.now, wanted.wording)
        if total == 0:
            return Page(items=(), next=None, total=0)
        found = self._found(wanted, begun, total)
        last = found[wanted.limit - 1] if len(found) > wanted.limit else None
        return Page(
            items=tuple(self._read([row for row, _ in found[: wanted.limit]])),
            next=self._behind(wanted, begun, *last) if last else None,
            total=total,
        )

    def _found(self, wanted: Wanted, begun: Place, total: int | None) -> list[tuple[int, Any]]:
        """Return the rows of a page and one more, each with its key."""
        matches = matching(self._connection, wanted.filters, wanted.wording, wanted.now)
        sort = SORTS[wanted.sort]
        dense = total is None or total >= DENSE * self._counting.everything()
        if matches.rare or (total is not None and total <= FEW):
            return self._slice(wanted, begun, matches, sort.key, wanted.limit + 1)
        if sort.walk and dense:
            matches = matches.along(sort.walk)
        if sort.by_project and is_kept(wanted.filters) and wanted.wording == NO_WORDING:
            matches = self._in_projects(wanted, begun, matches)
        if not sort.bands:
            return self._slice(wanted, begun, matches, sort.key, wanted.limit + 1)
        found: list[tuple[int, Any]] = []
        for band, start in _bands(sort.bands, begun, ascending=wanted.ascending):
            if missing := wanted.limit + 1 - len(found):
                found += self._band(wanted, start, band, missing, matches, dense=dense)
        return found

    def _band(
        self, wanted: Wanted, begun: Place, band: Band, most: int, matches: Matches, *, dense: bool
    ) -> list[tuple[int, Any]]:
        if band.way:
            key = SORTS[wanted.sort].key
            return self._slice(wanted, begun, matches.along(band.way), key, most, band.condition)
        if dense:
            walked = matches._replace(table="memory m not indexed")
            return self._slice(wanted, begun, walked, "0", most, band.condition)
        return self._slice(wanted, begun, matches, "0", most, _REST[wanted.sort])

    def _in_projects(self, wanted: Wanted, begun: Place, matches: Matches) -> Matches:
        """Return the matches in the projects that the page can reach, by the kept counts."""
        counts = self._counting.by_project(wanted.filters, wanted.now)
        keys = project_keys(self._connection, list(counts))
        ordered = sorted(counts, key=keys.__getitem__, reverse=not wanted.ascending)
        if not begun.begins:
            own = project_keys(self._connection, [begun.key]).get(begun.key, "")
            ordered = (
                ordered[[keys[each] for each in ordered].index(own) :] if own in keys.values() else ordered
            )
        reached, memories = [], 0
        for each in ordered:
            reached.append(each)
            # Of the first project the page before may have shown all but one.
            memories += counts[each] if len(reached) > 1 or begun.begins else 0
            if memories > wanted.limit:
                break
        rest = " or m.project is null" if None in reached else ""
        return matches._replace(
            condition=f"(m.project in (select value from json_each(?)){rest}) and {matches.condition}",
            parameters=[rows.to_json([each for each in reached if each is not None]), *matches.parameters],
        )

    def _slice(
        self, wanted: Wanted, begun: Place, matches: Matches, key: str, most: int, also: str = "1"
    ) -> list[tuple[int, Any]]:
        """Return the first rows behind a place, each with its key."""
        drifting = [begun.moment] if "?" in key else []
        behind, direction = ("<", "desc") if not wanted.ascending else (">", "asc")
        start, values = "", []
        if not begun.begins:
            start = f" where (k, row) {behind} ({self._key_mark(wanted)}, ?)"
            values = [begun.key, begun.row]
        if matches.rare:
            key = f"+({key})"  # or SQLite would walk along the whole order for a few rows
        found = self._connection.rows(
            f"select row, k from (select m.row as row, {key} as k from {matches.table}"
            f" where {also} and {matches.condition})"
            f"{start} order by k {direction}, row {direction} limit ?",
            [*drifting, *matches.parameters, *values, most],
        )
        return [(row[0], row[1]) for row in found]

    def _key_mark(self, wanted: Wanted) -> str:
        """Return the mark for the key of a cursor, which names a project by its row."""
        by_project = SORTS[wanted.sort].by_project
        return "coalesce((select key from project where row = ?), '')" if by_project else "?"

    def _behind(self, wanted: Wanted, begun: Place, row: int, key: Any) -> str:
        """Return the cursor behind a row; no score drifts away from 0 or across it."""
        if SORTS[wanted.sort].by_project:
            found = self._connection.row("select project from memory where row = ?", [row])
            key = (found["project"] if found else None) or 0
        moment = [begun.moment] if wanted.sort == "score" and key else []
        return place([key, row, *moment])

    def _read(self, numbers: Sequence[int]) -> Iterator[Any]:
        """Yield the memories of these rows, in this order."""
        read = self._connection.rows(
            f"select {rows.RECORD}, m.row from memory m left join project p on p.row = m.project"
            " where m.row in (select value from json_each(?))",
            [rows.to_json(list(numbers))],
        )
        found = {tuple(each)[-1]: rows.memory_of(tuple(each)[:-1]) for each in read}
        return (found[number] for number in numbers)


def _begun(wanted: Wanted) -> Place:
    """Decode the cursor of a page: its sort key and row, and the moment of its scores if they drift."""
    # Scores drift: the pages of one list all sort by those of the moment it began.
    moment = rows.to_micros(wanted.now) or 0
    if wanted.after is None:
        return Place(moment=moment)
    kinds = SORTS[wanted.sort].kinds
    try:
        key, row = values_at(wanted.after, kinds, int)
    except InvalidInput:
        if wanted.sort != "score":
            raise
        key, row, moment = values_at(wanted.after, kinds, int, int)  # type: ignore[assignment]
    return Place(key, int(row or 0), moment, begins=False)


def _bands(bands: Sequence[Band], begun: Place, *, ascending: bool) -> Iterator[tuple[Band, Place]]:
    """Yield the parts of an order from a place on, each with the place where it begins."""
    ordered = bands[::-1] if ascending else bands
    if begun.begins:
        yield from ((band, begun) for band in ordered)
        return
    sign = (begun.key > 0) - (begun.key < 0)
    begins = begun._replace(begins=True)
    for band in ordered:
        if band.sign == sign:
            yield band, begun
        elif (band.sign > sign) is ascending:
            yield band, begins

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
from memory_layer.store.sqlite.matching import is_rare, match_all, matching, source

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

#: Above so many memories, matches that no kept count answers are counted up to MOST_COUNTED.
LARGE = 200_000
MOST_COUNTED = 10_000
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
            Band(_SCORED, "m.outcome_score > 0", 1),
            Band("", "m.outcome_score = 0", 0),
            Band(_SCORED, "m.outcome_score < 0", -1),
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
    "category": Sort("m.category", str),
    "project": Sort(
        "coalesce((select p.key from project p where p.row = m.project), '')", int, by_project=True
    ),
    "confidence": Sort("m.confidence", (int, float)),
}
_FOUND = "select rowid as found from memory_fts where memory_fts match ?"
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
        everything = self._counting.everything()
        most = MOST_COUNTED if everything > LARGE else None
        total = self._counting.count(wanted.filters, wanted.now, wanted.wording, most)
        if total == 0:
            return Page(items=(), next=None, total=0)
        share = 1.0 if total is None else total / max(1, everything)
        few = total is not None and total <= FEW
        found = self._found(wanted, begun, few=few, dense=share >= DENSE)
        last = found[wanted.limit - 1] if len(found) > wanted.limit else None
        return Page(
            items=tuple(self._read([row for row, _ in found[: wanted.limit]])),
            next=self._behind(wanted, begun, *last) if last else None,
            total=total,
        )

    def _found(self, wanted: Wanted, begun: Place, *, few: bool, dense: bool) -> list[tuple[int, Any]]:
        """Return the rows of a page and one more, each with its key."""
        rare = is_rare(self._connection, wanted.wording)
        sort = SORTS[wanted.sort]
        if not sort.bands or rare or few:
            table = source(wanted.filters, rare=rare)
            if sort.walk and dense and not rare:
                table = f"memory m indexed by {sort.walk}"
            return self._slice(wanted, begun, table, sort.key, wanted.limit + 1)
        found: list[tuple[int, Any]] = []
        for band, start in _bands(sort.bands, begun, ascending=wanted.ascending):
            missing = wanted.limit + 1 - len(found)
            if missing:
                found += self._band(wanted, start, band, missing, dense=dense)
        return found

    def _band(
        self, wanted: Wanted, begun: Place, band: Band, most: int, *, dense: bool
    ) -> list[tuple[int, Any]]:
        if band.way:
            table = f"memory m indexed by {band.way}"
            return self._slice(wanted, begun, table, SORTS[wanted.sort].key, most, band.condition)
        if dense:
            return self._slice(wanted, begun, "memory m not indexed", "0", most, band.condition)
        table = "memory m indexed by memory_list"
        return self._slice(wanted, begun, table, "0", most, _REST[wanted.sort])

    def _slice(
        self, wanted: Wanted, begun: Place, table: str, key: str, most: int, also: str = "1"
    ) -> list[tuple[int, Any]]:
        """Return the first rows behind a place, each with its key."""
        expression = match_all(wanted.wording) if table == "memory m" else ""
        words = Wording(texts=wanted.wording.texts) if expression else wanted.wording
        condition, parameters = matching(wanted.filters, words, wanted.now)
        if expression:
            # A cross join keeps its order: the few that contain the words are looked up.
            table = f"({_FOUND}) f cross join memory m on m.row = f.found"
            parameters = [expression, *parameters]
        drifting = [begun.moment] if "?" in key else []
        behind, direction = ("<", "desc") if not wanted.ascending else (">", "asc")
        start, values = "", []
        if not begun.begins:
            start = f" where (k, row) {behind} ({self._key_mark(wanted)}, ?)"
            values = [begun.key, begun.row]
        if key == "m.created_at" and "indexed by memory_list" not in table:
            key = "+m.created_at"  # or SQLite would walk along the whole order for a few rows
        found = self._connection.rows(
            f"select row, k from (select m.row as row, {key} as k from {table} where {also} and {condition})"
            f"{start} order by k {direction}, row {direction} limit ?",
            [*drifting, *parameters, *values, most],
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

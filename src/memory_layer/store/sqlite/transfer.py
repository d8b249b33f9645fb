"""Records on their way from one store to another."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.model.query import Reach
from memory_layer.store import rows
from memory_layer.store.sqlite.export_rows import COUNTED, FROM, READ, SAME_PART
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.import_rows import BRING

if TYPE_CHECKING:
    from memory_layer.model.export import Carried, Kind
    from memory_layer.model.query import Filters
    from memory_layer.store.sqlite.connection import Connections

#: How many rows are held in memory at once.
CHUNK = 1000


class SqliteTransfer:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def carried(self, kind: Kind, chosen: Filters | None = None) -> Iterator[Carried]:
        """All records of a kind in their order; with filters only what belongs to the memories they let through."""
        what, whence, condition, order = READ[kind]
        prefix, parameters = _choosing(chosen)
        what = what.format(SAME_PART.get(kind, "") if chosen else "")
        sql = f"{prefix}select {what} from {whence} where {condition if chosen else '1'} order by {order}"
        return FROM[kind](self._stream(sql, parameters))

    def count_carried(self, kind: Kind, chosen: Filters | None = None) -> int:
        """How many records of a kind there are to carry."""
        _, whence, condition, _ = READ[kind]
        prefix, parameters = _choosing(chosen)
        row = self._connection.row(
            f"{prefix}select count({COUNTED.get(kind, '*')}) as n from {whence} where {condition if chosen else '1'}",
            parameters,
        )
        return int(row["n"]) if row else 0

    def bring(self, kind: Kind, records: Sequence[Any]) -> None:
        """Write records of one kind as they are; of what was logged, one that is known stays as it is."""
        BRING[kind](self._connection, records)

    def _stream(self, sql: str, parameters: list[Any]) -> Iterator[sqlite3.Row]:
        with self._connection.using() as db:
            cursor = db.execute(sql, parameters)
            while chunk := cursor.fetchmany(CHUNK):
                yield from chunk


def _choosing(chosen: Filters | None) -> tuple[str, list[Any]]:
    """The rows of the chosen memories as a table of the statement; a project means its own alone."""
    if chosen is None:
        return "", []
    # Which memories have expired depends on the hour, and an export must not.
    condition, parameters = where(chosen._replace(expired=True, superseded=True), rows.EPOCH)
    own = " and m.project is not null" if chosen.reach is Reach.PROJECT else ""
    return (
        f"with chosen as materialized (select m.row from memory m where {condition}{own}) ",
        parameters,
    )

"""Rows of the table of memories by their ids, and the log of their changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.store.rows import to_json

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections


def last_row(connection: Connections) -> int:
    found = connection.row("select seq from sqlite_sequence where name = 'memory'")
    return int(found["seq"]) if found else 0


def changed(connection: Connections, row: int) -> None:
    """Note that a memory is not what it was; what it replaced may come back with it."""
    connection.run(
        "insert into change (memory) select ?1"
        " union all select target from link where source = ?1 and kind = 'supersedes'",
        [row],
    )


def note_change(connection: Connections, memory_id: str) -> None:
    """Note the same of a memory by its id."""
    connection.run(
        "insert into change (memory) select row from memory where id = ?1"
        " union all select l.target from memory m join link l on l.source = m.row"
        " where m.id = ?1 and l.kind = 'supersedes'",
        [memory_id],
    )


def row_of(connection: Connections, memory_id: str) -> int:
    row = connection.row("select row from memory where id = ?", [memory_id])
    assert row is not None
    return int(row["row"])


def ids_by_row(connection: Connections, rows: Sequence[int]) -> dict[int, str]:
    found = connection.rows(
        "select row, id from memory where row in (select value from json_each(?))", [to_json(list(rows))]
    )
    return {row["row"]: row["id"] for row in found}


def rows_by_id(connection: Connections, ids: Sequence[str]) -> dict[str, int]:
    found = connection.rows(
        "select id, row from memory where id in (select value from json_each(?))",
        [to_json(list(ids))],
    )
    return {row["id"]: row["row"] for row in found}

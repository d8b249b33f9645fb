"""Exact comparison of stored vectors with one. Imports numpy only when vectors are really used."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.ports.search import Match
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.half_precision import as_long, products

if TYPE_CHECKING:
    from memory_layer.model.query import Filters
    from memory_layer.ports import Vector
    from memory_layer.store.sqlite.connection import Connections

#: How many stored vectors are held in memory at once while scanning.
CHUNK = 8192


def by_meaning(
    connection: Connections, vector: Vector, fingerprint: str, filters: Filters, now: datetime, limit: int
) -> list[Match]:
    """The nearest by cosine of the best passage."""
    condition, parameters = where(filters, now)
    best = _best(
        connection,
        vector,
        "select v.memory, v.numbers from vector v join memory m on m.row = v.memory"
        f" where v.embedding = (select row from embedding where fingerprint = ?) and {condition}",
        [fingerprint, *parameters],
    )
    ordered = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return [Match(row, score) for row, score in ordered[:limit]]


def similarities(
    connection: Connections, vector: Vector, fingerprint: str, rows: Sequence[int]
) -> dict[int, float]:
    """The cosine of each of these memories that has a vector."""
    return _best(
        connection,
        vector,
        # The order of a cross join is kept: each of the few rows is looked up once.
        "select v.memory, v.numbers from json_each(?) j cross join vector v on v.memory = j.value"
        " and v.embedding = (select row from embedding where fingerprint = ?)",
        [json.dumps(list(rows)), fingerprint],
    )


def query_similarities(
    connection: Connections, vector: Vector, fingerprint: str, queries: Iterable[int]
) -> dict[int, float]:
    """The cosine of earlier questions with this one."""
    return _best(
        connection,
        vector,
        "select row as memory, numbers from query"
        " where embedding = (select row from embedding where fingerprint = ?)"
        " and row in (select value from json_each(?))",
        [fingerprint, json.dumps(sorted(queries))],
    )


def _best(connection: Connections, vector: Vector, sql: str, parameters: Sequence[Any]) -> dict[int, float]:
    """The highest cosine per memory over the rows (memory, numbers) of a query."""
    best: dict[int, float] = {}
    for memories, scores in _scan(connection, vector, sql, parameters):
        for memory, score in zip(memories, scores, strict=True):
            if score > best.get(memory, -2.0):
                best[memory] = score
    return best


def _scan(
    connection: Connections, vector: Vector, sql: str, parameters: Sequence[Any]
) -> Iterator[tuple[list[int], list[float]]]:
    with connection.using() as db:
        cursor = db.execute(sql, parameters)
        while chunk := cursor.fetchmany(CHUNK):
            some = as_long(chunk, len(vector))
            yield [row["memory"] for row in some], products(some, vector).tolist()

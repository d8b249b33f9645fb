"""Exact comparison of stored vectors with one. Imports numpy only when vectors are really used."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

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
) -> list[tuple[int, float]]:
    """Return the rows of the nearest by cosine of the best passage, with their cosines."""
    condition, parameters = where(filters, now)
    best = _best(
        connection,
        vector,
        "select v.memory, v.numbers from vector v join memory m on m.row = v.memory"
        f" where v.embedding = (select row from embedding where fingerprint = ?) and {condition}",
        [fingerprint, *parameters],
    )
    return sorted(best.items(), key=lambda item: (-item[1], item[0]))[:limit]


def similarities(
    connection: Connections, vector: Vector, fingerprint: str, ids: Sequence[str]
) -> dict[str, float]:
    """Return the cosine of each of these memories that has a vector."""
    return _best(
        connection,
        vector,
        # The order of a cross join is kept: each of the few ids is looked up once.
        "select m.id as memory, v.numbers from json_each(?) j cross join memory m on m.id = j.value"
        " cross join vector v on v.memory = m.row"
        " and v.embedding = (select row from embedding where fingerprint = ?)",
        [json.dumps(list(ids)), fingerprint],
    )


def _best(connection: Connections, vector: Vector, sql: str, parameters: Sequence[Any]) -> dict[Any, float]:
    """Return the highest cosine per memory over the rows (memory, numbers) of a query."""
    best: dict[Any, float] = {}
    for memories, scores in _scan(connection, vector, sql, parameters):
        for memory, score in zip(memories, scores, strict=True):
            if score > best.get(memory, -2.0):
                best[memory] = score
    return best


def _scan(
    connection: Connections, vector: Vector, sql: str, parameters: Sequence[Any]
) -> Iterator[tuple[list[Any], list[float]]]:
    with connection.using() as db:
        cursor = db.execute(sql, parameters)
        while chunk := cursor.fetchmany(CHUNK):
            some = as_long(chunk, len(vector))
            yield [row["memory"] for row in some], products(some, vector).tolist()

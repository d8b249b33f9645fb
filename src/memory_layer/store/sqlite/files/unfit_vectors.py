"""Vectors that cannot be compared: of another size than their model's, or not of unit length."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from memory_layer.store.sqlite.memory_rows import changed

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

BATCH = 4096  #: vectors held in memory at once
#: How far the length of a stored vector may be from 1; half precision accounts for a thousandth.
TOLERANCE = 0.01


def unfit_vectors(connection: Connections, sizes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the table and row of each vector that cannot be compared.

    How many numbers a model's have is told by its fingerprint; of other models the commonest size is right.
    """
    return [*_unfit(connection, "vector", "memory", sizes), *_unfit(connection, "query", "row", sizes)]


def drop_vector(connection: Connections, table: str, row: int) -> None:
    """Take a vector away; a memory loses all of its passages, so that it is embedded anew."""
    if table == "vector":
        connection.run("delete from vector where memory = ?", [row])
        changed(connection, row)
    else:
        connection.run("update query set embedding = null, numbers = null where row = ?", [row])


def _unfit(connection: Connections, table: str, key: str, sizes: Mapping[str, int]) -> list[tuple[str, int]]:
    known = connection.rows("select row, fingerprint from embedding")
    told = {row["row"]: 2 * sizes[row["fingerprint"]] for row in known if row["fingerprint"] in sizes}
    usual = _usual_sizes(connection, table) | told
    unfit: list[tuple[str, int]] = []
    with connection.using() as db:
        cursor = db.execute(f"select {key} as key, embedding, numbers from {table} where numbers is not null")
        while batch := cursor.fetchmany(BATCH):
            wanted = [usual[row["embedding"]] for row in batch]
            unfit += [(table, row["key"]) for row in _incomparable(batch, wanted)]
    return unfit


def _usual_sizes(connection: Connections, table: str) -> dict[int, int]:
    """Return the commonest number of bytes of each model's vectors."""
    found = connection.rows(
        f"select embedding, length(numbers) as size, count(*) as n from {table}"
        " where numbers is not null group by embedding, size order by n"
    )
    return {row["embedding"]: row["size"] for row in found}


def _incomparable(batch: list[sqlite3.Row], wanted: list[int]) -> Iterator[sqlite3.Row]:
    """Yield the rows whose vector has another number of bytes than wanted, or is not of unit length."""
    import numpy as np

    alike: dict[int, list[sqlite3.Row]] = {}
    for row, size in zip(batch, wanted, strict=True):
        if size and size % 2 == 0 and len(row["numbers"]) == size:
            alike.setdefault(size, []).append(row)
        else:
            yield row
    for vectors in alike.values():
        numbers = np.frombuffer(b"".join(row["numbers"] for row in vectors), dtype="<f2")
        with np.errstate(all="ignore"):
            lengths = np.linalg.norm(numbers.reshape(len(vectors), -1).astype(np.float32), axis=1)
        fits = (np.abs(lengths - 1.0) <= TOLERANCE).tolist()
        yield from (row for row, fit in zip(vectors, fits, strict=True) if not fit)

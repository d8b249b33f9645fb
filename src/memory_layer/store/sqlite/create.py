"""Insert many new memories at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.store import rows
from memory_layer.store.sqlite.memories import last_row
from memory_layer.store.sqlite.vectors import SqliteVectors

if TYPE_CHECKING:
    from memory_layer.ports.store import New
    from memory_layer.store.sqlite.connection import Connections

#: From how many memories on their writer is given room for the pages of the indexes, of which every memory touches
#: others, and a journal of 64 MB before SQLite moves it into the file. A commit is as durable as any.
MANY = 100
FOR_MANY = ("pragma cache_size = -32768", "pragma wal_autocheckpoint = 16384")


class Creating:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def insert(
        self, new: Sequence[New], columns: Sequence[Mapping[str, Any]], lease_until: datetime | None
    ) -> None:
        """Insert memories with these columns, their terms and vectors; the caller knows that they are new."""
        if len(new) >= MANY:
            for pragma in FOR_MANY:
                self._connection.run(pragma)
        first = last_row(self._connection) + 1
        names = ", ".join(columns[0])
        marks = ", ".join("?" for _ in columns[0])
        lease = rows.to_micros(lease_until)
        self._connection.run_many(
            f"insert into memory (row, {names}, tokens, lease_until, project)"
            f" values (?, {marks}, ?, ?, (select project from project_alias where alias = ?))",
            (
                [row, *values.values(), each.tokens, lease, each.memory.project]
                for row, (values, each) in enumerate(zip(columns, new, strict=True), first)
            ),
        )
        # One statement for all: FTS5 flushes its buffer at the start of each statement.
        words = [[row, each.terms.body, each.terms.labels] for row, each in enumerate(new, first)]
        self._connection.run(
            "insert into memory_terms (row, body, labels) select json_extract(value, '$[0]'),"
            " json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(?)",
            [rows.to_json(words)],
        )
        self._store_vectors(new, first)
        self._connection.run_many(
            "insert into change (memory) values (?)", ([first + at] for at in range(len(new)))
        )

    def _store_vectors(self, new: Sequence[New], first: int) -> None:
        embeddings = {each.vectors[0]: 0 for each in new if each.vectors is not None}
        if not embeddings:
            return
        import numpy as np

        for fingerprint in embeddings:
            embeddings[fingerprint] = SqliteVectors(self._connection).embedding(fingerprint)
        self._connection.run_many(
            "insert into vector (embedding, memory, passage, numbers) values (?, ?, ?, ?)",
            (
                [embeddings[each.vectors[0]], row, passage, vector.tobytes()]
                for row, each in enumerate(new, first)
                if each.vectors is not None
                for passage, vector in enumerate(np.asarray(each.vectors[1], dtype="<f2"))
            ),
        )

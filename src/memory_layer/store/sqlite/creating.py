"""Many new memories written at once, each with its line in the audit chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.store import rows
from memory_layer.store.sqlite.audit import Entry, append
from memory_layer.store.sqlite.memory_rows import last_row
from memory_layer.store.sqlite.vectors import Vectors

if TYPE_CHECKING:
    from memory_layer.ports import Edit
    from memory_layer.ports.memories import New
    from memory_layer.store.sqlite.connection import Connections

#: From how many memories on their writer is given room for the pages of the indexes, of which every memory touches
#: others, and a journal of 64 MB before SQLite moves it into the file. A commit is as durable as any.
MANY = 100
FOR_MANY = ("pragma cache_size = -32768", "pragma wal_autocheckpoint = 16384")


class Creating:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def create(self, new: Sequence[New], edit: Edit) -> None:
        """Store memories as they are, with terms, vectors and history; the caller knows they are new."""
        if not new:
            return
        for each in new:
            self._connection.vet(edit.writer, lambda: None, each.memory)
        if len(new) >= MANY:
            for pragma in FOR_MANY:
                self._connection.run(pragma)
        first = last_row(self._connection) + 1
        columns = [rows.columns(each.memory) for each in new]
        names = ", ".join(columns[0])
        marks = ", ".join("?" for _ in columns[0])
        self._connection.run_many(
            f"insert into memory (row, {names}, tokens, project)"
            f" values (?, {marks}, ?, (select project from project_alias where alias = ?))",
            (
                [row, *values.values(), each.tokens, each.memory.project]
                for row, (values, each) in enumerate(zip(columns, new, strict=True), first)
            ),
        )
        # One statement for all: full text writes what it has gathered at the beginning of each.
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
        append(self._connection, edit, [Entry(each["id"], rows.digest(each)) for each in columns])

    def _store_vectors(self, new: Sequence[New], first: int) -> None:
        embeddings = {each.vectors[0]: 0 for each in new if each.vectors is not None}
        if not embeddings:
            return
        import numpy as np

        for fingerprint in embeddings:
            embeddings[fingerprint] = Vectors(self._connection).embedding(fingerprint)
        self._connection.run_many(
            "insert into vector (embedding, memory, passage, numbers) values (?, ?, ?, ?)",
            (
                [embeddings[each.vectors[0]], row, passage, vector.tobytes()]
                for row, each in enumerate(new, first)
                if each.vectors is not None
                for passage, vector in enumerate(np.asarray(each.vectors[1], dtype="<f2"))
            ),
        )

"""Vectors at rest and their exact comparison. Imports numpy only when vectors are really used."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.ports import Match
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.half_precision import as_floats, as_long, products
from memory_layer.store.sqlite.neighbours import Neighbours

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters
    from memory_layer.ports import Neighbourhood, Vector
    from memory_layer.ports import Vectors as Passages

#: How many stored vectors are held in memory at once while scanning.
CHUNK = 8192


class Vectors(Neighbours):
    def save_vectors(self, memory_id: str, fingerprint: str, vectors: Passages) -> None:
        """Replace a memory's vectors of this fingerprint."""
        import numpy as np

        embedding, memory = self._embedding(fingerprint), self._memory_row(memory_id)
        self._run("delete from vector where embedding = ? and memory = ?", [embedding, memory])
        for passage, vector in enumerate(np.asarray(vectors, dtype="<f2")):
            self._run(
                "insert into vector (embedding, memory, passage, numbers) values (?, ?, ?, ?)",
                [embedding, memory, passage, vector.tobytes()],
            )
        self._changed(memory)

    def drop_vectors(self, memory_id: str) -> None:
        """Take away a memory's vectors of every fingerprint."""
        memory = self._memory_row(memory_id)
        self._run("delete from vector where memory = ?", [memory])
        self._changed(memory)

    def vectors_of(self, memory_id: str, fingerprint: str) -> Passages | None:
        """A memory's vectors of this fingerprint, one row per passage; None if it has none."""
        found = self._rows(
            "select numbers from vector where memory = (select row from memory where id = ?)"
            " and embedding = (select row from embedding where fingerprint = ?) order by passage",
            [memory_id, fingerprint],
        )
        width = len(found[0]["numbers"]) // 2 if found else 0
        whole = width > 0 and len(as_long(found, width)) == len(found)
        return as_floats(found, width) if whole else None

    def copy_vectors(self, source: str, target: str) -> None:
        """Give one memory the vectors of another that says the same, of those models of which it has none."""
        old, new = self._memory_row(source), self._memory_row(target)
        self._run(
            "insert into vector (embedding, memory, passage, numbers)"
            " select embedding, ?1, passage, numbers from vector where memory = ?2"
            " and embedding not in (select embedding from vector where memory = ?1)",
            [new, old],
        )
        self._changed(new)

    def by_meaning(
        self, vector: Vector, fingerprint: str, filters: Filters, now: datetime, limit: int
    ) -> list[Match]:
        """The nearest by cosine of the best passage."""
        condition, parameters = where(filters, now)
        best = self._best(
            vector,
            "select v.memory, v.numbers from vector v join memory m on m.row = v.memory"
            f" where v.embedding = (select row from embedding where fingerprint = ?) and {condition}",
            [fingerprint, *parameters],
        )
        ordered = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return [Match(row, score) for row, score in ordered[:limit]]

    def similarities(self, vector: Vector, fingerprint: str, rows: Sequence[int]) -> dict[int, float]:
        """The cosine of each of these memories that has a vector."""
        return self._best(
            vector,
            # The order of a cross join is kept: each of the few rows is looked up once.
            "select v.memory, v.numbers from json_each(?) j cross join vector v on v.memory = j.value"
            " and v.embedding = (select row from embedding where fingerprint = ?)",
            [json.dumps(list(rows)), fingerprint],
        )

    def query_vector(self, text: str, fingerprint: str) -> Vector | None:
        """The vector of a question that was kept with one of this fingerprint."""
        found = self._rows(
            "select numbers from query where text = ? and numbers is not null"
            " and embedding = (select row from embedding where fingerprint = ?)",
            [text, fingerprint],
        )
        width = len(found[0]["numbers"]) // 2 if found else 0
        return as_floats(found, width)[0] if width and as_long(found, width) else None

    def query_similarities(
        self, vector: Vector, fingerprint: str, queries: Iterable[int]
    ) -> dict[int, float]:
        """The cosine of earlier questions with this one."""
        return self._best(
            vector,
            "select row as memory, numbers from query"
            " where embedding = (select row from embedding where fingerprint = ?)"
            " and row in (select value from json_each(?))",
            [fingerprint, json.dumps(sorted(queries))],
        )

    def nearest(
        self, vector: Vector, fingerprint: str, among: Neighbourhood, since: int = 0
    ) -> list[tuple[Memory, float]]:
        """The active memories above a cosine, nearest first; only those changed after `since`."""
        return self.nearest_to_each(vector[None, :], fingerprint, [among], since)[0]

    def _best(self, vector: Vector, sql: str, parameters: Sequence[Any]) -> dict[int, float]:
        """The highest cosine per memory over the rows (memory, numbers) of a query."""
        best: dict[int, float] = {}
        for memories, scores in self._scan(vector, sql, parameters):
            for memory, score in zip(memories, scores, strict=True):
                if score > best.get(memory, -2.0):
                    best[memory] = score
        return best

    def _scan(
        self, vector: Vector, sql: str, parameters: Sequence[Any]
    ) -> Iterator[tuple[list[int], list[float]]]:
        with self._using() as db:
            cursor = db.execute(sql, parameters)
            while chunk := cursor.fetchmany(CHUNK):
                some = as_long(chunk, len(vector))
                yield [row["memory"] for row in some], products(some, vector).tolist()

    def _embedding(self, fingerprint: str) -> int:
        self._run("insert into embedding (fingerprint) values (?) on conflict do nothing", [fingerprint])
        row = self._row("select row from embedding where fingerprint = ?", [fingerprint])
        assert row is not None
        return int(row["row"])

    def _memory_row(self, memory_id: str) -> int:
        row = self._row("select row from memory where id = ?", [memory_id])
        assert row is not None
        return int(row["row"])

"""Read from the store what the index needs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from memory_layer.store.index.files import Moment
from memory_layer.store.index.folder import Identity
from memory_layer.store.index.segment import JUDGED, NEVER, SUPERSEDED, Doc, gone
from memory_layer.store.sqlite.filters import superseded
from memory_layer.store.sqlite.vectors import as_floats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.sqlite.connection import Connections

    Vectors = list[tuple[int, NDArray[np.float32]]]

#: Memories read at once, with their vectors.
AT_ONCE = 4096

_DOCUMENT = (
    "select m.row, m.id, m.project, m.created_at, m.expires_at, m.confidence, m.category, m.tier, m.status, m.source,"
    " m.reason, m.writer, m.scope, m.tags, t.body, t.labels,"
    f" m.worked + m.failed + m.partial > 0 as judged, {superseded('m')} as superseded"
    " from memory m left join memory_terms t on t.row = m.row"
)
_MARK = (
    "select (select hash from audit where number = ?) as hash,"
    " (select memory from change where sequence = ?) as memory"
)


class Reader:
    """The store as the current transaction sees it."""

    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def moment(self) -> Moment:
        found = self._connection.row(
            "select (select max(sequence) from change) as sequence,"
            " (select value from meta where key = 'lineage') as lineage"
        )
        assert found is not None
        return Moment(found["sequence"] or 0, found["lineage"] or "")

    def identity(self) -> Identity:
        """Return the newest audit entry, which stands for the store's whole history."""
        found = self._connection.row("select max(number) as entry from audit")
        entry = (found["entry"] if found else None) or 0
        moment = self.moment()
        return Identity(moment.lineage, entry, self.mark(entry, moment.sequence) or "")

    def mark(self, entry: int, sequence: int) -> str | None:
        """Return a hash unique to this store at that entry and that change; None if there is none."""
        return _mark(self._connection.row(_MARK, [entry, sequence]))

    def latest_mark(self, entry: int, sequence: int) -> str | None:
        """Like `mark`, but as of now instead of the start of this transaction."""
        return _mark(self._now(_MARK, [entry, sequence]))

    def forgot_since(self, sequence: int) -> bool:
        """Check whether a memory was forgotten that this transaction may still see."""
        found = self._now(
            "select exists (select 1 from change c join memory m on m.row = c.memory"
            " where c.sequence > ? and m.reason = 'forgotten')",
            [sequence],
        )
        return found is None or bool(found[0])

    def _now(self, sql: str, parameters: Sequence[int]) -> Any:
        """Return a row as of now, through a separate connection; None if that fails."""
        address = f"{self._connection.path.absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True)) as db:
                return db.execute(sql, parameters).fetchone()
        except sqlite3.Error:
            return None

    def forgotten(self) -> list[int]:
        """Return the rows of forgotten memories."""
        return [
            row["row"] for row in self._connection.rows("select row from memory where reason = 'forgotten'")
        ]

    def changed(self, after: int) -> dict[int, int]:
        """Return the rows that changed since, with the number of their last change."""
        found = self._connection.rows(
            "select memory, max(sequence) as sequence from change where sequence > ? group by memory", [after]
        )
        return {row["memory"]: row["sequence"] for row in found}

    def count(self) -> int:
        found = self._connection.row("select max(row) as n from memory")
        return (found["n"] if found else None) or 0

    def documents(self, sequences: Mapping[int, int]) -> Iterator[Doc]:
        """Yield these memories in row order, with tombstones for deleted ones."""
        rows = sorted(sequences)
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            parameters = [json.dumps(some)]
            found = {
                row["row"]: row
                for row in self._connection.rows(
                    f"{_DOCUMENT} where m.row in (select value from json_each(?))", parameters
                )
            }
            vectors = _by_memory(
                self._connection.rows(
                    "select memory, embedding, numbers from vector"
                    " where memory in (select value from json_each(?)) order by memory, embedding, passage",
                    parameters,
                )
            )
            for row in some:
                if row in found:
                    yield _doc(found[row], sequences[row], vectors.get(row, []))
                else:
                    yield gone(row, sequences[row])

    def every_document(self, sequences: Mapping[int, int]) -> Iterator[Doc]:
        """Yield all memories; those without a number here last changed long ago."""
        start, last = 0, self.count()
        while start < last:
            span = [start, start + AT_ONCE]
            vectors = _by_memory(
                self._connection.rows(
                    "select memory, embedding, numbers from vector where memory > ? and memory <= ?"
                    " order by memory, embedding, passage",
                    span,
                )
            )
            for row in self._connection.rows(
                f"{_DOCUMENT} where m.row > ? and m.row <= ? order by m.row", span
            ):
                yield _doc(row, sequences.get(row["row"], 0), vectors.get(row["row"], []))
            start += AT_ONCE


def _by_memory(found: list[sqlite3.Row]) -> dict[int, Vectors]:
    result: dict[int, Vectors] = {}
    for (memory, embedding, size), passages in groupby(found, key=_kind):
        if size and size % 2 == 0:
            result.setdefault(memory, []).append((embedding, as_floats(list(passages), size // 2)))
    return result


def _kind(row: sqlite3.Row) -> tuple[int, int, int]:
    return row["memory"], row["embedding"], len(row["numbers"])


def _mark(found: Any) -> str | None:
    return f"{found[0].hex()}:{found[1]}" if found and found[0] and found[1] else None


def _doc(row: sqlite3.Row, sequence: int, vectors: Vectors) -> Doc:
    return Doc(
        row=row["row"],
        id=row["id"],
        sequence=sequence,
        project=row["project"] or 0,
        created=row["created_at"],
        expires=NEVER if row["expires_at"] is None else row["expires_at"],
        confidence=row["confidence"],
        flags=(JUDGED if row["judged"] else 0) | (SUPERSEDED if row["superseded"] else 0),
        **_texts(row),
        vectors=vectors,
    )


def _texts(row: sqlite3.Row) -> dict[str, Any]:
    names = ("category", "tier", "status", "source", "reason", "writer", "scope", "tags", "body", "labels")
    return {name: row[name] or "" for name in names}

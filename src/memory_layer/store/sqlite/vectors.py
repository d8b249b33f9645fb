"""Store and compare vectors of several models; numpy is imported only when vectors are used."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from memory_layer.ports.search import Generation, Pending, Stored
from memory_layer.store.rows import to_micros
from memory_layer.store.sqlite.connection import by_index
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.memories import last_row, rows_by_id

if TYPE_CHECKING:
    from memory_layer.model.query import Filters
    from memory_layer.ports import PassageVectors, Vector
    from memory_layer.ports.search import Made
    from memory_layer.store.index.view import View
    from memory_layer.store.sqlite.connection import Connections


#: The condition for a memory `m` to have vectors.
_EMBEDDABLE = "m.version > 0 and m.reason is not 'forgotten'"
_OWN = "(select row from embedding where fingerprint = ?1)"
_LACKING = f"not exists (select 1 from vector v where v.memory = m.row and v.embedding = {_OWN})"
_BEHIND = (
    "memory m where m.row > coalesce((select row from memory where id = ?2), 0)"
    f" and {_EMBEDDABLE} and {_LACKING}"
)
#: Up to this many memories are counted exactly; a larger store is sampled.
COUNTED_MOST = 1000
LOOKED_AT = 128


#: Stored vectors held in memory at once during a scan.
CHUNK = 8192


class SqliteVectors:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def get(self, ids: Sequence[str], fingerprint: str | None = None) -> list[Stored]:
        """Return the vectors of these memories of this model, or of every model, newest model first."""
        found = self._connection.rows(
            "select m.id, e.fingerprint, v.numbers from json_each(?) j cross join memory m on m.id = j.value"
            " cross join vector v on v.memory = m.row cross join embedding e on e.row = v.embedding"
            " where ?2 is null or e.fingerprint = ?2 order by v.embedding desc, j.key, v.passage",
            [json.dumps(list(ids)), fingerprint],
        )
        return [
            Stored(*whose, tuple(numbers for _, _, numbers in each))
            for whose, each in groupby(found, key=lambda row: (row["id"], row["fingerprint"]))
        ]

    def put(self, fingerprint: str, made: Sequence[Made]) -> int:
        """Replace the vectors of memories for this model; return the number of memories that got them.

        Those that name their text get them only if the text is unchanged and nobody else has written them meanwhile.
        """
        import numpy as np

        embedding = self.embedding(fingerprint)
        named = [each for each in made if each.content is not None]
        rows, texts = self._still_open(fingerprint, [each.id for each in named]) if named else ({}, {})
        free = [each.id for each in made if each.content is None]
        rows |= rows_by_id(self._connection, free) if free else {}
        wanted = [
            (rows[each.id], each.vectors)
            for each in made
            if each.id in rows and (each.content is None or texts[each.id] == each.content)
        ]
        self._connection.run_many(
            "delete from vector where embedding = ? and memory = ?",
            ([embedding, rows[each]] for each in free),
        )
        self._connection.run_many(
            "insert into vector (embedding, memory, passage, numbers) values (?, ?, ?, ?)",
            (
                [embedding, row, passage, vector.tobytes()]
                for row, vectors in wanted
                for passage, vector in enumerate(np.asarray(vectors, dtype="<f2"))
            ),
        )
        self._changed(row for row, _ in wanted)
        return len(wanted)

    def _still_open(self, fingerprint: str, ids: Sequence[str]) -> tuple[dict[str, int], dict[str, str]]:
        """Return the rows and texts of those still without a vector."""
        found = self._connection.rows(
            "select m.id, m.row, m.content from memory m where m.id in (select value from json_each(?2))"
            f" and {_EMBEDDABLE} and {_LACKING}",
            [fingerprint, json.dumps(list(ids))],
        )
        return {row["id"]: row["row"] for row in found}, {row["id"]: row["content"] for row in found}

    def drop(self, ids: Sequence[str]) -> None:
        """Delete the vectors of these memories for every model."""
        rows = rows_by_id(self._connection, ids).values()
        self._connection.run_many("delete from vector where memory = ?", ([row] for row in rows))
        self._changed(rows)

    def _changed(self, rows: Iterable[int]) -> None:
        self._connection.run_many("insert into change (memory) values (?)", ([row] for row in rows))

    def lacking(self, fingerprint: str, limit: int, after: str | None = None, skip: int = 0) -> list[Pending]:
        """Return the memories after a row that have no vector of this model, oldest first."""
        found = self._connection.rows(
            f"select m.id, m.content from {_BEHIND} order by m.row limit ?3 offset ?4",
            [fingerprint, after, limit, skip],
        )
        return [Pending(row["id"], row["content"]) for row in found]

    def count_lacking(self, fingerprint: str, after: str | None = None, *, roughly: bool = False) -> int:
        """Count the memories after a row that have no vector of this model.

        `roughly` estimates the active ones without reading a large store.
        """
        if roughly:
            return self._estimated(fingerprint)
        row = self._connection.row(f"select count(*) as n from {_BEHIND}", [fingerprint, after])
        return int(row["n"]) if row else 0

    def _estimated(self, fingerprint: str) -> int:
        """Estimate missing vectors from the index if it is loaded, else by sampling."""

        def counted(view: View) -> int:
            return view.unembedded(view.embeddings.get(fingerprint) or self._row_of(fingerprint) or 0)

        at_hand = self._connection.own().view
        return by_index(self._connection, at_hand, counted, lambda: self._sampled(fingerprint))

    def _sampled(self, fingerprint: str) -> int:
        last = last_row(self._connection)
        spread = [last - last * at // LOOKED_AT for at in range(LOOKED_AT)]
        places = range(1, last + 1) if last <= COUNTED_MOST else spread
        found = self._connection.row(
            f"select total({_LACKING}) as lacking from memory m"
            f" where m.row in (select value from json_each(?2)) and m.status = 'active' and {_EMBEDDABLE}",
            [fingerprint, json.dumps(list(places))],
        )
        assert found is not None
        return round(int(found["lacking"]) * (last / max(1, len(places))))

    def generations(self) -> list[Generation]:
        """Return statistics on the vectors of each model, newest model first."""
        found = self._connection.rows(
            "select e.fingerprint, count(*) as vectors, count(distinct v.memory) as memories,"
            " sum(length(v.numbers)) as size from vector v join embedding e on e.row = v.embedding"
            " group by v.embedding order by v.embedding desc"
        )
        return [Generation(row["fingerprint"], row["memories"], row["vectors"], row["size"]) for row in found]

    def prune(self, fingerprint: str, after: str | None, limit: int) -> str | None:
        """Delete other models' vectors of the next memories that have this one's; return the last row visited.

        Visits at most `limit` memories, so that nobody waits long for the file. After the last memory it deletes the
        outdated vectors of queries, those that count having been embedded again before, and returns None.
        """
        found = self._connection.row(
            "select min(row) as first, max(row) as last from (select row from memory"
            " where row > coalesce((select row from memory where id = ?), 0) order by row limit ?)",
            [after, limit],
        )
        if found is None or found["last"] is None:
            self._connection.run(
                f"update query set embedding = null, numbers = null where embedding <> {_OWN}", [fingerprint]
            )
            return None
        replaced = (
            f"select o.memory from vector o where o.memory >= ?2 and o.memory <= ?3 and o.embedding <> {_OWN}"
            f" and exists (select 1 from vector v where v.memory = o.memory and v.embedding = {_OWN})"
        )
        places = [fingerprint, found["first"], found["last"]]
        self._connection.run(f"insert into change (memory) select distinct memory from ({replaced})", places)
        self._connection.run(
            f"delete from vector where embedding <> {_OWN} and memory in ({replaced})", places
        )
        last = self._connection.row("select id from memory where row = ?", [found["last"]])
        assert last is not None
        return str(last["id"])

    def put_question(
        self, text: str, at: datetime, fingerprint: str | None = None, vector: Vector | None = None
    ) -> None:
        """Store a query once; its vector, if given, replaces that of another model."""
        self._connection.run(
            "insert into query (text, created_at) values (?, ?) on conflict (text) do nothing",
            [text, to_micros(at)],
        )
        if fingerprint is not None and vector is not None:
            self._connection.run(
                "update query set embedding = ?, numbers = ? where text = ?",
                [self.embedding(fingerprint), vector.astype("<f2").tobytes(), text],
            )

    def question_vectors(self, texts: Sequence[str], fingerprint: str) -> dict[str, bytes]:
        """Return the vectors of those queries that have one of this model, as half-precision numbers."""
        found = self._connection.rows(
            "select text, numbers from query where text in (select value from json_each(?))"
            " and numbers is not null and embedding = (select row from embedding where fingerprint = ?)"
            " order by row",
            [json.dumps(list(texts)), fingerprint],
        )
        return {row["text"]: row["numbers"] for row in found}

    def questions_lacking(self, fingerprint: str, limit: int | None = None) -> list[str]:
        """Return queries with an outcome (no others are compared) whose vector is not of this model."""
        found = self._connection.rows(
            "select q.text from query q where q.row in (select query from outcome where query is not null)"
            f" and q.embedding is not {_OWN} order by q.row limit ?2",
            [fingerprint, -1 if limit is None else limit],
        )
        return [row["text"] for row in found]

    def embedding(self, fingerprint: str) -> int:
        """Return the row of a fingerprint, inserted if it is new."""
        self._connection.run(
            "insert into embedding (fingerprint) values (?) on conflict do nothing", [fingerprint]
        )
        row = self._row_of(fingerprint)
        assert row is not None
        return row

    def _row_of(self, fingerprint: str) -> int | None:
        row = self._connection.row("select row from embedding where fingerprint = ?", [fingerprint])
        return int(row["row"]) if row else None


def as_long(found: Sequence[sqlite3.Row], width: int) -> list[sqlite3.Row]:
    """Return the rows whose vector has this width; others cannot be compared."""
    return [row for row in found if len(row["numbers"]) == 2 * width]


def usual_width(found: Sequence[sqlite3.Row]) -> int:
    """Return the most common width, so that a damaged vector does not decide; 0 if there is none."""
    lengths = Counter(len(row["numbers"]) // 2 for row in found)
    del lengths[0]
    return max(lengths, key=lambda width: (lengths[width], width), default=0)


def as_floats(found: Sequence[sqlite3.Row], width: int) -> PassageVectors:
    """Return the vectors of rows that all have this width."""
    import numpy as np

    numbers = np.frombuffer(b"".join(row["numbers"] for row in found), dtype="<f2")
    return numbers.reshape(len(found), width).astype(np.float32)


def products(found: Sequence[sqlite3.Row], vectors: PassageVectors) -> PassageVectors:
    """Return the cosines of unit vectors; NaN, which exceeds nothing, where the numbers make no cosine."""
    import numpy as np

    with np.errstate(all="ignore"):
        product: PassageVectors = as_floats(found, len(vectors)) @ vectors
        product[~(np.abs(product) < 1.5)] = np.nan
    return product


def by_meaning(
    connection: Connections, vector: Vector, fingerprint: str, filters: Filters, now: datetime, limit: int
) -> list[tuple[int, float]]:
    """Return the rows and cosines of the nearest memories, each by its best passage."""
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
        # A cross join keeps its order: each of the few ids is looked up once.
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

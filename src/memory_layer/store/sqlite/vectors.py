"""Vectors of several models at rest. Imports numpy only when vectors are really used."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.ports.vectors import Generation, Pending, Question, Sample
from memory_layer.store.rows import to_micros
from memory_layer.store.sqlite.half_precision import as_floats, as_long
from memory_layer.store.sqlite.memory_rows import changed, row_of

if TYPE_CHECKING:
    from memory_layer.ports import Vector
    from memory_layer.ports import Vectors as Passages
    from memory_layer.ports.vectors import Made
    from memory_layer.store.sqlite.connection import Connections

#: What a memory of alias m has to be so that it should have vectors.
_EMBEDDABLE = "m.version > 0 and m.reason is not 'forgotten'"
_OWN = "(select row from embedding where fingerprint = ?1)"
_LACKING = f"not exists (select 1 from vector v where v.memory = m.row and v.embedding = {_OWN})"
#: Questions somebody reported an outcome for; no other is ever compared.
_QUESTIONS = "query q where q.row in (select query from outcome where query is not null)"


class Vectors:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def save_vectors(self, memory_id: str, fingerprint: str, vectors: Passages) -> None:
        """Replace a memory's vectors of this fingerprint."""
        import numpy as np

        embedding, memory = self.embedding(fingerprint), row_of(self._connection, memory_id)
        self._connection.run("delete from vector where embedding = ? and memory = ?", [embedding, memory])
        for passage, vector in enumerate(np.asarray(vectors, dtype="<f2")):
            self._connection.run(
                "insert into vector (embedding, memory, passage, numbers) values (?, ?, ?, ?)",
                [embedding, memory, passage, vector.tobytes()],
            )
        changed(self._connection, memory)

    def drop_vectors(self, memory_id: str) -> None:
        """Take away a memory's vectors of every fingerprint."""
        memory = row_of(self._connection, memory_id)
        self._connection.run("delete from vector where memory = ?", [memory])
        changed(self._connection, memory)

    def vectors_of(self, memory_id: str, fingerprint: str) -> Passages | None:
        """A memory's vectors of this fingerprint, one row per passage; None if it has none."""
        found = self._connection.rows(
            "select numbers from vector where memory = (select row from memory where id = ?)"
            " and embedding = (select row from embedding where fingerprint = ?) order by passage",
            [memory_id, fingerprint],
        )
        width = len(found[0]["numbers"]) // 2 if found else 0
        whole = width > 0 and len(as_long(found, width)) == len(found)
        return as_floats(found, width) if whole else None

    def copy_vectors(self, source: str, target: str) -> None:
        """Give one memory the vectors of another that says the same, of those models of which it has none."""
        old, new = row_of(self._connection, source), row_of(self._connection, target)
        self._connection.run(
            "insert into vector (embedding, memory, passage, numbers)"
            " select embedding, ?1, passage, numbers from vector where memory = ?2"
            " and embedding not in (select embedding from vector where memory = ?1)",
            [new, old],
        )
        changed(self._connection, new)

    def query_vector(self, text: str, fingerprint: str) -> Vector | None:
        """The vector of a question that was kept with one of this fingerprint."""
        found = self._connection.rows(
            "select numbers from query where text = ? and numbers is not null"
            " and embedding = (select row from embedding where fingerprint = ?)",
            [text, fingerprint],
        )
        width = len(found[0]["numbers"]) // 2 if found else 0
        return as_floats(found, width)[0] if width and as_long(found, width) else None

    def record_query(self, text: str, at: datetime, fingerprint: str | None, vector: Vector | None) -> int:
        """Keep a question once, with its vector if there is one; returns its number."""
        self._connection.run(
            "insert into query (text, created_at) values (?, ?) on conflict (text) do nothing",
            [text, to_micros(at)],
        )
        if fingerprint is not None and vector is not None:
            self._connection.run(
                "update query set embedding = ?, numbers = ? where text = ?",
                [self.embedding(fingerprint), vector.astype("<f2").tobytes(), text],
            )
        row = self._connection.row("select row from query where text = ?", [text])
        assert row is not None
        return int(row["row"])

    def likenesses(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], float]:
        """The cosine of each pair of which both have one passage and vectors of one kind."""
        found = {}
        for pair in pairs:
            row = self._connection.row(
                "select a.numbers as one, b.numbers as two"
                " from vector a join vector b on b.embedding = a.embedding"
                " where a.memory = (select row from memory where id = ?)"
                " and b.memory = (select row from memory where id = ?)"
                " and not exists (select 1 from vector c where c.memory in (a.memory, b.memory)"
                "  and c.embedding = a.embedding and c.passage > 0)"
                " order by a.embedding desc limit 1",
                list(pair),
            )
            if row is not None and len(row["one"]) == len(row["two"]) and len(row["one"]) % 2 == 0:
                found[pair] = _cosine(row["one"], row["two"])
        return found

    def without_vectors(self, fingerprint: str, limit: int, after: int = 0) -> list[Pending]:
        """The memories behind a row that have no vector of this fingerprint, oldest first."""
        found = self._connection.rows(
            f"select m.row, m.content from memory m where m.row > ?3 and {_EMBEDDABLE}"
            f" and {_LACKING} order by m.row limit ?2",
            [fingerprint, limit, after],
        )
        return [Pending(row["row"], row["content"]) for row in found]

    def count_without_vectors(self, fingerprint: str) -> int:
        """How many memories have no vector of this fingerprint; reads the whole store."""
        return self._count(f"memory m where {_EMBEDDABLE} and {_LACKING}", [fingerprint])

    def sampled_without_vectors(self, fingerprint: str, most: int, spread: int) -> Sample:
        """The same of the active memories: of all up to so many, else of a few spread over the store."""
        row = self._connection.row("select coalesce(max(row), 0) as last from memory")
        last = int(row["last"]) if row else 0
        places = range(1, last + 1) if last <= most else [last - last * at // spread for at in range(spread)]
        found = self._connection.row(
            f"select total({_LACKING}) as lacking from memory m"
            f" where m.row in (select value from json_each(?2)) and m.status = 'active' and {_EMBEDDABLE}",
            [fingerprint, json.dumps(list(places))],
        )
        assert found is not None
        return Sample(int(found["lacking"]), last / max(1, len(places)))

    def fill_vectors(self, fingerprint: str, made: Sequence[Made]) -> int:
        """Give memories their vectors, unless a text changed meanwhile or another was faster; how many got them."""
        import numpy as np

        embedding = self.embedding(fingerprint)
        said = self._still_open(fingerprint, made)
        wanted = [each for each in made if said.get(each.row) == each.content]
        self._connection.run_many(
            "insert into vector (embedding, memory, passage, numbers) values (?, ?, ?, ?)",
            (
                [embedding, each.row, passage, vector.tobytes()]
                for each in wanted
                for passage, vector in enumerate(np.asarray(each.vectors, dtype="<f2"))
            ),
        )
        self._connection.run_many("insert into change (memory) values (?)", ([each.row] for each in wanted))
        return len(wanted)

    def _still_open(self, fingerprint: str, made: Sequence[Made]) -> dict[int, str]:
        """The texts of those that still wait."""
        found = self._connection.rows(
            "select m.row, m.content from memory m where m.row in (select value from json_each(?2))"
            f" and {_EMBEDDABLE} and {_LACKING}",
            [fingerprint, json.dumps([each.row for each in made])],
        )
        return {row["row"]: row["content"] for row in found}

    def middle_without_vectors(self, fingerprint: str, after: int) -> int:
        """The row in front of the middle one of those behind a row that wait; the same row if none waits."""
        behind = f"memory m where m.row > ?2 and {_EMBEDDABLE} and {_LACKING}"
        count = self._count(behind, [fingerprint, after])
        found = self._connection.row(
            f"select m.row from {behind} order by m.row limit 1 offset ?3", [fingerprint, after, count // 2]
        )
        return int(found["row"]) - 1 if found else after

    def questions_without_vectors(self, fingerprint: str, limit: int) -> list[Question]:
        """Questions with an outcome whose vector is not of this fingerprint."""
        found = self._connection.rows(
            f"select q.row, q.text from {_QUESTIONS} and q.embedding is not {_OWN} order by q.row limit ?2",
            [fingerprint, limit],
        )
        return [Question(row["row"], row["text"]) for row in found]

    def count_questions_without_vectors(self, fingerprint: str) -> int:
        return self._count(f"{_QUESTIONS} and q.embedding is not {_OWN}", [fingerprint])

    def fill_questions(self, fingerprint: str, made: Sequence[tuple[Question, Vector]]) -> None:
        """Give questions their vectors in place of another model's."""
        embedding = self.embedding(fingerprint)
        self._connection.run_many(
            "update query set embedding = ?, numbers = ? where row = ? and text = ?",
            (
                [embedding, vector.astype("<f2").tobytes(), question.row, question.text]
                for question, vector in made
            ),
        )

    def generations(self) -> list[Generation]:
        """What the vectors of each model amount to, the newest model first."""
        found = self._connection.rows(
            "select e.fingerprint, count(*) as vectors, count(distinct v.memory) as memories,"
            " sum(length(v.numbers)) as size from vector v join embedding e on e.row = v.embedding"
            " group by v.embedding order by v.embedding desc"
        )
        return [Generation(row["fingerprint"], row["memories"], row["vectors"], row["size"]) for row in found]

    def drop_other_vectors(self, fingerprint: str, after: int, rows: int) -> int | None:
        """Take other models' vectors from the next memories that have this one's; the last of them, None at the end.

        Only so many memories are looked at, so that nobody waits long for the file.
        """
        found = self._connection.row(
            "select max(row) as last from (select row from memory where row > ? order by row limit ?)",
            [after, rows],
        )
        if found is None or found["last"] is None:
            return None
        replaced = (
            f"select o.memory from vector o where o.memory > ?2 and o.memory <= ?3 and o.embedding <> {_OWN}"
            f" and exists (select 1 from vector v where v.memory = o.memory and v.embedding = {_OWN})"
        )
        places = [fingerprint, after, found["last"]]
        self._connection.run(f"insert into change (memory) select distinct memory from ({replaced})", places)
        self._connection.run(
            f"delete from vector where embedding <> {_OWN} and memory in ({replaced})", places
        )
        return int(found["last"])

    def drop_other_questions(self, fingerprint: str) -> None:
        """Take other models' vectors from the questions; one that counts is embedded anew first."""
        self._connection.run(
            f"update query set embedding = null, numbers = null where embedding <> {_OWN}", [fingerprint]
        )

    def _count(self, tables: str, parameters: Sequence[object]) -> int:
        row = self._connection.row(f"select count(*) as n from {tables}", parameters)
        return int(row["n"]) if row else 0

    def embedding(self, fingerprint: str) -> int:
        """Return the row of a fingerprint, made known if it is new."""
        self._connection.run(
            "insert into embedding (fingerprint) values (?) on conflict do nothing", [fingerprint]
        )
        row = self._connection.row("select row from embedding where fingerprint = ?", [fingerprint])
        assert row is not None
        return int(row["row"])


def _cosine(one: bytes, two: bytes) -> float:
    """Of two rows of half-precision numbers; without numpy, which a short list should not wait for."""
    left, right = (struct.unpack(f"<{len(each) // 2}e", each) for each in (one, two))
    lengths = math.sqrt(sum(x * x for x in left) * sum(y * y for y in right))
    product = sum(x * y for x, y in zip(left, right, strict=True))
    return max(-1.0, min(1.0, product / lengths)) if lengths else 0.0

"""Vectors of several models beside each other: which memories have the wanted ones, and what the others take."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.ports.generations import Generation, Pending, Question, Sample
from memory_layer.store.sqlite.vectors import Vectors

if TYPE_CHECKING:
    from memory_layer.ports import Vector
    from memory_layer.ports.generations import Made

#: What a memory of alias m has to be so that it should have vectors.
_EMBEDDABLE = "m.version > 0 and m.reason is not 'forgotten'"
_OWN = "(select row from embedding where fingerprint = ?1)"
_LACKING = f"not exists (select 1 from vector v where v.memory = m.row and v.embedding = {_OWN})"
#: Questions somebody reported an outcome for; no other is ever compared.
_QUESTIONS = "query q where q.row in (select query from outcome where query is not null)"


class Generations(Vectors):
    def without_vectors(self, fingerprint: str, limit: int, after: int = 0) -> list[Pending]:
        """The memories behind a row that have no vector of this fingerprint, oldest first."""
        found = self._rows(
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
        row = self._row("select coalesce(max(row), 0) as last from memory")
        last = int(row["last"]) if row else 0
        places = range(1, last + 1) if last <= most else [last - last * at // spread for at in range(spread)]
        found = self._row(
            f"select total({_LACKING}) as lacking from memory m"
            f" where m.row in (select value from json_each(?2)) and m.status = 'active' and {_EMBEDDABLE}",
            [fingerprint, json.dumps(list(places))],
        )
        assert found is not None
        return Sample(int(found["lacking"]), last / max(1, len(places)))

    def fill_vectors(self, fingerprint: str, made: Sequence[Made]) -> int:
        """Give memories their vectors, unless a text changed meanwhile or another was faster; how many got them."""
        import numpy as np

        embedding = self._embedding(fingerprint)
        said = self._still_open(fingerprint, made)
        wanted = [each for each in made if said.get(each.row) == each.content]
        self._run_many(
            "insert into vector (embedding, memory, passage, numbers) values (?, ?, ?, ?)",
            (
                [embedding, each.row, passage, vector.tobytes()]
                for each in wanted
                for passage, vector in enumerate(np.asarray(each.vectors, dtype="<f2"))
            ),
        )
        self._run_many("insert into change (memory) values (?)", ([each.row] for each in wanted))
        return len(wanted)

    def _still_open(self, fingerprint: str, made: Sequence[Made]) -> dict[int, str]:
        """The texts of those that still wait."""
        found = self._rows(
            "select m.row, m.content from memory m where m.row in (select value from json_each(?2))"
            f" and {_EMBEDDABLE} and {_LACKING}",
            [fingerprint, json.dumps([each.row for each in made])],
        )
        return {row["row"]: row["content"] for row in found}

    def middle_without_vectors(self, fingerprint: str, after: int) -> int:
        """The row in front of the middle one of those behind a row that wait; the same row if none waits."""
        behind = f"memory m where m.row > ?2 and {_EMBEDDABLE} and {_LACKING}"
        count = self._count(behind, [fingerprint, after])
        found = self._row(
            f"select m.row from {behind} order by m.row limit 1 offset ?3", [fingerprint, after, count // 2]
        )
        return int(found["row"]) - 1 if found else after

    def questions_without_vectors(self, fingerprint: str, limit: int) -> list[Question]:
        """Questions with an outcome whose vector is not of this fingerprint."""
        found = self._rows(
            f"select q.row, q.text from {_QUESTIONS} and q.embedding is not {_OWN} order by q.row limit ?2",
            [fingerprint, limit],
        )
        return [Question(row["row"], row["text"]) for row in found]

    def count_questions_without_vectors(self, fingerprint: str) -> int:
        return self._count(f"{_QUESTIONS} and q.embedding is not {_OWN}", [fingerprint])

    def fill_questions(self, fingerprint: str, made: Sequence[tuple[Question, Vector]]) -> None:
        """Give questions their vectors in place of another model's."""
        embedding = self._embedding(fingerprint)
        self._run_many(
            "update query set embedding = ?, numbers = ? where row = ? and text = ?",
            (
                [embedding, vector.astype("<f2").tobytes(), question.row, question.text]
                for question, vector in made
            ),
        )

    def generations(self) -> list[Generation]:
        """What the vectors of each model amount to, the newest model first."""
        found = self._rows(
            "select e.fingerprint, count(*) as vectors, count(distinct v.memory) as memories,"
            " sum(length(v.numbers)) as size from vector v join embedding e on e.row = v.embedding"
            " group by v.embedding order by v.embedding desc"
        )
        return [Generation(row["fingerprint"], row["memories"], row["vectors"], row["size"]) for row in found]

    def drop_other_vectors(self, fingerprint: str, after: int, rows: int) -> int | None:
        """Take other models' vectors from the next memories that have this one's; the last of them, None at the end.

        Only so many memories are looked at, so that nobody waits long for the file.
        """
        found = self._row(
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
        self._run(f"insert into change (memory) select distinct memory from ({replaced})", places)
        self._run(f"delete from vector where embedding <> {_OWN} and memory in ({replaced})", places)
        return int(found["last"])

    def drop_other_questions(self, fingerprint: str) -> None:
        """Take other models' vectors from the questions; one that counts is embedded anew first."""
        self._run(
            f"update query set embedding = null, numbers = null where embedding <> {_OWN}", [fingerprint]
        )

    def _count(self, tables: str, parameters: Sequence[object]) -> int:
        row = self._row(f"select count(*) as n from {tables}", parameters)
        return int(row["n"]) if row else 0

"""Search for candidates: in the index beside the file or, without it, in the file itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING

from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Category, Tier
from memory_layer.ports.search import Facet, Passed, Pool
from memory_layer.store.rows import (
    CATEGORY,
    CITATIONS,
    CREATED_AT,
    RECORD,
    TIER,
    from_micros,
    memory_of,
    moment,
    to_micros,
)
from memory_layer.store.sqlite import vectors
from memory_layer.store.sqlite.connection import by_index
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.memories import ids_by_row, last_row

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.model.query import Filters
    from memory_layer.ports import PassageVectors as Passages
    from memory_layer.ports import Vector
    from memory_layer.ports.search import Close, Facet, Neighbourhood, Passed, Phrase, Sought
    from memory_layer.store.index.masks import MaskFilters
    from memory_layer.store.index.view import View
    from memory_layer.store.sqlite.connection import Connections

DISPUTED = (
    "exists (select 1 from link l where l.source = m.row and l.kind = 'conflicts_with')"
    " or exists (select 1 from link l where l.target = m.row and l.kind = 'conflicts_with')"
)

MOST_LOOKED_UP = 64  #: phrases; SQLite's time grows with the square of their number
MOST_BEGINNING = 4_000  #: terms with the same first letters


def by_words(
    connection: Connections,
    terms: Sequence[str],
    phrases: Sequence[Phrase],
    filters: Filters,
    now: datetime,
    limit: int,
) -> list[tuple[int, str, float]]:
    """Return rows, ids and scores of the best by BM25 that contain any of the terms and every phrase exactly."""
    condition, parameters = where(filters, now)
    if phrases:
        wanted = json.dumps([phrase.text for phrase in phrases])
        condition, parameters = f"{condition} and holds(m.content, ?)", [*parameters, wanted]
    expression = match_expression(terms, [phrase.terms for phrase in phrases])
    if expression:
        found = connection.rows(
            "select f.rowid, m.id, -f.rank from memory_fts f join memory m on m.row = f.rowid"
            f" where memory_fts match ? and {condition} order by f.rank, f.rowid limit ?",
            [expression, *parameters, limit],
        )
    elif phrases:  # only stop words between the quotes
        found = connection.rows(
            f"select m.row, m.id, 1.0 from memory m where {condition} order by m.row desc limit ?",
            [*parameters, limit],
        )
    else:
        found = []
    return [(row, memory_id, score) for row, memory_id, score in found]


def word_scores(connection: Connections, terms: Sequence[str], rows: Sequence[int]) -> dict[int, float]:
    """Return the BM25 scores of those of these memories that contain any of the terms."""
    if not terms or not rows:
        return {}
    found = connection.rows(
        "select rowid as row, -rank as score from memory_fts"
        " where memory_fts match ? and rowid in (select value from json_each(?))",
        [match_expression(terms, []), json.dumps(list(rows))],
    )
    return {row["row"]: row["score"] for row in found}


def frequencies(connection: Connections, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
    """Return the number of memories, and the document frequency of each term."""
    total = connection.row("select coalesce(max(row), 0) as n from memory_terms")
    found = connection.rows(
        "select term, doc from memory_vocabulary where term in (select value from json_each(?))",
        [json.dumps(list(terms))],
    )
    return (total["n"] if total else 0), {row["term"]: row["doc"] for row in found}


def terms_beginning(connection: Connections, letters: str) -> list[tuple[str, int]]:
    """Return the terms that begin with these letters, and how many memories hold each."""
    found = connection.rows(
        "select term, doc from memory_vocabulary where term >= ? and term < ? limit ?",
        [letters, letters[:-1] + chr(ord(letters[-1]) + 1), MOST_BEGINNING],
    )
    return [(row["term"], row["doc"]) for row in found]


def passing(
    connection: Connections, ids: Sequence[str], filters: Filters, now: datetime
) -> dict[str, Passed]:
    """Return those of the memories that pass the filters."""
    condition, parameters = where(filters, now)
    found = connection.rows(
        # A cross join keeps its order: look up the few ids instead of reading a whole project.
        f"select {RECORD}, {DISPUTED} from json_each(?) j cross join memory m on m.id = j.value"
        f" left join project p on p.row = m.project where {condition}",
        [json.dumps(list(ids)), *parameters],
    )
    # Build each memory on demand, because fewer are read than are looked at.
    passed = {}
    for *record, disputed in found:
        cites, read = record[CITATIONS] != "[]", partial(memory_of, record)
        passed[record[0]] = Passed(
            id=record[0],
            read=cache(read) if cites else read,
            category=Category(record[CATEGORY]),
            tier=Tier(record[TIER]),
            created_at=moment(record[CREATED_AT]),
            disputed=bool(disputed),
            cites=cites,
        )
    return passed


def facets(connection: Connections, ids: Sequence[str]) -> list[Facet]:
    """Return the numbers and terms of the candidates, in no particular order."""
    found = connection.rows(
        "select m.id, (select p.key from project p where p.row = m.project) as project, t.body, t.labels,"
        " m.category, m.outcome_score, m.confidence,"
        " m.recall_count, m.use_count, m.last_used_at, m.updated_at"
        " from memory m join memory_terms t on t.row = m.row"
        " where m.id in (select value from json_each(?))",
        [json.dumps(list(ids))],
    )
    return [
        Facet(
            id=row["id"],
            project=row["project"],
            body=row["body"],
            labels=row["labels"],
            category=Category(row["category"]),
            outcome_score=row["outcome_score"],
            confidence=row["confidence"],
            recall_count=row["recall_count"],
            use_count=row["use_count"],
            last_used_at=from_micros(row["last_used_at"]),
            updated_at=moment(row["updated_at"]),
        )
        for row in found
    ]


def match_expression(terms: Sequence[str], phrases: Sequence[Sequence[str]]) -> str:
    """Match any of the terms and all of the phrases; every word is quoted, so that no text is parsed as syntax.

    Only the first of very many phrases are looked up; each text found is compared with all of them anyway.
    """
    wanted = [_quoted(phrase) for phrase in phrases[:MOST_LOOKED_UP] if phrase]
    words = [_quoted([term]) for term in terms]
    either = " OR ".join([*wanted, *words])
    return " AND ".join([*wanted, f"({either})"]) if either else ""


def _quoted(words: Sequence[str]) -> str:
    return '"' + " ".join(words).replace('"', '""').replace("\0", " ") + '"'


LARGE = 200_000  #: from this size on, the index is used for words although it loads numpy
#: Candidates compared exactly per requested neighbour; some turn out to have several passages.
MORE_NEIGHBOURS = 8
FACTS = (Tier.SEMANTIC,)  #: the tiers a new memory is compared with


class SqliteSearch:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def candidates(self, sought: Sought) -> Pool:
        """Return the best by words and the nearest by meaning, with all that ranking needs."""
        view = None
        if not sought.phrases and (sought.vector is not None or self._pays_for_words()):
            view = self.view()
        return by_index(
            self._connection, view, lambda view: self._indexed(view, sought), lambda: self._plainly(sought)
        )

    def neighbours(
        self, vectors: Passages, fingerprint: str, among: Sequence[Neighbourhood], since: int = 0
    ) -> list[list[tuple[Memory, float]]]:
        """Return for each vector the active memories above a cosine, nearest first; changed after `since` only."""
        from memory_layer.store.sqlite.neighbours import nearest_to_each  # only writes compare memories

        rows: list[int] | None = None
        if len(among) == 1 and not since:  # for more, one scan is cheaper
            embedding = self.embedding_known(fingerprint)
            rows = by_index(
                self._connection,
                None if embedding is None else self.view(),
                lambda view: self._around(view, vectors[0], embedding or 0, among[0]),
                lambda: None,
            )
        return nearest_to_each(self._connection, vectors, fingerprint, among, since, rows)

    def _around(self, view: View, vector: Vector, embedding: int, among: Neighbourhood) -> list[int]:
        """Return the rows among which the nearest are, by the rounded vectors of the index."""
        from memory_layer.store.index import search
        from memory_layer.store.index.masks import MaskFilters

        project = self._connection.row("select project from project_alias where alias = ?", [among.project])
        categories = (among.category, Category.GENERAL) if among.category else ()
        filters = Filters(
            reach=Reach.PROJECT, categories=categories, tiers=FACTS, expired=True, superseded=True
        )
        wanted = MaskFilters(
            filters, project["project"] if project else None, None, 0, self._connection.covers
        )
        depth = MORE_NEIGHBOURS * among.limit
        places, _ = search.nearest(vector, (embedding, len(vector)), view.allowed(wanted), depth)
        return search.rows_at(view, places)

    def frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Return the number of memories, and the document frequency of each term."""
        view = self.view() if self._pays_for_words() else None

        def counted(view: View) -> tuple[int, dict[str, int]]:
            from memory_layer.store.index import search

            return search.frequencies(view, terms)

        return by_index(self._connection, view, counted, lambda: frequencies(self._connection, terms))

    def terms_beginning(self, letters: str) -> list[tuple[str, int]]:
        """Return the terms that begin with these letters, and how many memories hold each."""
        return terms_beginning(self._connection, letters)

    def _pays_for_words(self) -> bool:
        """Check whether the index is faster than full text, including the time to load numpy."""
        return "numpy" in sys.modules or last_row(self._connection) >= LARGE

    def _plainly(self, sought: Sought) -> Pool:
        """Return the candidates by full text and stored vectors, without positions of words."""
        rows, bm25, cosine = self._listed(sought)
        keyword_rank = {each: rank for rank, each in enumerate(bm25)}
        vector_rank = {each: rank for rank, each in enumerate(cosine)}
        if sought.vector is not None:
            missing = [each for each in bm25 if each not in cosine]
            by_meaning = {rows[each]: each for each in cosine if each not in bm25}
            cosine |= self.similarities(sought.vector, sought.fingerprint, missing)
            scores = word_scores(self._connection, sought.terms, list(by_meaning))
            bm25 |= {by_meaning[row]: score for row, score in scores.items()}
        ids = sorted(rows, key=lambda each: rows[each])
        return Pool(
            ids=ids,
            judged=ids if self._connection.row("select 1 from outcome limit 1") else (),
            bm25=[bm25.get(each, 0.0) for each in ids],
            keyword_rank=[keyword_rank.get(each, -1) for each in ids],
            cosine=[cosine.get(each, 0.0) for each in ids],
            vector_rank=[vector_rank.get(each, -1) for each in ids],
            unembedded=[at for at, each in enumerate(ids) if each not in cosine] if cosine else (),
            embedded=bool(vector_rank) and len(cosine) == len(ids),
        )

    def _listed(self, sought: Sought) -> tuple[dict[str, int], dict[str, float], dict[str, float]]:
        """Return the candidates' rows, and both lists with their scores, best first."""
        rows: dict[str, int] = {}
        bm25: dict[str, float] = {}
        cosine: dict[str, float] = {}
        terms, phrases, vector, fingerprint, filters, now, depth, _ = sought
        if terms or phrases:
            for row, each, score in by_words(self._connection, terms, phrases, filters, now, depth):
                rows[each], bm25[each] = row, score
        if vector is not None:
            near = vectors.by_meaning(self._connection, vector, fingerprint, filters, now, depth)
            names = ids_by_row(self._connection, [row for row, _ in near])
            for row, score in near:
                rows[names[row]], cosine[names[row]] = row, score
        return rows, bm25, cosine

    def _indexed(self, view: View, sought: Sought) -> Pool:
        from memory_layer.store.index import search

        vector = sought.vector
        embedding = None if vector is None else self._embedding_in(view, sought.fingerprint)
        found = search.candidates(
            view,
            sought.terms,
            None if embedding is None else vector,
            (embedding or 0, 0 if vector is None else len(vector)),
            view.allowed(self.wanted(sought.filters, sought.now)),
            sought.depth,
            sought.related,
        )
        return Pool(
            ids=found.ids,
            judged=found.judged,
            bm25=found.bm25.tolist(),
            keyword_rank=found.keyword_rank,
            cosine=found.cosine,
            vector_rank=found.vector_rank,
            occurrences=found.occurrences,
            unembedded=found.unembedded,
            embedded=embedding is not None and not found.unembedded,
        )

    def wanted(self, filters: Filters, now: datetime) -> MaskFilters:
        from memory_layer.store.index.masks import MaskFilters

        project = None
        if filters.reach is Reach.PROJECT and filters.project is not None:
            row = self._connection.row("select row from project where id = ?", [filters.project])
            project = row["row"] if row else None
        return MaskFilters(
            filters, project, self._named_rows(filters, now), to_micros(now) or 0, self._connection.covers
        )

    def _named_rows(self, filters: Filters, now: datetime) -> tuple[int, ...] | None:
        """Return the rows that pass the filters the index has no column for; None if there are no such filters."""
        from memory_layer.store.index.masks import needs_rows

        if not needs_rows(filters):
            return None
        condition, parameters = where(filters, now)
        found = self._connection.rows(f"select m.row from memory m where {condition}", parameters)
        return tuple(row["row"] for row in found)

    def _embedding_in(self, view: View, fingerprint: str) -> int | None:
        """Return the number of a fingerprint, cached in the view."""
        if fingerprint not in view.embeddings:
            view.embeddings[fingerprint] = self.embedding_known(fingerprint)
        return view.embeddings[fingerprint]

    def embedding_known(self, fingerprint: str) -> int | None:
        row = self._connection.row("select row from embedding where fingerprint = ?", [fingerprint])
        return int(row["row"]) if row else None

    def view(self) -> View | None:
        """Return the index as of the current transaction; None inside a write, which it does not cover."""
        own = self._connection.own()
        if not own.in_transaction:
            with self._connection.reading():
                return self.view()
        if own.writes:
            return None
        if own.view is None:
            from memory_layer.store.sqlite.index_source import Reader

            own.view = self._connection.beside().view(Reader(self._connection))
        return own.view

    def passing(self, ids: Sequence[str], filters: Filters, now: datetime) -> dict[str, Passed]:
        return passing(self._connection, ids, filters, now)

    def facets(self, ids: Sequence[str]) -> list[Facet]:
        return facets(self._connection, ids)

    def similarities(self, vector: Vector, fingerprint: str, ids: Sequence[str]) -> dict[str, float]:
        return vectors.similarities(self._connection, vector, fingerprint, ids)

    def close_pairs(self, fingerprint: str, above: float, since: int) -> Iterator[list[Close]]:
        from memory_layer.store.sqlite.neighbours import close_pairs

        return close_pairs(self._connection, fingerprint, above, since)

    def changed_since(self, sequence: int, without: Sequence[str]) -> bool:
        """Check whether any active memory except these changed after that."""
        found = self._connection.row(
            "select 1 from change where sequence > ? and memory in (select row from memory"
            " where status = 'active' and id not in (select value from json_each(?))) limit 1",
            [sequence, json.dumps(list(without))],
        )
        return found is not None

    def prepare(self) -> None:
        """Bring the index up to date, if searches will use it."""
        if self._pays_for_words() or self._connection.row("select 1 from vector limit 1"):
            self.view()

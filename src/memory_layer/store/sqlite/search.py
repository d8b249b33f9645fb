"""Search for candidates: in the index beside the file or, without it, in the file itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Category, Tier
from memory_layer.ports.search import Pool
from memory_layer.store.rows import to_micros
from memory_layer.store.sqlite import candidates, vectors
from memory_layer.store.sqlite.connection import by_index
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.memories import ids_by_row, last_row

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.ports import PassageVectors as Passages
    from memory_layer.ports import Vector
    from memory_layer.ports.search import Close, Facet, Neighbourhood, Passed, Sought
    from memory_layer.store.index.masks import MaskFilters
    from memory_layer.store.index.view import View
    from memory_layer.store.sqlite.connection import Connections

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
            embedding = self._embedding_known(fingerprint)
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

        return by_index(
            self._connection, view, counted, lambda: candidates.frequencies(self._connection, terms)
        )

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
            scores = candidates.word_scores(self._connection, sought.terms, list(by_meaning))
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
        terms, phrases, vector, fingerprint, filters, now, depth = sought
        if terms or phrases:
            for row, each, score in candidates.by_words(
                self._connection, terms, phrases, filters, now, depth
            ):
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
            view.allowed(self._wanted(sought.filters, sought.now)),
            sought.depth,
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

    def _wanted(self, filters: Filters, now: datetime) -> MaskFilters:
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
            view.embeddings[fingerprint] = self._embedding_known(fingerprint)
        return view.embeddings[fingerprint]

    def _embedding_known(self, fingerprint: str) -> int | None:
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
        return candidates.passing(self._connection, ids, filters, now)

    def facets(self, ids: Sequence[str]) -> list[Facet]:
        return candidates.facets(self._connection, ids)

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

"""Candidates for a question: from the index beside the file, or without it from the file itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Category, Tier
from memory_layer.ports.search import Match, Pool
from memory_layer.store.rows import to_micros
from memory_layer.store.sqlite import candidates, meaning
from memory_layer.store.sqlite.filters import where
from memory_layer.store.sqlite.memory_rows import last_row

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.ports import Vector
    from memory_layer.ports import Vectors as Passages
    from memory_layer.ports.search import Close, Facet, Neighbourhood, Passed, Phrase, Sought, Witness
    from memory_layer.store.index.masks import Wanted
    from memory_layer.store.index.view import View
    from memory_layer.store.sqlite.connection import Connections

T = TypeVar("T")

LARGE = 200_000  #: from this size on words are looked up in the index although that loads numpy
#: How many times the neighbours asked for are compared exactly; some turn out to have several passages.
MORE_NEIGHBOURS = 8
FACTS = (Tier.SEMANTIC,)  #: what a new memory is compared with
MORE = 24  #: how many more than asked for are compared exactly, because the index rounds


class Search:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def candidates(self, sought: Sought) -> Pool:
        """The best by words and the nearest by meaning, with all that is known of them without reading them."""
        view = None
        if not sought.phrases and (sought.vector is not None or self._pays_for_words()):
            view = self.view()
        return self._either(view, lambda view: self._indexed(view, sought), lambda: self._plainly(sought))

    def by_meaning(
        self, vector: Vector, fingerprint: str, filters: Filters, now: datetime, limit: int
    ) -> list[Match]:
        """The nearest by cosine of the best passage."""
        embedding = self._embedding_known(fingerprint)
        view = None if embedding is None else self.view()

        def rows(view: View) -> list[int]:
            from memory_layer.store.index import finding

            allowed = view.allowed(self._wanted(filters, now))
            return finding.rows_at(
                view, finding.nearest(vector, (embedding or 0, len(vector)), allowed, limit + MORE)[0]
            )

        near = self._either(view, rows, lambda: None)
        if near is None:
            return meaning.by_meaning(self._connection, vector, fingerprint, filters, now, limit)
        exact = self.similarities(vector, fingerprint, near)
        ordered = sorted(exact.items(), key=lambda item: (-item[1], item[0]))
        return [Match(row, score) for row, score in ordered[:limit]]

    def nearest(
        self, vector: Vector, fingerprint: str, among: Neighbourhood, since: int = 0
    ) -> list[tuple[Memory, float]]:
        """The active memories above a cosine, nearest first; only those changed after `since`."""
        embedding = self._embedding_known(fingerprint)
        view = None if since or embedding is None else self.view()
        rows = self._either(
            view, lambda view: self._around(view, vector, embedding or 0, among), lambda: None
        )
        if rows is None:
            return self.nearest_to_each(vector[None, :], fingerprint, [among], since)[0]
        return self.nearest_to_each(vector[None, :], fingerprint, [among], rows=rows)[0]

    def _around(self, view: View, vector: Vector, embedding: int, among: Neighbourhood) -> list[int]:
        """Memories among which the nearest are, as the index rounds."""
        from memory_layer.store.index import finding
        from memory_layer.store.index.masks import Wanted

        project = self._connection.row("select project from project_alias where alias = ?", [among.project])
        categories = (among.category, Category.GENERAL) if among.category else ()
        filters = Filters(
            reach=Reach.PROJECT, categories=categories, tiers=FACTS, expired=True, superseded=True
        )
        wanted = Wanted(filters, project["project"] if project else None, None, 0, self._connection.covers)
        depth = MORE_NEIGHBOURS * among.limit
        places, _ = finding.nearest(vector, (embedding, len(vector)), view.allowed(wanted), depth)
        return finding.rows_at(view, places)

    def unembedded(self, fingerprint: str) -> int:
        """How many active memories have no vector of this fingerprint, as far as the index says it."""

        def counted(view: View) -> int:
            from memory_layer.store.index import finding

            return finding.unembedded(view, self._embedding_in(view, fingerprint) or 0)

        return self._either(self.view(), counted, lambda: 0)

    def frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many memories there are, and how many hold each term."""
        view = self.view() if self._pays_for_words() else None

        def counted(view: View) -> tuple[int, dict[str, int]]:
            from memory_layer.store.index import finding

            return finding.frequencies(view, terms)

        return self._either(view, counted, lambda: candidates.frequencies(self._connection, terms))

    def _pays_for_words(self) -> bool:
        """Whether the index answers sooner than the full text, counting the time to load numpy."""
        return "numpy" in sys.modules or last_row(self._connection) >= LARGE

    def _either(self, view: View | None, indexed: Callable[[View], T], plain: Callable[[], T]) -> T:
        """What the index says; what the file says if there is none, or one that contradicts itself."""
        if view is None:
            return plain()
        from memory_layer.store.index.columns_file import UNUSABLE, Damaged
        from memory_layer.store.sqlite.indexed import Reader

        try:
            return indexed(view)
        except (Damaged, *UNUSABLE) as error:
            self._connection.own().view = None
            self._connection.beside().doubt(Reader(self._connection), error)
            return plain()

    def _plainly(self, sought: Sought) -> Pool:
        """The same from the full text and the vectors in the file; what words cover is left to who reads them."""
        bm25: dict[int, float] = {}
        cosine: dict[int, float] = {}
        if sought.terms or sought.phrases:
            bm25 = dict(self.by_words(sought.terms, sought.phrases, sought.filters, sought.now, sought.depth))
        if sought.vector is not None:
            cosine = dict(
                meaning.by_meaning(
                    self._connection,
                    sought.vector,
                    sought.fingerprint,
                    sought.filters,
                    sought.now,
                    sought.depth,
                )
            )
        keyword_rank = {row: rank for rank, row in enumerate(bm25)}
        vector_rank = {row: rank for rank, row in enumerate(cosine)}
        if sought.vector is not None:
            missing = [row for row in bm25 if row not in cosine]
            by_meaning = [row for row in cosine if row not in bm25]
            cosine |= self.similarities(sought.vector, sought.fingerprint, missing)
            bm25 |= candidates.word_scores(self._connection, sought.terms, by_meaning)
        rows = sorted(bm25.keys() | cosine.keys())
        return Pool(
            rows=rows,
            judged=rows if self._connection.row("select 1 from outcome limit 1") else (),
            bm25=[bm25.get(row, 0.0) for row in rows],
            keyword_rank=[keyword_rank.get(row, -1) for row in rows],
            cosine=[cosine.get(row, 0.0) for row in rows],
            vector_rank=[vector_rank.get(row, -1) for row in rows],
            unembedded=[at for at, row in enumerate(rows) if row not in cosine] if cosine else (),
            embedded=bool(vector_rank) and len(cosine) == len(rows),
        )

    def _indexed(self, view: View, sought: Sought) -> Pool:
        from memory_layer.store.index import finding

        vector = sought.vector
        embedding = None if vector is None else self._embedding_in(view, sought.fingerprint)
        found = finding.candidates(
            view,
            sought.terms,
            None if embedding is None else vector,
            (embedding or 0, 0 if vector is None else len(vector)),
            view.allowed(self._wanted(sought.filters, sought.now)),
            sought.depth,
        )
        return Pool(
            rows=found.rows.tolist(),
            judged=found.rows[found.judged].tolist(),
            bm25=found.bm25.tolist(),
            keyword_rank=found.keyword_rank,
            cosine=found.cosine,
            vector_rank=found.vector_rank,
            occurrences=found.occurrences,
            unembedded=found.unembedded,
            embedded=embedding is not None and not found.unembedded,
        )

    def _wanted(self, filters: Filters, now: datetime) -> Wanted:
        from memory_layer.store.index.masks import Wanted

        project = None
        if filters.reach is Reach.PROJECT and filters.project is not None:
            row = self._connection.row("select row from project where id = ?", [filters.project])
            project = row["row"] if row else None
        return Wanted(
            filters, project, self._named_rows(filters, now), to_micros(now) or 0, self._connection.covers
        )

    def _named_rows(self, filters: Filters, now: datetime) -> tuple[int, ...] | None:
        """Return the memories that pass what no column of the index tells; None if nothing like it is asked for."""
        from memory_layer.store.index.masks import needs_rows

        if not needs_rows(filters):
            return None
        condition, parameters = where(filters, now)
        found = self._connection.rows(f"select m.row from memory m where {condition}", parameters)
        return tuple(row["row"] for row in found)

    def _embedding_in(self, view: View, fingerprint: str) -> int | None:
        """The same, looked up once for each moment of the store."""
        if fingerprint not in view.embeddings:
            view.embeddings[fingerprint] = self._embedding_known(fingerprint)
        return view.embeddings[fingerprint]

    def _embedding_known(self, fingerprint: str) -> int | None:
        row = self._connection.row("select row from embedding where fingerprint = ?", [fingerprint])
        return int(row["row"]) if row else None

    def view(self) -> View | None:
        """The index as of the transaction under way; a write under way is not in it, so it does without."""
        own = self._connection.own()
        if not own.in_transaction:
            with self._connection.reading():
                return self.view()
        if own.writes:
            return None
        if own.view is None:
            from memory_layer.store.sqlite.indexed import Reader

            own.view = self._connection.beside().view(Reader(self._connection))
        return own.view

    def checked(self, rows: Sequence[int], filters: Filters, now: datetime) -> dict[int, Passed]:
        return candidates.checked(self._connection, rows, filters, now)

    def by_words(
        self, terms: Sequence[str], phrases: Sequence[Phrase], filters: Filters, now: datetime, limit: int
    ) -> list[Match]:
        return candidates.by_words(self._connection, terms, phrases, filters, now, limit)

    def facets(self, rows: Sequence[int]) -> list[Facet]:
        return candidates.facets(self._connection, rows)

    def witnesses(self, rows: Sequence[int], now: datetime) -> list[Witness]:
        return candidates.witnesses(self._connection, rows, now)

    def query_texts(self, queries: Iterable[int]) -> dict[int, str]:
        return candidates.query_texts(self._connection, queries)

    def similarities(self, vector: Vector, fingerprint: str, rows: Sequence[int]) -> dict[int, float]:
        return meaning.similarities(self._connection, vector, fingerprint, rows)

    def query_similarities(
        self, vector: Vector, fingerprint: str, queries: Iterable[int]
    ) -> dict[int, float]:
        return meaning.query_similarities(self._connection, vector, fingerprint, queries)

    def nearest_to_each(
        self,
        vectors: Passages,
        fingerprint: str,
        among: Sequence[Neighbourhood],
        since: int = 0,
        rows: Sequence[int] | None = None,
    ) -> list[list[tuple[Memory, float]]]:
        from memory_layer.store.sqlite.neighbours import Neighbours  # only writes compare memories

        return Neighbours(self._connection).nearest_to_each(vectors, fingerprint, among, since, rows)

    def close_pairs(self, fingerprint: str, above: float, since: int) -> Iterator[list[Close]]:
        from memory_layer.store.sqlite.alike import close_pairs

        return close_pairs(self._connection, fingerprint, above, since)

    def changed_since(self, sequence: int, without: Sequence[str]) -> bool:
        """Whether any active memory but these changed after that."""
        found = self._connection.row(
            "select 1 from change where sequence > ? and memory in (select row from memory"
            " where status = 'active' and id not in (select value from json_each(?))) limit 1",
            [sequence, json.dumps(list(without))],
        )
        return found is not None

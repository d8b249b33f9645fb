"""Find candidates by words, and read the values that ranking needs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING

from memory_layer.model.vocabulary import Category
from memory_layer.ports.search import Facet, Passed
from memory_layer.store.rows import CITATIONS, RECORD, from_micros, memory_of, moment
from memory_layer.store.sqlite.filters import where

if TYPE_CHECKING:
    from memory_layer.model.query import Filters
    from memory_layer.ports.search import Phrase
    from memory_layer.store.sqlite.connection import Connections

DISPUTED = (
    "exists (select 1 from link l where l.source = m.row and l.kind = 'conflicts_with')"
    " or exists (select 1 from link l where l.target = m.row and l.kind = 'conflicts_with')"
)

MOST_LOOKED_UP = 64  #: phrases; SQLite's time grows with the square of their number


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
        passed[record[0]] = Passed(record[0], cache(read) if cites else read, bool(disputed), cites)
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

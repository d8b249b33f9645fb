"""The map's positions beside a SQLite store, and the columns that it shows, read from the search index."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from memory_layer.model.vocabulary import FAMILIES, FAMILY_OF, Category, Status
from memory_layer.ports.map import MapColumns, Positions, VectorRows
from memory_layer.store.index import map_file
from memory_layer.store.index.columns_file import UNUSABLE, Damaged
from memory_layer.store.index.files import is_of
from memory_layer.store.index.folder import MAP_LOCK, Identity, IndexFolder, IndexList
from memory_layer.store.index.masks import among
from memory_layer.store.index.segment import JUDGED
from memory_layer.store.sqlite.index_source import Reader
from memory_layer.store.sqlite.search import SqliteSearch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from numpy.typing import NDArray

    from memory_layer.model.query import Filters
    from memory_layer.store.index.segment import Segment
    from memory_layer.store.sqlite.connection import Connections

DAY_MICROS = 86_400_000_000
LAST_DAY = 65_535
#: The number of the family of each category.
FAMILY_NUMBERS = {str(category): list(FAMILIES).index(family) for category, family in FAMILY_OF.items()}


class SqliteMap:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection
        self._search = SqliteSearch(connection)
        self._known: tuple[object, map_file.Saved] | None = None  #: the file as it was last read

    def positions(self, fingerprint: str) -> Positions | None:
        """Return the saved positions of this store and embedding; None if there are none."""
        folder = self._folder()
        if folder is None:
            return None
        try:
            stamp = map_file.stamp(folder.path)
            if self._known is None or self._known[0] != stamp:
                self._known = stamp, map_file.read(folder.path)
            saved = self._known[1]
            source = Reader(self._connection)
            moment = source.moment()
            listed = IndexList(saved.identity, saved.sequence, 0, ())
            if saved.fingerprint != fingerprint or not is_of(listed, source, moment):
                return None
        except (Damaged, OSError, *UNUSABLE):
            return None
        return saved.positions._replace(current=saved.sequence == moment.sequence)

    def save(self, fingerprint: str, positions: Positions, seen: VectorRows) -> bool:
        """Keep positions in the index folder; False if that is impossible, or a memory was forgotten meanwhile."""
        folder = self._folder()
        if folder is None:
            return False
        sequence, identity = seen.moment
        try:
            map_file.write(folder.path, map_file.Saved(fingerprint, Identity(*identity), sequence, positions))
            if not Reader(self._connection).forgot_since(sequence):
                return True
            folder.drop_map()
        except OSError:
            pass
        return False

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """Lock the positions for computing; yield False if another process computes, or nothing can be kept."""
        folder = self._folder()
        if folder is None:
            yield False
            return
        with folder.locked(name=MAP_LOCK) as mine:
            yield mine

    def embedded(self, fingerprint: str) -> VectorRows | None:
        """Return the active memories with vectors of a model; None while the index is unavailable."""
        view, embedding = self._search.view(), self._search.embedding_known(fingerprint)
        if view is None:
            return None
        parts, active = [], 0
        for layer in view.layers:
            wanted = layer.alive & among(layer.segment, "status", {Status.ACTIVE})
            active += int(np.count_nonzero(wanted))
            parts += _slots(layer.segment, wanted, embedding)
        source = Reader(self._connection)
        moment = source.moment().sequence, tuple(source.identity())
        return _joined(parts, active)._replace(moment=moment)

    def columns(self, filters: Filters, now: datetime) -> MapColumns | None:
        """Return the memories that pass the filters; None while the index is unavailable."""
        view = self._search.view()
        if view is None:
            return None
        parts = []
        for each in view.allowed(self._search.wanted(filters, now)):
            mask = np.ones(len(each.segment), np.bool_) if each.mask is None else each.mask
            parts.append(_columns(each.segment, np.flatnonzero(mask)))
        rows, families, days, judged = (
            np.concatenate(columns) for columns in zip(_NOTHING, *parts, strict=True)
        )
        order = np.argsort(rows, kind="stable")
        rows = rows[order]
        scores = self._scores(rows, judged[order])
        return MapColumns(rows, families[order], scores, days[order])

    def _scores(self, rows: NDArray[np.int64], judged: NDArray[np.bool_]) -> NDArray[np.float32]:
        scores = np.zeros(len(rows), np.float32)
        if judged.any():
            found = self._connection.rows(
                "select row, outcome_score from memory where row in (select value from json_each(?))",
                [json.dumps(rows[judged].tolist())],
            )
            at = rows.searchsorted([row["row"] for row in found])
            scores[at] = [row["outcome_score"] for row in found]
        return scores

    def ids(self, rows: list[int]) -> dict[int, str]:
        """Return the ids of the memories at these rows."""
        found = self._connection.rows(
            "select row, id from memory where row in (select value from json_each(?))", [json.dumps(rows)]
        )
        return {row["row"]: row["id"] for row in found}

    def _folder(self) -> IndexFolder | None:
        return self._connection.beside().folder


_NOTHING: tuple[NDArray[Any], ...] = (
    np.empty(0, np.int64),
    np.empty(0, np.uint8),
    np.empty(0, np.uint16),
    np.empty(0, np.bool_),
)


def _columns(segment: Segment, docs: NDArray[np.intp]) -> tuple[NDArray[Any], ...]:
    codes, meanings = segment.coded("category")
    numbers = np.array(
        [FAMILY_NUMBERS.get(each, FAMILY_NUMBERS[Category.GENERAL]) for each in meanings], np.uint8
    )
    days = np.clip(segment.column("created")[docs] // DAY_MICROS, 0, LAST_DAY).astype(np.uint16)
    families = numbers[codes[docs]] if len(docs) else np.empty(0, np.uint8)
    return segment.rows[docs], families, days, (segment.flags[docs] & JUDGED) != 0


def _slots(segment: Segment, wanted: NDArray[np.bool_], embedding: int | None) -> list[tuple[Any, ...]]:
    """Return the rows of the wanted memories, with the place of the first vector of each."""
    found = []
    for kind, codes in segment.embeddings.items():
        if kind[0] != embedding:
            continue
        docs, first = np.unique(codes.docs, return_index=True)
        chosen = wanted[docs]
        found.append((kind[1], segment.rows[docs[chosen]], codes, first[chosen]))
    return found


def _joined(parts: list[tuple[Any, ...]], active: int) -> VectorRows:
    """Join the parts of all segments with the most common number of dimensions."""
    sizes: dict[int, int] = {}
    for dimensions, rows, *_ in parts:
        sizes[dimensions] = sizes.get(dimensions, 0) + len(rows)
    usual = max(sizes, key=lambda each: sizes[each], default=0)
    parts = [each for each in parts if each[0] == usual]
    rows = np.concatenate([np.empty(0, np.int64), *(each[1] for each in parts)])
    part = np.repeat(np.arange(len(parts)), [len(each[1]) for each in parts])
    slot = np.concatenate([np.empty(0, np.intp), *(each[3] for each in parts)])
    order = np.argsort(rows, kind="stable")
    part, slot = part[order], slot[order]

    def vectors(places: NDArray[np.intp]) -> NDArray[np.float32]:
        result = np.zeros((len(places), usual), np.float32)
        for number, (_, _, codes, _) in enumerate(parts):
            mine = np.flatnonzero(part[places] == number)
            at = slot[places[mine]]
            result[mine] = codes.ints[at] * codes.scales[at][:, None]
        return result

    return VectorRows(rows[order], vectors, active - len(rows))

"""The neighbours of many new vectors, found in one scan of the known ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memory_layer.model.vocabulary import Category
from memory_layer.store.sqlite.half_precision import as_long, products
from memory_layer.store.sqlite.memories import Memories
from memory_layer.store.sqlite.memory_rows import ids_by_row, rows_by_id

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.model.memory import Memory
    from memory_layer.ports import Vectors as Passages
    from memory_layer.ports.search import Neighbourhood
    from memory_layer.store.sqlite.connection import Connections

#: How many known vectors are compared at once; with a few hundred new ones that takes some megabytes.
BLOCK = 4096

Found = list[tuple[float, int]]  #: the cosine, negated, and the row: the smallest is the nearest and oldest


def nearest_to_each(
    connection: Connections,
    vectors: Passages,
    fingerprint: str,
    among: Sequence[Neighbourhood],
    since: int = 0,
    rows: Sequence[int] | None = None,
) -> list[list[tuple[Memory, float]]]:
    """Return for each vector the active memories of its project above a cosine, nearest first; `rows` limits them."""
    found: list[Found] = [[] for _ in among]
    own = rows_by_id(connection, [each.excluding for each in among])
    for project in dict.fromkeys(each.project for each in among):
        at = [place for place, each in enumerate(among) if each.project == project]
        here = [among[place] for place in at]
        limits = [own.get(each.excluding, 0) for each in here]
        blocks = _blocks(connection, vectors[at], fingerprint, project, since, rows)
        for known, categories, scores in blocks:
            for column, each in enumerate(here):
                mask = _comparable(each, limits[column], known, categories)
                near = found[at[column]]
                near += _above(scores[:, column], known, mask, each.above)
                near.sort()
                del near[each.limit :]
    return _with_memories(connection, found)


def _blocks(
    connection: Connections,
    vectors: Passages,
    fingerprint: str,
    project: str | None,
    since: int,
    rows: Sequence[int] | None,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.str_], NDArray[np.float32]]]:
    """Yield the rows, categories and cosines of what may be compared; texts of several passages may not."""
    import numpy as np

    few, parameters = _only(since, rows)
    # Of a few rows each is looked up; the plus keeps SQLite from reading a whole project for them.
    in_project = "+m.project" if few else "m.project"
    with connection.using() as db:
        cursor = db.execute(
            "select v.memory, m.category, v.numbers from vector v join memory m on m.row = v.memory"
            " where v.embedding = (select row from embedding where fingerprint = ?)"
            " and m.status = 'active' and m.tier = 'semantic'"
            f" and ({in_project} is null"
            f"  or {in_project} = (select project from project_alias where alias = ?))"
            " and not exists (select 1 from vector w where w.embedding = v.embedding"
            f"   and w.memory = v.memory and w.passage > 0){few}",
            [fingerprint, project, *parameters],
        )
        while block := cursor.fetchmany(BLOCK):
            some = as_long(block, vectors.shape[1])
            yield (
                np.array([row["memory"] for row in some], np.int64),
                np.array([row["category"] for row in some], np.str_),
                products(some, vectors.T),
            )


def _with_memories(connection: Connections, found: Sequence[Found]) -> list[list[tuple[Memory, float]]]:
    rows = sorted({row for near in found for _, row in near})
    ids = ids_by_row(connection, rows)
    memories = {memory.id: memory for memory in Memories(connection).get(list(ids.values()))}
    return [[(memories[ids[row]], -score) for score, row in near] for near in found]


def _only(since: int, rows: Sequence[int] | None) -> tuple[str, list[object]]:
    """The condition that leaves the given rows, and those that changed since; empty for all."""
    conditions, parameters = "", list[object]()
    if since:
        conditions += " and m.row in (select memory from change where sequence > ?)"
        parameters.append(since)
    if rows is not None:
        conditions += " and m.row in (select value from json_each(?))"
        parameters.append(json.dumps(list(rows)))
    return conditions, parameters


def _comparable(
    each: Neighbourhood, own: int, rows: NDArray[np.int64], categories: NDArray[np.str_]
) -> NDArray[np.bool_]:
    """Which of the known memories this one may be compared with."""
    mask = rows < own if each.only_older and own else rows != own
    if each.category is not None:
        mask &= (categories == each.category.value) | (categories == Category.GENERAL.value)
    return mask


def _above(
    scores: NDArray[np.float32], rows: NDArray[np.int64], mask: NDArray[np.bool_], least: float
) -> Found:
    at = (mask & (scores > least)).nonzero()[0]
    return list(zip((-scores[at]).tolist(), rows[at].tolist(), strict=True))

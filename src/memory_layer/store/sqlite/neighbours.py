"""Find close pairs of memories, and the neighbours of many new vectors in one scan."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.ports.search import Close
from memory_layer.store.sqlite.memories import SqliteMemories, ids_by_row, rows_by_id
from memory_layer.store.sqlite.vectors import as_floats, as_long, products, usual_width

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.model.memory import Memory
    from memory_layer.ports import PassageVectors as Passages
    from memory_layer.ports.search import Neighbourhood
    from memory_layer.store.sqlite.connection import Connections


#: Vectors read at once, and close pairs looked up and returned at once.
BLOCK, TOLD = 4096, 500
#: Runs of bits to try, and the most memories sharing a run that each is compared with.
RUNS, COMPARED = 32, 16
#: The average number of memories that should share a run of bits.
TOGETHER = 8
SHORTEST_RUN, LONGEST_RUN = 8, 24
#: Tolerance for differing bits, which only estimate the cosine.
MARGIN = 0.05


#: Known vectors compared at once; with a few hundred new ones this takes some megabytes.
VECTORS_A_BLOCK = 4096
Found = list[tuple[float, int]]  #: negated cosine and row: the smallest is the nearest and oldest


class Laid(NamedTuple):
    """All comparable vectors, as parallel arrays."""

    rows: NDArray[np.int64]
    projects: NDArray[np.int64]  #: -1 for the global ones
    categories: NDArray[np.int64]  #: 0 for general
    fresh: NDArray[np.bool_]  #: changed since the last comparison
    bits: NDArray[np.uint8]  #: one bit each, (memories, dimensions)


def close_pairs(connection: Connections, fingerprint: str, above: float, since: int) -> Iterator[list[Close]]:
    """Yield pairs above a cosine of which one changed since, some hundred at a time, in a fixed order."""
    laid = _laid(connection, fingerprint, since)
    if laid is None:
        return
    for some in _in_pieces(_candidates(laid, above)):
        yield _compared(connection, fingerprint, laid.rows[some[:, 0]], laid.rows[some[:, 1]], above)


def _laid(connection: Connections, fingerprint: str, since: int) -> Laid | None:
    """Load active memories of one passage with the sign bits of their vectors; a few dozen bytes each."""
    import numpy as np

    blocks: list[Laid] = []
    names: dict[str, int] = {"general": 0}
    width = 0
    with connection.using() as db:
        cursor = db.execute(
            "select v.memory, v.numbers, coalesce(m.project, -1) as project, m.category,"
            " ?1 = 0 or m.row in (select memory from change where sequence > ?1) as fresh"
            " from vector v join memory m on m.row = v.memory"
            " where v.embedding = (select row from embedding where fingerprint = ?2)"
            " and m.status = 'active' and m.tier = 'semantic'"
            " and not exists (select 1 from vector w where w.embedding = v.embedding"
            "   and w.memory = v.memory and w.passage > 0) order by v.memory",
            [since, fingerprint],
        )
        while block := cursor.fetchmany(BLOCK):
            width = width or usual_width(block)
            some = as_long(block, width)
            if some and width and width % 8 == 0:
                blocks.append(_laid_out(some, width, names))
    if not blocks:
        return None
    return Laid(*(np.concatenate(column) for column in zip(*blocks, strict=True)))


def _compared(
    connection: Connections,
    fingerprint: str,
    ones: NDArray[np.int64],
    others: NDArray[np.int64],
    above: float,
) -> list[Close]:
    """Compute the exact cosines of pairs, and drop those that are not close after all."""
    import numpy as np

    found = connection.rows(
        "select v.memory, m.id, v.numbers from vector v join memory m on m.row = v.memory"
        " where v.embedding = (select row from embedding where fingerprint = ?) and v.passage = 0"
        " and v.memory in (select value from json_each(?)) order by v.memory",
        [fingerprint, json.dumps(sorted({*ones.tolist(), *others.tolist()}))],
    )
    width = usual_width(found)
    found = as_long(found, width)
    at = {row["memory"]: place for place, row in enumerate(found)}
    vectors = as_floats(found, width)
    pairs = [
        (at[one], at[other])
        for one, other in zip(ones.tolist(), others.tolist(), strict=True)
        if one in at and other in at
    ]
    places = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    with np.errstate(all="ignore"):
        cosines = np.einsum("ij,ij->i", vectors[places[:, 0]], vectors[places[:, 1]])
    return [
        Close(found[one]["id"], found[other]["id"], min(float(cosine), 1.0))
        for (one, other), cosine in zip(pairs, cosines, strict=True)
        if above < cosine < 1.5
    ]


def _laid_out(block: list[Any], width: int, names: dict[str, int]) -> Laid:
    import numpy as np

    from memory_layer.store.index.codes import rotated, stretched

    with np.errstate(all="ignore"):
        signs = rotated(stretched(as_floats(block, width))) > 0
    return Laid(
        np.array([row["memory"] for row in block], np.int64),
        np.array([row["project"] for row in block], np.int64),
        np.array([names.setdefault(row["category"], len(names)) for row in block], np.int64),
        np.array([row["fresh"] for row in block], np.bool_),
        np.packbits(signs.T, axis=1),
    )


def _candidates(laid: Laid, above: float) -> NDArray[np.int64]:
    """Yield the positions of pairs that may be close by their bits, each once, in order."""
    import numpy as np

    count, octets = laid.bits.shape
    width = 8 * octets
    most = int(width * (np.arccos(above) / np.pi + MARGIN))
    length = int(np.clip(np.ceil(np.log2(max(count, 2) / TOGETHER)), SHORTEST_RUN, min(LONGEST_RUN, width)))
    found = np.empty(0, np.int64)
    for start in np.linspace(0, width, RUNS, endpoint=False).astype(int):
        keys = _run(laid.bits, int(start), length)
        order = np.argsort(keys, kind="stable")
        pairs = [_neighbours(laid, order, keys[order], step, most) for step in range(1, COMPARED + 1)]
        found = np.unique(np.concatenate([found, *pairs]))
    return np.stack([found // count, found % count], axis=1)


def _run(bits: NDArray[np.uint8], start: int, length: int) -> NDArray[np.uint32]:
    """Return a run of bits of every memory as a number, wrapping around at the end."""
    import numpy as np

    octets = bits.shape[1]
    keys = np.zeros(len(bits), np.uint64)
    for at in range(start // 8, start // 8 + length // 8 + 2):
        keys = keys << np.uint64(8) | bits[:, at % octets]
    unread = 8 * (length // 8 + 2) - start % 8 - length
    return (keys >> np.uint64(unread) & np.uint64((1 << length) - 1)).astype(np.uint32)


def _neighbours(
    laid: Laid, order: NDArray[np.int64], keys: NDArray[np.uint32], step: int, most: int
) -> NDArray[np.int64]:
    """Return comparable, close pairs that share a run and are `step` apart, as one number each."""
    import numpy as np

    same = np.flatnonzero(keys[step:] == keys[:-step]) if step < len(keys) else np.empty(0, np.int64)
    ones, others = order[same], order[same + step]
    ones, others = np.minimum(ones, others), np.maximum(ones, others)
    fits = (laid.fresh[ones] | laid.fresh[others]) & _together(laid.projects[ones], laid.projects[others], -1)
    fits &= _together(laid.categories[ones], laid.categories[others], 0)
    ones, others = ones[fits], others[fits]
    near = np.bitwise_count(laid.bits[ones] ^ laid.bits[others]).sum(axis=1, dtype=np.int32) <= most
    found: NDArray[np.int64] = ones[near] * len(laid.rows) + others[near]
    return found


def _together(ones: NDArray[np.int64], others: NDArray[np.int64], every: int) -> NDArray[np.bool_]:
    """Return a mask of pairs that are equal, or of which one matches everything."""
    result: NDArray[np.bool_] = (ones == others) | (ones == every) | (others == every)
    return result


def _in_pieces(pairs: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(pairs), TOLD):
        yield pairs[start : start + TOLD]


def nearest_to_each(
    connection: Connections,
    vectors: Passages,
    fingerprint: str,
    among: Sequence[Neighbourhood],
    since: int = 0,
    rows: Sequence[int] | None = None,
) -> list[list[tuple[Memory, float]]]:
    """Return for each vector the active memories of its project above a cosine, nearest first; only `rows` if given."""
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
    """Yield rows, categories and cosines of comparable memories; texts of several passages are skipped."""
    import numpy as np

    few, parameters = _only(since, rows)
    # Look up a few rows one by one; the unary plus keeps SQLite from scanning a whole project.
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
        while block := cursor.fetchmany(VECTORS_A_BLOCK):
            some = as_long(block, vectors.shape[1])
            yield (
                np.array([row["memory"] for row in some], np.int64),
                np.array([row["category"] for row in some], np.str_),
                products(some, vectors.T),
            )


def _with_memories(connection: Connections, found: Sequence[Found]) -> list[list[tuple[Memory, float]]]:
    rows = sorted({row for near in found for _, row in near})
    ids = ids_by_row(connection, rows)
    memories = {memory.id: memory for memory in SqliteMemories(connection).get(list(ids.values()))}
    return [[(memories[ids[row]], -score) for score, row in near] for near in found]


def _only(since: int, rows: Sequence[int] | None) -> tuple[str, list[object]]:
    """Return a condition for the given rows and those changed since; empty for all."""
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
    """Return a mask of the known memories this one may be compared with."""
    mask = rows < own if each.only_older and own else rows != own
    if each.category is not None:
        mask &= (categories == each.category.value) | (categories == Category.GENERAL.value)
    return mask


def _above(
    scores: NDArray[np.float32], rows: NDArray[np.int64], mask: NDArray[np.bool_], least: float
) -> Found:
    at = (mask & (scores > least)).nonzero()[0]
    return list(zip((-scores[at]).tolist(), rows[at].tolist(), strict=True))

"""Whether an index says of every memory what the store says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from memory_layer.store.index.segment import CODED, PLAIN, built, joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.segment import Doc, Segment
    from memory_layer.store.index.view import View

AT_ONCE = 4096  #: memories that are compared at a time

#: When a memory last changed is known only of those that did so lately.
_UNTOLD = {"sequences"}


def difference(view: View, docs: Iterator[Doc]) -> str | None:
    """The first thing in which a view differs from the memories of the store, which come in the order of their rows."""
    count = 0
    while some := list(islice(docs, AT_ONCE)):
        count += len(some)
        found = _said_of(view, some)
        if sorted(found.rows.tolist()) != [doc.row for doc in some]:
            return f"not every memory from row {some[0].row} to {some[-1].row} stands in it once"
        by_row = {doc.row: doc for doc in some}
        unlike = _unlike(found, built([by_row[row] for row in found.rows.tolist()]))
        if unlike is not None:
            return f"{unlike} of the memories from row {some[0].row} to {some[-1].row} differ"
    alive = sum(int(np.count_nonzero(layer.alive)) for layer in view.layers)
    return None if alive == count else f"it holds {alive} memories, and the store {count}"


def _said_of(view: View, docs: list[Doc]) -> Segment:
    """What a view says of these memories, as one segment."""
    first, last = docs[0].row, docs[-1].row
    parts = []
    for layer in view.layers:
        rows = layer.segment.rows
        keep = layer.alive & (rows >= first) & (rows <= last)
        if keep.any():
            parts.append((layer.segment, keep))
    return joined(parts) if parts else built([])


def _unlike(found: Segment, right: Segment) -> str | None:
    """The name of a column in which two segments of the same memories differ."""
    for name in CODED:
        if not np.array_equal(_meant(found, name), _meant(right, name)):
            return f"the column {name}"
    names = found.content.arrays.keys() | right.content.arrays.keys()
    for name in sorted(names - set(CODED) - _UNTOLD):
        mine, other = found.content.arrays.get(name), right.content.arrays.get(name)
        if mine is None or other is None or not _alike(mine, other):
            what = "vectors" if name.startswith("vectors.") else "words"
            return f"the column {name}" if name in PLAIN else f"the {what}"
    return None


def _alike(mine: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two columns are the same, but for the last digit of what was computed."""
    if mine.dtype.kind == "f" and mine.shape == other.shape:
        return bool(np.allclose(mine, other, rtol=1e-5, atol=0.0))
    return bool(np.array_equal(mine, other))


def _meant(segment: Segment, name: str) -> NDArray[np.object_]:
    column, meanings = segment.coded(name)
    told: NDArray[np.object_] = np.array([*meanings, ""], np.object_)[column]
    return told

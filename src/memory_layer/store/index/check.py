"""Check that the columns of a segment are consistent, so that readers need not.

The quick check of types and lengths runs whenever a segment is opened and costs next to nothing. The thorough check of
every value runs only after a reader failed on a segment or when it is in doubt; readers bounds-check in between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from memory_layer.store.index.codes import WORD
from memory_layer.store.index.columns_file import Damaged
from memory_layer.store.index.postings import MANY, MAX_DOCUMENTS
from memory_layer.store.index.segment import CODED, ID_BYTES, PLAIN, built, joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.segment import Doc, Segment
    from memory_layer.store.index.view import View


_EACH: dict[str, Any] = PLAIN | dict.fromkeys(CODED, np.uint16)
_EACH |= {"token_ends": np.int64, "words.lengths": np.uint32}
_WIDTHS = {"ids": (ID_BYTES,)}
_OTHERS: dict[str, Any] = {
    "words.terms": np.uint64,
    "words.starts": np.uint32,
    "words.docs": np.uint16,
    "words.counts": np.uint8,
    "words.many": np.uint32,
    "words.many_counts": np.uint32,
    "tokens": np.uint32,
}
_CODES: dict[str, Any] = {"bits": np.uint64, "ints": np.int8, "scales": np.float32, "docs": np.uint32}
#: The dtype of every column, precomputed because it is compared at every opening.
_KINDS = {name: np.dtype(kind) for name, kind in (*_EACH.items(), *_OTHERS.items(), *_CODES.items())}
_NAME = re.compile(r"vectors\.[0-9]{1,9}\.([0-9]{1,9})")
_OUTSIDE = "an offset is out of bounds"
_LENGTH = "its length does not match the others"


AT_ONCE = 4096  #: memories compared at a time
#: The last change is known only for recently changed memories.
_NOT_COMPARED = {"sequences"}


def look(segment: Segment) -> Segment:
    """Return the segment if every column is present with its type and length; raise Damaged otherwise."""
    count = len(segment)
    _require(count <= MAX_DOCUMENTS, "rows", "there are too many")
    for name in _EACH:
        _column(segment, name, name, count, *_WIDTHS.get(name, ()))
    sizes = {name: len(_column(segment, name, name, None)) for name in _OTHERS}
    _require(sizes["words.starts"] == sizes["words.terms"] + 1, "words.starts", _LENGTH)
    _require(sizes["words.counts"] == sizes["words.docs"], "words.counts", _LENGTH)
    _require(sizes["words.many_counts"] == sizes["words.many"], "words.many_counts", _LENGTH)
    for kind in {name.rpartition(".")[0] for name in segment.content.arrays if name.startswith("vectors.")}:
        _look_at_vectors(segment, kind)
    return segment


def _look_at_vectors(segment: Segment, kind: str) -> None:
    slots, width = _column(segment, f"{kind}.ints", "ints", None, None).shape
    _column(segment, f"{kind}.bits", "bits", -(-width // WORD), slots)
    _column(segment, f"{kind}.scales", "scales", slots)
    _column(segment, f"{kind}.docs", "docs", slots)
    parsed = _NAME.fullmatch(kind)
    numbers = int(parsed[1]) if parsed else 0
    _require(width == numbers + -numbers % 8 > 0, f"{kind}.ints", "its vectors do not have the declared size")


def _column(segment: Segment, name: str, kind: str, *shape: int | None) -> NDArray[Any]:
    """Return a column, checked for its type and shape; None means any length."""
    column = segment.content.arrays.get(name)
    if column is None:
        raise Damaged(f"the column {name} is missing")
    _require(column.dtype == _KINDS[kind], name, "it has the wrong type")
    _require(column.ndim == len(shape) and all(map(_is, shape, column.shape)), name, _LENGTH)
    return column


def _is(wanted: int | None, real: int) -> bool:
    return wanted is None or wanted == real


def look_thoroughly(segment: Segment) -> Segment:
    """Also bounds-check every stored offset."""
    look(segment)
    count, postings = len(segment), segment.postings
    for name in CODED:
        segment.coded(name)
    _require(segment.column("ids").max(initial=0) < 128, "ids", "it contains a character that is not ASCII")
    for name in ("tags", "scope"):
        _require(
            all(map(_is_list, segment.content.lists[name])), name, "it contains a value that is not a list"
        )
    _require(_within(postings.starts, len(postings.docs) + 1), "words.starts", _OUTSIDE)
    _require(postings.starts[0] == 0 and postings.starts[-1] == len(postings.docs), "words.starts", _OUTSIDE)
    _require(not len(postings.docs) or postings.docs.max() < count, "words.docs", _OUTSIDE)
    full = np.flatnonzero(postings.counts == MANY)
    _require(
        np.array_equal(full, postings.many),
        "words.many",
        "the list of frequent words does not match the counts",
    )
    _require(_within(segment.column("token_ends"), len(segment.column("tokens")) + 1), "token_ends", _OUTSIDE)
    for kind, codes in segment.embeddings.items():
        _require(_within(codes.docs, count), f"vectors.{kind[0]}.{kind[1]}.docs", _OUTSIDE)
        sound = ((codes.scales >= 0) & (codes.scales <= 1)).all()
        _require(sound, f"vectors.{kind[0]}.{kind[1]}.scales", "a scale is out of range")
    return segment


def _within(places: NDArray[Any], end: int) -> bool:
    """Check that offsets never decrease and all lie before the end."""
    if not len(places):
        return True
    return bool((places[1:] >= places[:-1]).all() and places[0] >= 0 and places[-1] < end)


def _is_list(text: str) -> bool:
    try:
        value = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return False
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _require(holds: bool | np.bool_, name: str, otherwise: str) -> None:
    if not holds:
        raise Damaged(f"the column {name} is damaged: {otherwise}")


def difference(view: View, docs: Iterator[Doc]) -> str | None:
    """Return the first difference between a view and the store's memories, which come in row order."""
    count = 0
    while some := list(islice(docs, AT_ONCE)):
        count += len(some)
        found = _segment_of(view, some)
        if sorted(found.rows.tolist()) != [doc.row for doc in some]:
            return f"not every memory from row {some[0].row} to {some[-1].row} occurs in it exactly once"
        by_row = {doc.row: doc for doc in some}
        differing = _first_difference(found, built([by_row[row] for row in found.rows.tolist()]))
        if differing is not None:
            return f"{differing} of the memories from row {some[0].row} to {some[-1].row} differ"
    alive = sum(int(np.count_nonzero(layer.alive)) for layer in view.layers)
    return None if alive == count else f"it has {alive} memories, but the store has {count}"


def _segment_of(view: View, docs: list[Doc]) -> Segment:
    """Collect a view's data on these memories into one segment."""
    first, last = docs[0].row, docs[-1].row
    parts = []
    for layer in view.layers:
        rows = layer.segment.rows
        keep = layer.alive & (rows >= first) & (rows <= last)
        if keep.any():
            parts.append((layer.segment, keep))
    return joined(parts) if parts else built([])


def _first_difference(found: Segment, right: Segment) -> str | None:
    """Return the name of a column in which two segments of the same memories differ."""
    for name in CODED:
        if not np.array_equal(_decoded(found, name), _decoded(right, name)):
            return f"the column {name}"
    names = found.content.arrays.keys() | right.content.arrays.keys()
    for name in sorted(names - set(CODED) - _NOT_COMPARED):
        mine, other = found.content.arrays.get(name), right.content.arrays.get(name)
        if mine is None or other is None or not _equal(mine, other):
            what = "vectors" if name.startswith("vectors.") else "words"
            return f"the column {name}" if name in PLAIN else f"the {what}"
    return None


def _equal(mine: NDArray[Any], other: NDArray[Any]) -> bool:
    """Compare two columns, allowing for rounding in floats."""
    if mine.dtype.kind == "f" and mine.shape == other.shape:
        return bool(np.allclose(mine, other, rtol=1e-5, atol=0.0))
    return bool(np.array_equal(mine, other))


def _decoded(segment: Segment, name: str) -> NDArray[np.object_]:
    column, meanings = segment.coded(name)
    values: NDArray[np.object_] = np.array([*meanings, ""], np.object_)[column]
    return values

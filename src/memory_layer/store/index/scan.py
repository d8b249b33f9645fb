"""Find the nearest documents: sign bits choose candidates, bytes rank them.

Unit vectors whose rotated signs differ in few places are close together, and comparing signs costs a fraction of
comparing numbers. So signs are compared for all, numbers only for the closest.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.blas import blas_threads
from memory_layer.model.record import NamedTuple
from memory_layer.store.index.codes import BARRED, Field, closest, everything, sign_words, slots_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.codes import Bits, Codes, Docs, Floats, FoundSlots, Slots

#: A key has the document number in so many low bits, and its part above them.
DOC_BITS = 16
DOC = (1 << DOC_BITS) - 1
#: The cosine of a document without vectors, below every real one.
NO_VECTOR = -2.0
#: With fewer slots than this many times the candidates, all are compared by number.
EXACT = 3
#: So few slots are always compared by number: signs say little about dissimilar memories.
FEW = 1024
#: Below this share of a part, its allowed slots are gathered instead of all being compared by sign.
SPARSE = 1 / 8
#: Below this share of a part, its allowed documents are looked up one by one.
RARE = 1 / 64
#: Rows of bytes converted to floats at once, to stay in the CPU cache.
ROWS = 512
#: Up to here float32 represents every integer.
WHOLE = 2**24


_FIRST = np.zeros(1, np.intp)


class Near(NamedTuple):
    """Documents, nearest first; ties by part and document."""

    key: Docs  #: document and part number in one key
    cosine: Floats  #: of its best passage

    @property
    def part(self) -> Docs:
        return self.key >> np.uint32(DOC_BITS)

    @property
    def doc(self) -> Docs:
        return self.key & np.uint32(DOC)


class VectorQuery(NamedTuple):
    """A query vector prepared for comparison."""

    words: Bits
    numbers: Floats  #: integers small enough that sums of products with bytes are exact in any order
    scale: np.float32  #: 0 for a zero query


def nearest(
    query: Floats | VectorQuery, parts: Sequence[Field | None], depth: int, sure: int | None = None
) -> Near:
    """Return the `depth` documents with the highest cosine of their best passage; none for a zero query.

    The first `sure` (default: all) are almost certainly complete; after them there may be gaps.
    """
    question = asked(query)
    for field in filter(None, parts):
        check(question, field.codes)
    fields = [field._replace(part=at) for at, field in enumerate(parts) if field and field.size]
    if not fields or depth < 1 or not question.scale:
        return Near(np.empty(0, np.uint32), np.empty(0, np.float32))
    total = sum(field.size for field in fields)
    wanted = max(candidates(total, min(depth, sure or depth)), 2 * depth)
    while total > max(EXACT * wanted, FEW):
        near = best(question, closest(question.words, fields, wanted), depth)
        if len(near.doc) == depth:
            return near
        wanted *= 4  # the candidates were passages of too few documents
    return best(question, everything(fields), depth)


def similarities(query: Floats | VectorQuery, codes: Codes, docs: NDArray[np.integer]) -> Floats:
    """Return the cosine of the best passage of each document; `NO_VECTOR` if it has no vector."""
    question = asked(query)
    check(question, codes)
    slots, counts = slots_of(codes, docs)
    result = np.full(len(docs), NO_VECTOR, dtype=np.float32)
    if len(slots):
        has = counts > 0
        firsts = (counts.cumsum() - counts)[has]
        result[has] = np.maximum.reduceat(cosines(question, codes, slots), firsts)
    return result


def check(question: VectorQuery, codes: Codes) -> None:
    wanted, known = len(question.numbers), codes.ints.shape[1]
    if wanted != known:
        raise ValueError(f"the query has {wanted} dimensions, but the vectors have {known}")


def asked(query: Floats | VectorQuery) -> VectorQuery:
    """Prepare a query: its signs, and its numbers rounded to integers far finer than the stored bytes."""
    if isinstance(query, VectorQuery):
        return query
    row = np.asarray(query, dtype=np.float32)
    largest = float(np.abs(row).max(initial=0.0))
    row = row / np.float32(largest) if 0.0 < largest < inf else np.zeros_like(row)
    side = row.size**0.5
    length = sqrt(row.dot(row))
    numbers = np.rint(row * np.float32((WHOLE / (127 * side) - side) / (length or 1)))
    scale = np.float32(1 / sqrt(numbers.dot(numbers)) if length else 0)
    return VectorQuery(sign_words(numbers), numbers, scale)


def candidates(total: int, depth: int) -> int:
    """Return how many of the closest slots by sign contain the `depth` nearest, as measured."""
    return int(4 * total**0.5 + 2 * depth * total**0.25)


def allowed_in(codes: Codes, allowed: NDArray[np.bool_] | None) -> Field:
    """Return the slots of a part's allowed documents; as a list if there are few."""
    passing = None if allowed is None else int(np.count_nonzero(allowed))
    if allowed is None or passing == len(allowed) > 0:
        return Field(codes, len(codes.docs))
    if not passing or passing < RARE * len(allowed):
        slots, _ = slots_of(codes, np.flatnonzero(allowed))
        return Field(codes, len(slots), slots=slots)
    passes = allowed.take(codes.docs)
    size = int(np.count_nonzero(passes))
    if size < SPARSE * len(passes):
        return Field(codes, size, slots=np.flatnonzero(passes))
    return Field(codes, size, barred=~passes * np.uint8(BARRED))


def best(question: VectorQuery, found: Sequence[FoundSlots], depth: int) -> Near:
    """Return the `depth` nearest documents among the found slots."""
    keys = np.concatenate([_keys(one) for one in found])
    cosine = np.concatenate([cosines(question, codes, slots) for _, codes, slots in found])
    firsts = np.concatenate((_FIRST, (keys[1:] != keys[:-1]).nonzero()[0] + 1))
    cosine = np.maximum.reduceat(cosine, firsts)
    chosen = highest(cosine, depth)
    keys, cosine = keys[firsts[chosen]], cosine[chosen]
    ends = keys.searchsorted(np.array([one.part + 1 << DOC_BITS for one in found], np.uint32)).tolist()
    for one, start, end in zip(found, [0, *ends], ends, strict=False):
        if start < end:
            docs = keys[start:end] & np.uint32(DOC)
            cosine[start:end] = of_all_passages(question, one.codes, docs, cosine[start:end])
    order = (-cosine).argsort(kind="stable")
    return Near(keys[order], cosine[order])


def _keys(found: FoundSlots) -> Docs:
    """Return the part and document of each found slot as one key."""
    docs = found.codes.docs if found.slots is None else found.codes.docs.take(found.slots)
    return docs | np.uint32(found.part << DOC_BITS) if found.part else docs


def highest(cosine: Floats, depth: int) -> Slots:
    """Return the positions of the `depth` highest values in descending order; ties by position."""
    if depth >= len(cosine):
        return np.arange(len(cosine))
    least = np.partition(cosine, -depth)[-depth]
    above, equal = (cosine > least).nonzero()[0], (cosine == least).nonzero()[0]
    chosen = np.concatenate((above, equal[: depth - len(above)]))
    chosen.sort()
    return chosen


def of_all_passages(question: VectorQuery, codes: Codes, docs: Docs, cosine: Floats) -> Floats:
    """Raise the cosines of these documents to those of passages that were not candidates."""
    seconds = codes.docs.searchsorted(docs) + 1
    several = (codes.docs.take(seconds, mode="clip") == docs).nonzero()[0]
    if len(several):
        cosine = cosine.copy()
        slots, counts = slots_of(codes, docs[several])
        cosine[several] = np.maximum.reduceat(cosines(question, codes, slots), np.cumsum(counts) - counts)
    return cosine


def cosines(question: VectorQuery, codes: Codes, slots: Slots | None) -> Floats:
    """Return the cosine of each slot with the query; None for all slots."""
    ints, scales = codes.ints, codes.scales
    count = len(scales) if slots is None else len(slots)
    result = np.empty(count, dtype=np.float32)
    with blas_threads().single():
        for start in range(0, count, ROWS):
            rows = slice(start, start + ROWS)
            some = ints[rows] if slots is None else ints.take(slots[rows], axis=0)
            np.dot(some.astype(np.float32), question.numbers, out=result[rows])
    result *= (scales if slots is None else scales.take(slots)) * question.scale
    return result

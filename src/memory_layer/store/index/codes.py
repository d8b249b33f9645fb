"""Vectors as compact codes: sign bits to scan quickly, bytes to compare accurately."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple
from memory_layer.store.index.hashing import shake_256

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bits = NDArray[np.uint64]
    Ints = NDArray[np.int8]
    Floats = NDArray[np.float32]
    Docs = NDArray[np.uint32]
    Slots = NDArray[np.intp]


#: Sign bits are read in words of this many.
WORD = 64
#: How many vectors are turned at once: their numbers then stay in the processor's cache.
BATCH = 256


class Codes(NamedTuple):
    """The vectors of one segment and one embedding; the arrays may be memory-mapped and read-only."""

    bits: Bits  #: (words, slots): the sign bits, one contiguous row per 64-bit word
    ints: Ints  #: (slots, dimensions)
    scales: Floats  #: (slots,): what makes a row of `ints` a unit vector
    docs: Docs  #: (slots,): the document a slot belongs to, never decreasing


class Round(NamedTuple):
    """One round of the rotation: which number comes to which place, and with which sign."""

    order: NDArray[np.intp]
    signs: Floats


def encode(vectors: Floats) -> tuple[Bits, Ints, Floats]:
    """The bits, ints and scales of vectors, one slot per row; lengths do not matter.

    A zero vector, or one that is not finite, has the cosine 0 with everything.
    """
    vectors = np.asarray(vectors, dtype=np.float32)
    slots, dimensions = vectors.shape
    bits = np.empty((words_for(dimensions), slots), dtype=np.uint64)
    ints = np.empty((slots, dimensions), dtype=np.int8)
    scales = np.empty(slots, dtype=np.float32)
    for start in range(0, slots, BATCH):
        batch = slice(start, start + BATCH)
        unit = stretched(vectors[batch])
        bits[:, batch] = sign_bits(unit)
        ints[batch], scales[batch] = rounded(unit)
    return bits, ints, scales


def slots_of(codes: Codes, docs: NDArray[np.integer]) -> tuple[Slots, Slots]:
    """The slots of these documents, one document after the other, and how many each has."""
    keys = docs.astype(np.uint32, copy=False)
    starts = codes.docs.searchsorted(keys, "left")
    counts = codes.docs.searchsorted(keys, "right") - starts
    ends = counts.cumsum()
    return np.arange(ends[-1] if len(ends) else 0) + (starts - ends + counts).repeat(counts), counts


def words_for(dimensions: int) -> int:
    """How many words hold the sign bits of one vector."""
    if dimensions < 8 or dimensions % 8:
        raise ValueError(f"vectors have a multiple of 8 dimensions, not {dimensions}")
    return -(-dimensions // WORD)


def stretched(vectors: Floats) -> Floats:
    """Each vector with 1 as its largest number, so that no sum overflows; zeros for what has no direction."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    usable = np.isfinite(largest) & (largest > 0)
    result: Floats = np.divide(vectors, largest, out=np.zeros_like(vectors), where=usable)
    return result


def rounded(unit: Floats) -> tuple[Ints, Floats]:
    """Numbers between -1 and 1 as bytes, and what makes each row of them a unit vector."""
    whole = np.rint(unit * np.float32(127))
    lengths = np.sqrt(np.einsum("ij,ij->i", whole, whole))
    scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return whole.astype(np.int8), scales


def sign_bits(vectors: Floats) -> Bits:
    """The signs of the rotated vectors, (words, slots); places beyond the dimensions stay 0."""
    slots, dimensions = vectors.shape
    octets = np.zeros((slots, words_for(dimensions) * 8), dtype=np.uint8)
    octets[:, : dimensions // 8] = np.packbits(rotated(vectors) > 0, axis=0, bitorder="little").T
    return np.ascontiguousarray(octets.view("<u8").T).astype(np.uint64, copy=False)


def sign_words(vector: Floats) -> Bits:
    """The same words for one vector of whole numbers, whose sums are exact in any order: so in few steps."""
    power = len(vector) & -len(vector)
    left, right = walsh(1 << power.bit_length() // 2), walsh(1 << (power.bit_length() - 1) // 2)
    for order, signs in rounds(len(vector)):
        table = np.matmul((vector[order] * signs).reshape(-1, len(left), len(right)), right)
        vector = np.matmul(left, table).reshape(-1, power).T.ravel()
    octets = np.zeros(words_for(len(vector)) * 8, dtype=np.uint8)
    octets[: len(vector) // 8] = np.packbits(vector > 0, bitorder="little")
    return octets.view("<u8").astype(np.uint64, copy=False)


def rotated(vectors: Floats) -> Floats:
    """The vectors as columns, turned so that every number depends on every other.

    Only additions in a fixed order: any machine, and any batch, gives the same bits.
    """
    columns = np.ascontiguousarray(vectors.T)
    for order, signs in rounds(len(columns)):
        columns = hadamard(columns[order] * signs[:, None])
    return columns


def hadamard(columns: Floats) -> Floats:
    """The Hadamard transform, by the largest power of two that fits the dimensions, but for its scale.

    The columns are room for it and change.
    """
    dimensions, half = len(columns), len(columns) // 2
    other = np.empty_like(columns)
    while dimensions % 2 == 0:
        even, odd = columns[0::2], columns[1::2]
        np.add(even, odd, out=other[:half])
        np.subtract(even, odd, out=other[half:])
        columns, other = other, columns
        dimensions //= 2
    return columns


@cache
def walsh(size: int) -> Floats:
    """The transform of so many numbers as a matrix; the size is a power of two."""
    matrix = np.ones((1, 1), dtype=np.float32)
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


@cache
def rounds(dimensions: int) -> tuple[Round, ...]:
    """The two rounds of the rotation: drawn from a hash, so the same everywhere and for ever."""
    return tuple(drawn(dimensions, number) for number in (1, 2))


def drawn(dimensions: int, number: int) -> Round:
    stream = shake_256(f"rotation {dimensions} {number}".encode()).digest(9 * dimensions)
    keys = np.frombuffer(stream, dtype="<u8", count=dimensions)
    coins = np.frombuffer(stream, dtype=np.uint8, offset=8 * dimensions)
    signs = np.where(coins & 1, np.float32(1), np.float32(-1))
    return Round(np.argsort(keys, kind="stable"), signs)

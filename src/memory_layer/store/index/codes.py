"""Vectors as compact codes, and the comparison of their sign bits.

Sign bits are scanned to find candidates quickly; bytes compare them accurately.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import shake_256
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Distances = NDArray[np.uint16]


if TYPE_CHECKING:
    Bits = NDArray[np.uint64]
    Ints = NDArray[np.int8]
    Floats = NDArray[np.float32]
    Docs = NDArray[np.uint32]
    Slots = NDArray[np.intp]


#: Bits per word of signs.
WORD = 64
#: Vectors rotated at once, to stay in the CPU cache.
BATCH = 256


#: So few slots are compared in all words at once; two passes pay off only for more.
SOME = 1 << 18
#: Words compared for every slot; their differences just fit into a byte.
FIRST_WORDS = 4
#: Standard deviations by which the first words may overestimate the distance.
SLACK = 1.0
#: Slots sampled to estimate the distance of the candidates.
SAMPLE = 4096
#: Oversampling of the estimate: too many candidates cost time, too few a second pass.
AIM = 1.4
#: Extra signs allowed in a second pass.
FARTHER = 8
#: A stride whose multiples do not align with patterns in the slots.
GOLDEN = (5**0.5 - 1) / 2
#: A sum that no slot within reach has.
BARRED = 255


class Codes(NamedTuple):
    """The vectors of one segment and embedding; the arrays may be memory-mapped and read-only."""

    bits: Bits  #: (words, slots): the sign bits, one contiguous row per 64-bit word
    ints: Ints  #: (slots, dimensions)
    scales: Floats  #: (slots,): factor that makes a row of `ints` a unit vector
    docs: Docs  #: (slots,): the document a slot belongs to, never decreasing


class Round(NamedTuple):
    """One round of the rotation: a permutation and a sign for each number."""

    order: NDArray[np.intp]
    signs: Floats


def encode(vectors: Floats) -> tuple[Bits, Ints, Floats]:
    """Encode vectors as bits, bytes and scales, one slot per row; their lengths do not matter.

    A vector that is zero or not finite has cosine 0 with everything.
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
    """Return the slots of these documents, document by document, and the number of slots of each."""
    keys = docs.astype(np.uint32, copy=False)
    starts = codes.docs.searchsorted(keys, "left")
    counts = codes.docs.searchsorted(keys, "right") - starts
    ends = counts.cumsum()
    return np.arange(ends[-1] if len(ends) else 0) + (starts - ends + counts).repeat(counts), counts


def words_for(dimensions: int) -> int:
    """Return the number of 64-bit words that hold the sign bits of one vector."""
    if dimensions < 8 or dimensions % 8:
        raise ValueError(f"vectors have a multiple of 8 dimensions, not {dimensions}")
    return -(-dimensions // WORD)


def stretched(vectors: Floats) -> Floats:
    """Scale each vector so that its largest number is 1 and no sum overflows; zeros if it has no direction."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    usable = np.isfinite(largest) & (largest > 0)
    result: Floats = np.divide(vectors, largest, out=np.zeros_like(vectors), where=usable)
    return result


def rounded(unit: Floats) -> tuple[Ints, Floats]:
    """Round numbers between -1 and 1 to bytes; also return the factor that makes each row a unit vector."""
    whole = np.rint(unit * np.float32(127))
    lengths = np.sqrt(np.einsum("ij,ij->i", whole, whole))
    scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return whole.astype(np.int8), scales


def sign_bits(vectors: Floats) -> Bits:
    """Return the signs of the rotated vectors as (words, slots); bits beyond the dimensions stay 0."""
    slots, dimensions = vectors.shape
    octets = np.zeros((slots, words_for(dimensions) * 8), dtype=np.uint8)
    octets[:, : dimensions // 8] = np.packbits(rotated(vectors) > 0, axis=0, bitorder="little").T
    return np.ascontiguousarray(octets.view("<u8").T).astype(np.uint64, copy=False)


def sign_words(vector: Floats) -> Bits:
    """Return the sign words of one vector of integers; their sums are exact in any order, so this takes fewer steps."""
    power = len(vector) & -len(vector)
    left, right = walsh(1 << power.bit_length() // 2), walsh(1 << (power.bit_length() - 1) // 2)
    for order, signs in rounds(len(vector)):
        table = np.matmul((vector[order] * signs).reshape(-1, len(left), len(right)), right)
        vector = np.matmul(left, table).reshape(-1, power).T.ravel()
    octets = np.zeros(words_for(len(vector)) * 8, dtype=np.uint8)
    octets[: len(vector) // 8] = np.packbits(vector > 0, bitorder="little")
    return octets.view("<u8").astype(np.uint64, copy=False)


def rotated(vectors: Floats) -> Floats:
    """Rotate the vectors, as columns, so that every number depends on every other.

    Uses only additions in a fixed order, so any machine and any batch give the same bits.
    """
    columns = np.ascontiguousarray(vectors.T)
    for order, signs in rounds(len(columns)):
        columns = hadamard(columns[order] * signs[:, None])
    return columns


def hadamard(columns: Floats) -> Floats:
    """Apply the unscaled Hadamard transform by the largest power of two that fits the dimensions.

    The columns are overwritten.
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
    """Return the transform as a matrix; the size is a power of two."""
    matrix = np.ones((1, 1), dtype=np.float32)
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


@cache
def rounds(dimensions: int) -> tuple[Round, ...]:
    """Return the two rounds of the rotation, derived from a hash so that they never change."""
    return tuple(drawn(dimensions, number) for number in (1, 2))


def drawn(dimensions: int, number: int) -> Round:
    stream = shake_256(f"rotation {dimensions} {number}".encode()).digest(9 * dimensions)
    keys = np.frombuffer(stream, dtype="<u8", count=dimensions)
    coins = np.frombuffer(stream, dtype=np.uint8, offset=8 * dimensions)
    signs = np.where(coins & 1, np.float32(1), np.float32(-1))
    return Round(np.argsort(keys, kind="stable"), signs)


class Field(NamedTuple):
    """The searchable slots of a part: a list, or all except excluded ones."""

    codes: Codes
    size: int
    slots: Slots | None = None
    barred: NDArray[np.uint8] | None = None  #: BARRED for an excluded slot, else 0
    part: int = 0  #: its number among the parts


class FoundSlots(NamedTuple):
    """Slots of a part, in order; None for all of them."""

    part: int
    codes: Codes
    slots: Slots | None


class ScratchArrays(NamedTuple):
    """Scratch arrays for comparing one part, reused for the next."""

    words: Bits
    counts: NDArray[np.uint8]
    sums: NDArray[np.uint8]


def everything(fields: Sequence[Field]) -> list[FoundSlots]:
    """Return all searchable slots."""
    return [FoundSlots(field.part, field.codes, listed(field)) for field in fields]


def listed(field: Field) -> Slots | None:
    """Return the searchable slots; None for all."""
    return field.slots if field.barred is None else np.flatnonzero(field.barred == 0)


def closest(words: Bits, fields: Sequence[Field], wanted: int) -> list[FoundSlots]:
    """Return about `wanted` slots whose signs differ least; more if many are tied."""
    if sum(field.size for field in fields) <= SOME:
        return cut(fields, [compared(words, field) for field in fields], wanted)
    largest = max(len(field.codes.docs) for field in fields)
    scratch = ScratchArrays(
        np.empty(largest, np.uint64), np.empty(largest, np.uint8), np.empty(largest, np.uint8)
    )
    reach = guessed_reach(words, fields, wanted)
    while reach < WORD * len(words):
        chosen = [within(words, field, reach, scratch) for field in fields]
        if sum(len(distances) for _, distances in chosen) * AIM >= wanted:
            return cut(fields, chosen, wanted)
        reach += FARTHER
    return everything(fields)


def compared(words: Bits, field: Field) -> tuple[Slots | None, Distances]:
    """Return the listed slots (None for all) and their sign differences; an excluded slot exceeds the maximum."""
    slots, bits = field.slots, field.codes.bits
    distances = differences(words, bits if slots is None else bits.take(slots, axis=1))
    if field.barred is not None:
        np.putmask(distances, field.barred > 0, WORD * len(words) + 1)
    return slots, distances


def cut(
    fields: Sequence[Field], chosen: list[tuple[Slots | None, Distances]], wanted: int
) -> list[FoundSlots]:
    """Drop the chosen slots (None for all) beyond the distance that already yields enough."""
    upto = np.bincount(np.concatenate([distances for _, distances in chosen])).cumsum()
    limit = min(int(upto.searchsorted(wanted)), WORD * len(fields[0].codes.bits))
    found = []
    for field, (slots, distances) in zip(fields, chosen, strict=True):
        if len(distances):
            places = np.flatnonzero(distances <= limit)
            found.append(FoundSlots(field.part, field.codes, places if slots is None else slots[places]))
    return found


def guessed_reach(words: Bits, fields: Sequence[Field], wanted: int) -> int:
    """Estimate from a sample the largest sign difference among the candidates."""
    total = sum(field.size for field in fields)
    step = max(1, total // SAMPLE)
    large = [field for field in fields if field.size >= step] or fields
    sample = np.concatenate([differences(words, sampled(field, step)) for field in large])
    place = int(AIM * wanted * len(sample) / total)
    return int(np.partition(sample, place)[place]) if place < len(sample) else WORD * len(words)


def sampled(field: Field, step: int) -> Bits:
    """Return the bits of about every `step`-th searchable slot."""
    slots, barred, bits = field.slots, field.barred, field.codes.bits
    size = bits.shape[1] if slots is None else len(slots)
    places = (np.arange(-(-size // step)) * GOLDEN % 1 * size).astype(np.intp)
    if barred is not None:
        places = places[barred[places] == 0]
    return bits.take(places if slots is None else slots[places], axis=1)


def differences(words: Bits, bits: Bits) -> Distances:
    """Count the signs in which each slot differs."""
    distances: Distances = np.bitwise_count(bits ^ words[:, None]).sum(axis=0, dtype=np.uint16)
    return distances


def within(words: Bits, field: Field, reach: int, scratch: ScratchArrays) -> tuple[Slots | None, Distances]:
    """Return the slots that differ in at most `reach` signs, and the number of signs."""
    bits, slots = field.codes.bits, field.slots
    if slots is None:
        sums = first_differences(words, field, scratch)
        slots = np.flatnonzero(sums <= first_reach(reach, len(bits)))
        distances = differences(words[FIRST_WORDS:], bits[FIRST_WORDS:].take(slots, axis=1))
        distances += sums.take(slots)
    else:
        distances = differences(words, bits.take(slots, axis=1))
    close = distances <= reach
    return slots[close], distances[close]


def first_differences(words: Bits, field: Field, scratch: ScratchArrays) -> NDArray[np.uint8]:
    """Count sign differences in the first words of each slot; BARRED for an excluded slot."""
    rows = field.codes.bits[:FIRST_WORDS]
    size = rows.shape[1]
    mixed, counts, sums = scratch.words[:size], scratch.counts[:size], scratch.sums[:size]
    np.bitwise_count(np.bitwise_xor(rows[0], words[0], out=mixed), out=sums)
    np.minimum(sums, WORD - 1, out=sums)  # 256 would wrap to 0 and rank opposites first
    for row, word in zip(rows[1:], words[1:], strict=False):
        np.bitwise_count(np.bitwise_xor(row, word, out=mixed), out=counts)
        np.add(sums, counts, out=sums)
    if field.barred is not None:
        np.bitwise_or(sums, field.barred, out=sums)
    return sums


def first_reach(reach: int, words: int) -> int:
    """Return the difference allowed in the first words for a slot that differs in `reach` signs overall."""
    share = min(1.0, FIRST_WORDS / words)
    spread = (reach * share * (1 - share)) ** 0.5
    return min(BARRED - 1, int(reach * share + SLACK * spread))

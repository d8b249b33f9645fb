"""The nearest documents: sign bits choose candidates, bytes put them in order.

Two unit vectors whose rotated signs differ in few places lie close together. Comparing signs costs a
hundredth of comparing numbers, so all slots are compared by sign and only the closest by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory_layer.store.index.codes import Bits, Codes, Floats, sign_bits, stretched

Slots = NDArray[np.intp]

#: The cosine of a document that has no vectors: below every real one.
NO_VECTOR = -2.0
#: Below this share of a part, its passing slots are gathered instead of all being compared.
SPARSE = 1 / 8
#: Below this share of a part, its passing documents are looked up one by one.
RARE = 1 / 64
#: With fewer slots than this many times the candidates wanted, all are compared by number.
EXACT = 2
#: How many of a vector's words are compared for every slot; the others only where these say "close".
FIRST_WORDS = 4
#: How many standard deviations the first words may say "farther" than all words would.
SLACK = 2.0
#: How many slots are looked at to guess how far the candidates reach.
SAMPLE = 4096
#: How many more than the wanted candidates the guess aims at; too many cost time, too few a second look.
AIM = 1.4
#: How many rows of bytes become floats at once: they then stay in the processor's cache.
ROWS = 512
#: The largest whole number up to which a float32 counts without gaps.
WHOLE = 2**24


class Part(NamedTuple):
    """A segment to search."""

    codes: Codes
    allowed: NDArray[np.bool_] | None  #: which of its documents may be found; None for all


class Near(NamedTuple):
    """Documents, the nearest first; equally near ones by part and document."""

    part: NDArray[np.int32]  #: the place in the sequence of parts
    doc: NDArray[np.uint32]
    cosine: Floats  #: of its best passage


class Question(NamedTuple):
    """A query, ready to be compared."""

    words: Bits
    numbers: Floats  #: whole numbers so small that sums with bytes stay exact, in whatever order
    scale: np.float32


class Field(NamedTuple):
    """What of a part may be found: the listed slots, or all that are not barred."""

    part: int
    codes: Codes
    size: int
    slots: Slots | None = None
    barred: NDArray[np.uint8] | None = None  #: 255 for a slot that may not be found, else 0


class Found(NamedTuple):
    """Slots of a field, in order; None for all it has."""

    field: Field
    slots: Slots | None


def nearest(query: Floats, parts: Sequence[Part], depth: int) -> Near:
    """The `depth` documents with the highest cosine of their best passage; none for a zero query."""
    for part in parts:
        check(query, part.codes)
    fields = [field for number, part in enumerate(parts) if (field := allowed_in(number, part)).size]
    question = asked(query)
    total = sum(field.size for field in fields)
    if not total or depth < 1 or not question.scale:
        return Near(np.empty(0, np.int32), np.empty(0, np.uint32), np.empty(0, np.float32))
    wanted = candidates(total, depth)
    while total > EXACT * wanted:
        near = best(question, closest(question, fields, total, wanted), depth)
        if len(near.doc) == depth:
            return near
        wanted *= 4  # the candidates were passages of too few documents
    return best(question, [Found(field, every_slot(field)) for field in fields], depth)


def similarities(query: Floats, codes: Codes, docs: NDArray[np.integer]) -> Floats:
    """The cosine of the best passage of each of these documents, `NO_VECTOR` for one without vectors."""
    check(query, codes)
    slots, counts = slots_of(codes, docs)
    result = np.full(len(docs), NO_VECTOR, dtype=np.float32)
    if len(slots):
        starts = np.cumsum(counts) - counts
        has = counts > 0
        result[has] = np.maximum.reduceat(cosines(asked(query), codes, slots), starts[has])
    return result


def check(query: Floats, codes: Codes) -> None:
    if query.shape != codes.ints.shape[1:]:
        raise ValueError(f"a query of shape {query.shape} for vectors of {codes.ints.shape[1]} dimensions")


def asked(query: Floats) -> Question:
    """The query's signs, and its numbers rounded to whole ones: far finer than the bytes they meet."""
    row = stretched(np.asarray(query, dtype=np.float32)[None, :])
    length = np.sqrt((row * row).sum())
    side = np.sqrt(np.float32(row.size))
    whole = np.rint(row[0] * ((WHOLE / (127 * side) - side) / length)) if length else row[0]
    scale = 1 / np.sqrt((whole * whole).sum()) if length else 0.0
    return Question(sign_bits(row)[:, 0], whole.astype(np.float32), np.float32(scale))


def candidates(total: int, depth: int) -> int:
    """How many slots, closest by sign, hold the `depth` nearest of so many."""
    return int(2.5 * total**0.5 + 1.5 * depth * total**0.25)


def allowed_in(number: int, part: Part) -> Field:
    """The slots of the allowed documents, listed if they are few."""
    codes, allowed = part
    size = len(codes.docs)
    passing = size if allowed is None else np.count_nonzero(allowed)
    if allowed is None or not passing or not size:
        return Field(number, codes, size if passing else 0)
    if passing < RARE * len(allowed):
        slots, _ = slots_of(codes, np.flatnonzero(allowed))
        return Field(number, codes, len(slots), slots=slots)
    passes = allowed.take(codes.docs)
    size = np.count_nonzero(passes)
    if size < SPARSE * len(passes):
        return Field(number, codes, size, slots=np.flatnonzero(passes))
    return Field(number, codes, size, barred=passes.view(np.uint8) - np.uint8(1))


def every_slot(field: Field) -> Slots | None:
    return field.slots if field.barred is None else np.flatnonzero(field.barred == 0)


def slots_of(codes: Codes, docs: NDArray[np.integer]) -> tuple[Slots, Slots]:
    """The slots of these documents, one after the other, and how many each has."""
    keys = docs.astype(np.uint32, copy=False)
    starts = codes.docs.searchsorted(keys, "left")
    counts = codes.docs.searchsorted(keys, "right") - starts
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(starts - ends + counts, counts), counts


def closest(question: Question, fields: Sequence[Field], total: int, wanted: int) -> list[Found]:
    """About the `wanted` slots that differ from the question in the fewest signs."""
    reach = guessed_reach(question, fields, total, wanted)
    buffers = Buffers(max(len(field.codes.docs) for field in fields))
    while True:
        chosen = [within(question, field, reach, buffers) for field in fields]
        if sum(len(slots) for slots, _ in chosen) >= wanted / AIM:
            break
        reach += 8
    counts = np.bincount(np.concatenate([distances for _, distances in chosen])).cumsum()
    limit = counts.searchsorted(wanted)
    return [
        Found(field, slots[distances <= limit])
        for field, (slots, distances) in zip(fields, chosen, strict=True)
    ]


def guessed_reach(question: Question, fields: Sequence[Field], total: int, wanted: int) -> int:
    """The number of differing signs within which a little more than the `wanted` slots lie."""
    step = max(1, total // SAMPLE)
    sample = np.concatenate([differences(question, sampled(field, step)) for field in fields])
    place = int(AIM * wanted * len(sample) / total)
    return int(np.partition(sample, place)[place])


def sampled(field: Field, step: int) -> Bits:
    if field.slots is not None:
        return field.codes.bits.take(field.slots[step // 2 :: step], axis=1)
    sample = field.codes.bits[:, step // 2 :: step]
    return sample if field.barred is None else sample[:, field.barred[step // 2 :: step] == 0]


def differences(question: Question, bits: Bits) -> NDArray[np.uint16]:
    """In how many signs each of these slots differs from the question."""
    return np.bitwise_count(bits ^ question.words[:, None]).sum(axis=0, dtype=np.uint16)


class Buffers:
    """Room for the comparison of one part, used again for the next."""

    def __init__(self, slots: int) -> None:
        self.words = np.empty(slots, dtype=np.uint64)
        self.counts = np.empty(slots, dtype=np.uint8)
        self.sums = np.empty(slots, dtype=np.uint8)


def within(
    question: Question, field: Field, reach: int, buffers: Buffers
) -> tuple[Slots, NDArray[np.uint16]]:
    """The slots that differ in at most `reach` signs, and in how many."""
    slots = field.slots
    if slots is None:
        sums = first_differences(question, field, buffers)
        slots = np.flatnonzero(sums <= first_reach(reach, field.codes))
    distances = differences(question, field.codes.bits.take(slots, axis=1))
    close = distances <= reach
    return slots[close], distances[close]


def first_differences(question: Question, field: Field, buffers: Buffers) -> NDArray[np.uint8]:
    """In how many signs of its first words each slot differs; 255 for a barred one."""
    bits = field.codes.bits[:FIRST_WORDS]
    words, counts, sums = (room[: bits.shape[1]] for room in (buffers.words, buffers.counts, buffers.sums))
    for place, (row, word) in enumerate(zip(bits, question.words, strict=False)):
        np.bitwise_xor(row, word, out=words)
        np.bitwise_count(words, out=counts if place else sums)
        if place:
            np.add(sums, counts, out=sums)
    if field.barred is not None:
        np.bitwise_or(sums, field.barred, out=sums)
    return sums


def first_reach(reach: int, codes: Codes) -> int:
    """The differences in the first words to expect of a slot that differs in `reach` signs, and some more."""
    share = min(1.0, FIRST_WORDS / len(codes.bits))
    spread = (reach * share * (1 - share)) ** 0.5
    return min(254, int(reach * share + SLACK * spread))


def best(question: Question, found: Sequence[Found], depth: int) -> Near:
    """The `depth` nearest documents among those of the found slots."""
    part = np.repeat([field.part for field, _ in found], [len(docs_of(one)) for one in found])
    doc = np.concatenate([docs_of(one) for one in found])
    cosine = np.concatenate([cosines(question, field.codes, slots) for field, slots in found])
    firsts = np.flatnonzero(np.concatenate(([True], (doc[1:] != doc[:-1]) | (part[1:] != part[:-1]))))
    cosine = np.maximum.reduceat(cosine, firsts)
    chosen = highest(cosine, depth)
    part, doc, cosine = part[firsts[chosen]], doc[firsts[chosen]], cosine[chosen]
    for field, _ in found:
        here = slice(*part.searchsorted([field.part, field.part + 1]))
        cosine[here] = with_all_passages(question, field.codes, doc[here], cosine[here])
    order = np.argsort(-cosine, kind="stable")
    return Near(part[order].astype(np.int32), doc[order], cosine[order])


def docs_of(found: Found) -> NDArray[np.uint32]:
    docs = found.field.codes.docs
    return docs if found.slots is None else docs.take(found.slots)


def highest(cosine: Floats, depth: int) -> Slots:
    """The places of the `depth` highest, in their order; among equals the first."""
    if depth >= len(cosine):
        return np.arange(len(cosine))
    least = np.partition(cosine, -depth)[-depth]
    above, equal = np.flatnonzero(cosine > least), np.flatnonzero(cosine == least)
    return np.sort(np.concatenate((above, equal[: depth - len(above)])))


def with_all_passages(question: Question, codes: Codes, docs: NDArray[np.uint32], cosine: Floats) -> Floats:
    """The cosines of these documents, also counting passages that were no candidates."""
    slots, counts = slots_of(codes, docs)
    if len(slots) == len(docs):
        return cosine
    return np.maximum.reduceat(cosines(question, codes, slots), np.cumsum(counts) - counts)


def cosines(question: Question, codes: Codes, slots: Slots | None) -> Floats:
    """The cosine of each slot with the question; the same slot has the same one in any company."""
    ints, scales = codes.ints, codes.scales
    count = len(scales) if slots is None else len(slots)
    result = np.empty(count, dtype=np.float32)
    for start in range(0, count, ROWS):
        rows = slice(start, start + ROWS)
        some = ints[rows] if slots is None else ints.take(slots[rows], axis=0)
        np.dot(some.astype(np.float32), question.numbers, out=result[rows])
    result *= (scales if slots is None else scales.take(slots)) * question.scale
    return result

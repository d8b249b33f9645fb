"""Candidates by sign: which slots differ from a question in the fewest signs.

Of many slots all are compared in their first words, and only those that look close there in the other words too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple
from memory_layer.store.index.codes import WORD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.codes import Bits, Codes, Slots

    Distances = NDArray[np.uint16]

#: So few slots are compared in all words at once: to look twice pays only for more.
SOME = 1 << 18
#: How many words are compared for every slot; the differences in so many just fit a byte.
FIRST_WORDS = 4
#: How many standard deviations the first words may say "farther" than all words do.
SLACK = 1.0
#: How many slots are looked at to guess how far the candidates reach.
SAMPLE = 4096
#: How many times the wanted candidates the guess aims at: too many cost time, too few a second look.
AIM = 1.4
#: By how many signs a second look reaches farther.
FARTHER = 8
#: Multiples of it never fall into step with a pattern in the slots.
GOLDEN = (5**0.5 - 1) / 2
#: The sum that no slot within reach has.
BARRED = 255


class Field(NamedTuple):
    """What of a part may be found: the listed slots, or all that are not barred."""

    codes: Codes
    size: int
    slots: Slots | None = None
    barred: NDArray[np.uint8] | None = None  #: BARRED for a slot that may not be found, else 0
    part: int = 0  #: its place in the sequence of parts


class Found(NamedTuple):
    """Slots of a part, in order; None for all it has."""

    part: int
    codes: Codes
    slots: Slots | None


class Room(NamedTuple):
    """Arrays for the comparison of one part, used again for the next."""

    words: Bits
    counts: NDArray[np.uint8]
    sums: NDArray[np.uint8]


def everything(fields: Sequence[Field]) -> list[Found]:
    """All slots that may be found."""
    return [Found(field.part, field.codes, listed(field)) for field in fields]


def listed(field: Field) -> Slots | None:
    """The slots that may be found; None for all."""
    return field.slots if field.barred is None else np.flatnonzero(field.barred == 0)


def closest(words: Bits, fields: Sequence[Field], wanted: int) -> list[Found]:
    """About the `wanted` slots that differ in the fewest signs; more where many differ equally."""
    if sum(field.size for field in fields) <= SOME:
        return cut(fields, [compared(words, field) for field in fields], wanted)
    largest = max(len(field.codes.docs) for field in fields)
    room = Room(np.empty(largest, np.uint64), np.empty(largest, np.uint8), np.empty(largest, np.uint8))
    reach = guessed_reach(words, fields, wanted)
    while reach < WORD * len(words):
        chosen = [within(words, field, reach, room) for field in fields]
        if sum(len(distances) for _, distances in chosen) * AIM >= wanted:
            return cut(fields, chosen, wanted)
        reach += FARTHER
    return everything(fields)


def compared(words: Bits, field: Field) -> tuple[Slots | None, Distances]:
    """The listed slots, None for all, and in how many signs they differ: a barred one in more than there are."""
    slots, bits = field.slots, field.codes.bits
    distances = differences(words, bits if slots is None else bits.take(slots, axis=1))
    if field.barred is not None:
        np.putmask(distances, field.barred > 0, WORD * len(words) + 1)
    return slots, distances


def cut(fields: Sequence[Field], chosen: list[tuple[Slots | None, Distances]], wanted: int) -> list[Found]:
    """The chosen slots, None for all, without those beyond the distance that gives enough."""
    upto = np.bincount(np.concatenate([distances for _, distances in chosen])).cumsum()
    limit = min(int(upto.searchsorted(wanted)), WORD * len(fields[0].codes.bits))
    found = []
    for field, (slots, distances) in zip(fields, chosen, strict=True):
        if len(distances):
            places = np.flatnonzero(distances <= limit)
            found.append(Found(field.part, field.codes, places if slots is None else slots[places]))
    return found


def guessed_reach(words: Bits, fields: Sequence[Field], wanted: int) -> int:
    """In how many signs the candidates differ at most, judged by a sample."""
    total = sum(field.size for field in fields)
    step = max(1, total // SAMPLE)
    large = [field for field in fields if field.size >= step] or fields
    sample = np.concatenate([differences(words, sampled(field, step)) for field in large])
    place = int(AIM * wanted * len(sample) / total)
    return int(np.partition(sample, place)[place]) if place < len(sample) else WORD * len(words)


def sampled(field: Field, step: int) -> Bits:
    """The bits of about every `step`-th slot that may be found."""
    slots, barred, bits = field.slots, field.barred, field.codes.bits
    size = bits.shape[1] if slots is None else len(slots)
    places = (np.arange(-(-size // step)) * GOLDEN % 1 * size).astype(np.intp)
    if barred is not None:
        places = places[barred[places] == 0]
    return bits.take(places if slots is None else slots[places], axis=1)


def differences(words: Bits, bits: Bits) -> Distances:
    """In how many signs each slot differs."""
    distances: Distances = np.bitwise_count(bits ^ words[:, None]).sum(axis=0, dtype=np.uint16)
    return distances


def within(words: Bits, field: Field, reach: int, room: Room) -> tuple[Slots | None, Distances]:
    """The slots that differ in at most `reach` signs, and in how many."""
    bits, slots = field.codes.bits, field.slots
    if slots is None:
        sums = first_differences(words, field, room)
        slots = np.flatnonzero(sums <= first_reach(reach, len(bits)))
        distances = differences(words[FIRST_WORDS:], bits[FIRST_WORDS:].take(slots, axis=1))
        distances += sums.take(slots)
    else:
        distances = differences(words, bits.take(slots, axis=1))
    close = distances <= reach
    return slots[close], distances[close]


def first_differences(words: Bits, field: Field, room: Room) -> NDArray[np.uint8]:
    """In how many signs of the first words each slot differs; BARRED for one that may not be found."""
    rows = field.codes.bits[:FIRST_WORDS]
    size = rows.shape[1]
    mixed, counts, sums = room.words[:size], room.counts[:size], room.sums[:size]
    np.bitwise_count(np.bitwise_xor(rows[0], words[0], out=mixed), out=sums)
    np.minimum(sums, WORD - 1, out=sums)  # 256 would count as 0: opposites would crowd out the candidates
    for row, word in zip(rows[1:], words[1:], strict=False):
        np.bitwise_count(np.bitwise_xor(row, word, out=mixed), out=counts)
        np.add(sums, counts, out=sums)
    if field.barred is not None:
        np.bitwise_or(sums, field.barred, out=sums)
    return sums


def first_reach(reach: int, words: int) -> int:
    """In how many signs of the first words a slot that differs in `reach` may differ."""
    share = min(1.0, FIRST_WORDS / words)
    spread = (reach * share * (1 - share)) ** 0.5
    return min(BARRED - 1, int(reach * share + SLACK * spread))

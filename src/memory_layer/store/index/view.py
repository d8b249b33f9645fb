"""The index as of one moment of the store: segments from old to new, where the newest word on a memory counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.store.index.bm25 import Corpus, Part
from memory_layer.store.index.masks import allowed
from memory_layer.store.index.postings import distinct
from memory_layer.store.index.segment import GONE, fits, joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.masks import Wanted
    from memory_layer.store.index.segment import Mask, Segment

    Rows = NDArray[np.int64]


class View:
    """Every memory of the store as it was at `sequence`, each standing in exactly one segment."""

    def __init__(
        self, sequence: int, floor: int, segments: Sequence[Segment], standing: Sequence[Mask]
    ) -> None:
        self.sequence = sequence
        self.floor = floor  #: which memories changed before this is not known any more
        self.segments = tuple(segments)
        #: How many active memories lack vectors, once somebody has counted.
        self.unembedded: dict[int, int] = {}
        self.embeddings: dict[str, int | None] = {}  #: numbers by fingerprint, once somebody has looked
        self.standing = tuple(standing)  #: the memories of each segment that no newer one speaks of

    @property
    def is_whole(self) -> bool:
        """Whether no file of it was cut."""
        return all(segment.content.is_whole for segment in self.segments)

    @property
    def unsaved(self) -> int:
        """How many memories are only in this process."""
        return sum(len(segment) for segment in self.segments if segment.name is None)

    @cached_property
    def alive(self) -> tuple[Mask, ...]:
        """The same without those that are there no more."""
        pairs = zip(self.segments, self.standing, strict=True)
        return tuple(standing & ((segment.flags & GONE) == 0) for segment, standing in pairs)

    @cached_property
    def corpus(self) -> Corpus:
        """What all words are weighed against."""
        return Corpus.of(self.word_parts([None] * len(self.segments)))

    def word_parts(self, allowed: Sequence[Mask | None]) -> list[Part]:
        """The segments as a question of words sees them."""
        return [
            Part(segment.postings, None if alive.all() else alive, mask)
            for segment, alive, mask in zip(self.segments, self.alive, allowed, strict=True)
        ]

    def allowed(self, wanted: Wanted) -> list[Mask]:
        """The memories of each segment that the filters let through."""
        pairs = zip(self.segments, self.standing, strict=True)
        return [standing & allowed(segment, wanted) for segment, standing in pairs]

    def with_newer(self, segment: Segment, sequence: int) -> View:
        """The same after newer words on some memories."""
        segments = [*self.segments, segment]
        standing = [_outlived(*pair, segment) for pair in zip(self.segments, self.standing, strict=True)]
        standing.append(np.ones(len(segment), np.bool_))
        while _worth_joining(segments):
            pair = list(zip(segments[-2:], standing[-2:], strict=True))
            del segments[-2:], standing[-2:]
            segments.append(joined(pair))
            standing.append(np.ones(len(segments[-1]), np.bool_))
        return View(sequence, self.floor, segments, standing)

    def changed_after(self, sequence: int) -> Rows:
        """The memories that changed after an earlier moment."""
        found = [
            segment.rows[segment.column("sequences") > sequence]
            for segment in self.segments
            if segment.newest > sequence
        ]
        return distinct(np.concatenate(found)) if found else np.empty(0, np.int64)


def stacked(segments: Sequence[Segment], sequence: int, floor: int) -> View:
    """A view of segments, oldest first."""
    standing = []
    for at, segment in enumerate(segments):
        mask: Mask = np.ones(len(segment), np.bool_)
        for newer in segments[at + 1 :]:
            mask = _outlived(segment, mask, newer)
        standing.append(mask)
    return View(sequence, floor, segments, standing)


def _outlived(older: Segment, standing: Mask, newer: Segment) -> Mask:
    """What still stands of a segment when a newer one has spoken."""
    (first, last), (low, high) = older.span, newer.span
    if low > last or high < first:
        return standing
    _, places = older.places(newer.rows)
    if not len(places):
        return standing
    standing = standing.copy()
    standing[places] = False
    return standing


def _worth_joining(segments: Sequence[Segment]) -> bool:
    """Whether the two newest have no file yet and are of like size."""
    if len(segments) < 2 or any(segment.name is not None for segment in segments[-2:]):
        return False
    older, newer = segments[-2:]
    return len(older) <= 2 * len(newer) and fits([older.size(), newer.size()])

"""The index as of one moment of the store: segments from old to new, where the newest word on a memory counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.store.index.bm25 import Corpus
from memory_layer.store.index.layer import Layer
from memory_layer.store.index.postings import distinct
from memory_layer.store.index.segment import fits, joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.bm25 import Part
    from memory_layer.store.index.layer import Allowed
    from memory_layer.store.index.masks import Wanted
    from memory_layer.store.index.segment import Segment

    Rows = NDArray[np.int64]


class View:
    """Every memory of the store as it was at `sequence`, each standing in exactly one segment."""

    def __init__(self, sequence: int, floor: int, layers: Sequence[Layer]) -> None:
        self.sequence = sequence
        self.floor = floor  #: which memories changed before this is not known any more
        self.layers = tuple(layers)
        self.segments = tuple(layer.segment for layer in layers)
        self.embeddings: dict[str, int | None] = {}  #: numbers by fingerprint, once somebody has looked

    @property
    def is_whole(self) -> bool:
        """Whether no file of it was cut."""
        return all(segment.content.is_whole for segment in self.segments)

    @property
    def unsaved(self) -> int:
        """How many memories are only in this process."""
        return sum(len(segment) for segment in self.segments if segment.name is None)

    @cached_property
    def corpus(self) -> Corpus:
        """What all words are weighed against."""
        parts = [layer.corpus for layer in self.layers]
        return Corpus(sum(part.total for part in parts), sum(part.tokens for part in parts))

    @cached_property
    def words(self) -> list[Part]:
        """The segments as a question of words sees them, among all memories."""
        return [layer.words for layer in self.layers]

    def words_among(self, allowed: Sequence[Allowed]) -> list[Part]:
        """The same, of which only these may answer."""
        return [part._replace(allowed=each.mask) for part, each in zip(self.words, allowed, strict=True)]

    def allowed(self, wanted: Wanted) -> list[Allowed]:
        """What of each segment the filters let through."""
        key = wanted.lasting
        return [layer.allowed(wanted, key) for layer in self.layers]

    def unembedded(self, embedding: int) -> int:
        """Return how many active memories have no vector of an embedding."""
        return sum(layer.unembedded(embedding) for layer in self.layers)

    def with_newer(self, segment: Segment, sequence: int) -> View:
        """The same after newer words on some memories."""
        layers = [*(layer.under(segment) for layer in self.layers), Layer.whole(segment)]
        while _worth_joining(layers):
            layers[-2:] = [Layer.whole(joined([(layer.segment, layer.standing) for layer in layers[-2:]]))]
        return View(sequence, self.floor, layers)

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
    layers: list[Layer] = []
    for segment in segments:
        layers = [*(layer.under(segment) for layer in layers), Layer.whole(segment)]
    return View(sequence, floor, layers)


def _worth_joining(layers: Sequence[Layer]) -> bool:
    """Whether the two newest have no file yet and are of like size."""
    if len(layers) < 2 or any(layer.segment.name is not None for layer in layers[-2:]):
        return False
    older, newer = (layer.segment for layer in layers[-2:])
    return len(older) <= 2 * len(newer) and fits([older.size(), newer.size()])

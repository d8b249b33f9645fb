"""A segment under newer ones: what of it still counts, worked out once and kept until a newer one speaks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from memory_layer.model.lazy import cached_property
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Status
from memory_layer.store.index.bm25 import Corpus, Part
from memory_layer.store.index.masks import allowed, among, remembered
from memory_layer.store.index.scan import allowed_in
from memory_layer.store.index.segment import GONE

if TYPE_CHECKING:
    from memory_layer.store.index.closest import Field
    from memory_layer.store.index.masks import Wanted
    from memory_layer.store.index.segment import Kind, Mask, Segment


class Allowed(NamedTuple):
    """What of a segment the filters of a search let through."""

    segment: Segment
    mask: Mask | None  #: None for all its memories
    fields: dict[Kind, Field | None]  #: the same for its vectors, once somebody has looked for them

    def field(self, kind: Kind) -> Field | None:
        """Its vectors of a kind that may be found; None if it has none."""
        if kind not in self.fields:
            codes = self.segment.embeddings.get(kind)
            self.fields[kind] = allowed_in(codes, self.mask) if codes else None
        return self.fields[kind]


class Layer:
    """A segment, and which of its memories no newer segment speaks of."""

    def __init__(self, segment: Segment, standing: Mask) -> None:
        self.segment = segment
        self.standing = standing
        self._allowed: dict[Any, Allowed] = {}  #: by filters
        self._unembedded: dict[int, int] = {}  #: by embedding

    @classmethod
    def whole(cls, segment: Segment) -> Layer:
        """A segment of which everything stands."""
        return cls(segment, np.ones(len(segment), np.bool_))

    def under(self, newer: Segment) -> Layer:
        """What still stands when a newer segment has spoken; the same if it says nothing about it."""
        (first, last), (low, high) = self.segment.span, newer.span
        if low > last or high < first:
            return self
        _, places = self.segment.places(newer.rows)
        if not len(places):
            return self
        standing = self.standing.copy()
        standing[places] = False
        return Layer(self.segment, standing)

    @cached_property
    def alive(self) -> Mask:
        """Those that stand, without those that are there no more."""
        mask: Mask = self.standing & ((self.segment.flags & GONE) == 0)
        return mask

    @cached_property
    def words(self) -> Part:
        """The segment as a question of words sees it, among all that are alive."""
        return Part(self.segment.postings, np.flatnonzero(~self.alive))

    @cached_property
    def corpus(self) -> Corpus:
        """What it adds to what all words are weighed against."""
        return Corpus.of([self.words])

    def allowed(self, wanted: Wanted, key: object) -> Allowed:
        """What the filters let through, remembered by what of them is lasting if here that is all."""
        if not wanted.lasts_for(self.segment):
            return self._let_through(wanted)
        return self._allowed.get(key) or remembered(self._allowed, key, self._let_through(wanted))

    def _let_through(self, wanted: Wanted) -> Allowed:
        mask = self.standing & allowed(self.segment, wanted)
        return Allowed(self.segment, None if mask.all() else mask, {})

    def unembedded(self, embedding: int) -> int:
        """How many active memories have no vector of an embedding."""
        if embedding not in self._unembedded:
            wanted = self.alive & among(self.segment, "status", {Status.ACTIVE})
            for kind, codes in self.segment.embeddings.items():
                if kind[0] == embedding:
                    wanted[codes.docs] = False
            self._unembedded[embedding] = int(np.count_nonzero(wanted))
        return self._unembedded[embedding]

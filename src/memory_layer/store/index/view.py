"""The index as of one moment of the store: segments from old to new, where the newest entry for a memory counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from memory_layer.model.record import NamedTuple, cached_property
from memory_layer.model.vocabulary import Status
from memory_layer.store.index.bm25 import Corpus, SegmentTerms
from memory_layer.store.index.masks import allowed, among, remembered
from memory_layer.store.index.postings import distinct
from memory_layer.store.index.scan import allowed_in
from memory_layer.store.index.segment import GONE, fits, joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.codes import Field
    from memory_layer.store.index.masks import MaskFilters
    from memory_layer.store.index.segment import Kind, Mask, Segment

    Rows = NDArray[np.int64]


class Allowed(NamedTuple):
    """The part of a segment that passes the filters of a search."""

    segment: Segment
    mask: Mask | None  #: None for all its memories
    fields: dict[Kind, Field | None]  #: its searchable vectors, once looked up

    def field(self, kind: Kind) -> Field | None:
        """Return the searchable vectors of a kind; None if there are none."""
        if kind not in self.fields:
            codes = self.segment.embeddings.get(kind)
            self.fields[kind] = allowed_in(codes, self.mask) if codes else None
        return self.fields[kind]


class SegmentLayer:
    """A segment, and a mask of the memories that no newer segment overrides."""

    def __init__(self, segment: Segment, standing: Mask) -> None:
        self.segment = segment
        self.standing = standing
        self._allowed: dict[Any, Allowed] = {}  #: by filters
        self._unembedded: dict[int, int] = {}  #: by embedding

    @classmethod
    def whole(cls, segment: Segment) -> SegmentLayer:
        """Return a layer with no row overridden."""
        return cls(segment, np.ones(len(segment), np.bool_))

    def under(self, newer: Segment) -> SegmentLayer:
        """Return the layer with the rows of a newer segment overridden."""
        (first, last), (low, high) = self.segment.span, newer.span
        if low > last or high < first:
            return self
        _, places = self.segment.places(newer.rows)
        if not len(places):
            return self
        standing = self.standing.copy()
        standing[places] = False
        return SegmentLayer(self.segment, standing)

    @cached_property
    def alive(self) -> Mask:
        """Rows not overridden and not deleted."""
        mask: Mask = self.standing & ((self.segment.flags & GONE) == 0)
        return mask

    @cached_property
    def words(self) -> SegmentTerms:
        """The postings of the segment, with all live memories searchable."""
        return SegmentTerms(self.segment.postings, np.flatnonzero(~self.alive))

    @cached_property
    def corpus(self) -> Corpus:
        """The term statistics of this layer."""
        return Corpus.of([self.words])

    def allowed(self, wanted: MaskFilters, key: object) -> Allowed:
        """Return what passes the filters, cached if the result depends on lasting rules only."""
        if not wanted.lasts_for(self.segment):
            return self._let_through(wanted)
        return self._allowed.get(key) or remembered(self._allowed, key, self._let_through(wanted))

    def _let_through(self, wanted: MaskFilters) -> Allowed:
        mask = self.standing & allowed(self.segment, wanted)
        return Allowed(self.segment, None if mask.all() else mask, {})

    def unembedded(self, embedding: int) -> int:
        """Count the active memories that have no vector of an embedding."""
        if embedding not in self._unembedded:
            wanted = self.alive & among(self.segment, "status", {Status.ACTIVE})
            for kind, codes in self.segment.embeddings.items():
                if kind[0] == embedding:
                    wanted[codes.docs] = False
            self._unembedded[embedding] = int(np.count_nonzero(wanted))
        return self._unembedded[embedding]


class View:
    """Every memory of the store as of `sequence`, each live in exactly one segment."""

    def __init__(self, sequence: int, floor: int, layers: Sequence[SegmentLayer]) -> None:
        self.sequence = sequence
        self.floor = floor  #: changes before this are not tracked individually
        self.layers = tuple(layers)
        self.segments = tuple(layer.segment for layer in layers)
        self.embeddings: dict[str, int | None] = {}  #: numbers by fingerprint, once looked up

    @property
    def is_whole(self) -> bool:
        """Check that no file of the view was truncated."""
        return all(segment.content.is_whole for segment in self.segments)

    @property
    def unsaved(self) -> int:
        """Count the memories that are only in this process."""
        return sum(len(segment) for segment in self.segments if segment.name is None)

    @cached_property
    def corpus(self) -> Corpus:
        """The term statistics of all layers."""
        parts = [layer.corpus for layer in self.layers]
        return Corpus(sum(part.total for part in parts), sum(part.tokens for part in parts))

    @cached_property
    def words(self) -> list[SegmentTerms]:
        """The postings of every segment, with all live memories searchable."""
        return [layer.words for layer in self.layers]

    def words_among(self, allowed: Sequence[Allowed]) -> list[SegmentTerms]:
        """Restrict the postings to the allowed memories."""
        return [part._replace(allowed=each.mask) for part, each in zip(self.words, allowed, strict=True)]

    def allowed(self, wanted: MaskFilters) -> list[Allowed]:
        """Return the part of each segment that passes the filters."""
        key = wanted.lasting
        return [layer.allowed(wanted, key) for layer in self.layers]

    def unembedded(self, embedding: int) -> int:
        """Count the active memories that have no vector of an embedding."""
        return sum(layer.unembedded(embedding) for layer in self.layers)

    def with_newer(self, segment: Segment, sequence: int) -> View:
        """Return a new view with `segment` layered on top."""
        layers = [*(layer.under(segment) for layer in self.layers), SegmentLayer.whole(segment)]
        while _worth_joining(layers):
            layers[-2:] = [
                SegmentLayer.whole(joined([(layer.segment, layer.standing) for layer in layers[-2:]]))
            ]
        return View(sequence, self.floor, layers)

    def changed_after(self, sequence: int) -> Rows:
        """Return the rows of memories that changed after an earlier moment."""
        found = [
            segment.rows[segment.column("sequences") > sequence]
            for segment in self.segments
            if segment.newest > sequence
        ]
        return distinct(np.concatenate(found)) if found else np.empty(0, np.int64)


def stacked(segments: Sequence[Segment], sequence: int, floor: int) -> View:
    """Build a view from segments, oldest first."""
    layers: list[SegmentLayer] = []
    for segment in segments:
        layers = [*(layer.under(segment) for layer in layers), SegmentLayer.whole(segment)]
    return View(sequence, floor, layers)


def _worth_joining(layers: Sequence[SegmentLayer]) -> bool:
    """Check whether the two newest segments are unsaved and of similar size."""
    if len(layers) < 2 or any(layer.segment.name is not None for layer in layers[-2:]):
        return False
    older, newer = (layer.segment for layer in layers[-2:])
    return len(older) <= 2 * len(newer) and fits([older.size(), newer.size()])

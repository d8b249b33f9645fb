"""Which memories of a segment may answer: the filters of a search, decided on columns.

The same rules as the SQL conditions of the store; a test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from memory_layer.model.query import Reach, spelled_alike
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.store.index.segment import GONE, JUDGED, SUPERSEDED, where
from memory_layer.store.rows import to_micros

if TYPE_CHECKING:
    from memory_layer.model.query import Filters
    from memory_layer.store.index.segment import Mask, Segment

MOST_KEPT = 8  #: filters of which is remembered what they let through

T = TypeVar("T")

Covers = Callable[[Sequence[str], str], bool]


class Wanted(NamedTuple):
    """A search's filters with what only the store knows: its own numbers."""

    filters: Filters
    project: int | None  #: the row of the project that is asked for
    rows: tuple[int, ...]  #: of the memories that are asked for by id
    now: int
    covers: Covers

    @property
    def lasting(self) -> tuple[Filters, int | None]:
        """What of it does not depend on the hour or on single memories."""
        return self.filters._replace(expired=True, expired_since=None, ids=()), self.project

    def lasts_for(self, segment: Segment) -> bool:
        """Whether that is all of it for the memories of a segment."""
        filters = self.filters
        return (
            not filters.ids
            and filters.expired_since is None
            and (filters.expired or segment.soonest > self.now)
        )


def allowed(segment: Segment, wanted: Wanted) -> Mask:
    """True for every memory that the filters let through, as if no other segment existed."""
    mask = _lasting(segment, wanted)
    filters = wanted.filters
    if filters.ids:
        named = np.zeros(len(segment), np.bool_)
        named[segment.places(np.array(wanted.rows, np.int64))[1]] = True
        mask = mask & named
    if filters.expired_since is not None:
        expires = segment.column("expires")
        mask = mask & (expires > (to_micros(filters.expired_since) or 0)) & (expires <= wanted.now)
        mask &= ~among(segment, "status", {Status.ARCHIVED}) | among(segment, "reason", {Reason.EXPIRED})
    if not filters.expired and segment.soonest <= wanted.now:
        mask = mask & (~among(segment, "status", {Status.ACTIVE}) | (segment.column("expires") > wanted.now))
    return mask


def _lasting(segment: Segment, wanted: Wanted) -> Mask:
    """The part that does not depend on the hour, remembered."""
    key = wanted.lasting
    mask = segment.masks.get(key)
    return remembered(segment.masks, key, _decided(segment, wanted)) if mask is None else mask


def remembered(kept: dict[Any, T], key: object, value: T) -> T:
    """The value, kept for the next time in place of the oldest."""
    for old in list(kept)[: 1 - MOST_KEPT]:  # other threads do the same at the same time
        kept.pop(old, None)
    kept[key] = value
    return value


def _decided(segment: Segment, wanted: Wanted) -> Mask:
    filters, flags = wanted.filters, segment.flags
    mask: Mask = (flags & GONE) == 0
    if filters.reach is not Reach.ALL:
        projects = segment.column("projects")
        here = projects == 0
        if filters.reach is Reach.PROJECT and wanted.project:
            here |= projects == wanted.project
        mask &= here
    listed = {
        "category": filters.categories,
        "tier": filters.tiers,
        "source": filters.sources,
        "status": filters.statuses,
        "reason": filters.reasons,
        "writer": filters.writers,
    }
    for name, values in listed.items():
        if values:
            mask &= among(segment, name, set(map(str, values)))
    if filters.tags:
        tags = spelled_alike(filters.tags)
        mask &= where(segment, "tags", lambda text: tags <= spelled_alike(json.loads(text or "[]")))
    if filters.scopes:
        mask &= where(segment, "scope", lambda text: set(filters.scopes) <= set(json.loads(text or "[]")))
    if filters.paths:
        mask &= where(segment, "scope", lambda text: _applies(wanted.covers, text, filters.paths))
    mask &= _within_bounds(segment, filters)
    if not filters.superseded:
        mask &= ~among(segment, "status", {Status.ACTIVE}) | ((flags & SUPERSEDED) == 0)
    if Reason.FORGOTTEN not in filters.reasons:
        mask &= ~among(segment, "reason", {Reason.FORGOTTEN})
    return mask


def _within_bounds(segment: Segment, filters: Filters) -> Mask:
    mask: Mask = np.ones(len(segment), np.bool_)
    if filters.min_confidence > 0:
        mask &= segment.column("confidences") >= filters.min_confidence
    if filters.below_confidence is not None:
        mask &= segment.column("confidences") < filters.below_confidence
    if filters.before is not None:
        mask &= segment.column("created") < to_micros(filters.before)
    if filters.after is not None:
        mask &= segment.column("created") >= to_micros(filters.after)
    if filters.has_outcome is not None:
        mask &= ((segment.flags & JUDGED) != 0) == filters.has_outcome
    return mask


def among(segment: Segment, name: str, values: set[str]) -> Mask:
    """True where a column has one of these values."""
    return where(segment, name, lambda text: text in values)


def _applies(covers: Covers, scope: str, paths: Sequence[str]) -> bool:
    patterns = json.loads(scope or "[]")
    return not patterns or any(covers(patterns, path) for path in paths)

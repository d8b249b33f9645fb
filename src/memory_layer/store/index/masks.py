"""Compile filters to masks over the columns of a segment."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from memory_layer.model.filters import RULES, Test, restricting
from memory_layer.model.query import Reach, spelled_alike
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.store.index.segment import GONE, JUDGED, SUPERSEDED, where
from memory_layer.store.rows import to_micros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.model.filters import FilterRule
    from memory_layer.model.query import Filters
    from memory_layer.store.index.segment import Mask, Segment

MOST_CACHED = 8  #: cached filters

T = TypeVar("T")

Covers = Callable[[Sequence[str], str], bool]


_UNKNOWN = (
    Test.PROPOSED,
    Test.DRIFTED,
    Test.EXACTLY,
    Test.LABELLED,
    Test.CITING,
    Test.OUTLIVED,
    Test.GIVING,
)
#: Neutral values of the filters that the index has no column for.
_FREE: dict[str, Any] = {
    rule.field: rule.free
    for rule in RULES
    if rule.test in _UNKNOWN or rule.column in ("id", "session", "priority", "reinforcement_count")
}
#: The index columns of ordered fields.
_BOUNDED = {"confidence": "confidences", "created_at": "created"}


class MaskFilters(NamedTuple):
    """The filters of a search, with project and scope numbers only the store knows."""

    filters: Filters
    project: int | None  #: the row of the requested project
    rows: tuple[int, ...] | None  #: memories that pass the filters only the store can evaluate; None for all
    now: int
    covers: Covers

    @property
    def lasting(self) -> tuple[Filters, int | None]:
        """Return the part that depends neither on the time nor on individual memories."""
        return _without_rows(self.filters._replace(expired=True, expired_since=None)), self.project

    def lasts_for(self, segment: Segment) -> bool:
        """Check whether that part alone decides for the memories of a segment."""
        filters = self.filters
        return (
            self.rows is None
            and filters.expired_since is None
            and (filters.expired or segment.soonest > self.now)
        )


def needs_rows(filters: Filters) -> bool:
    """Check whether the filters need data that the index has no column for."""
    return _without_rows(filters) != filters


def _without_rows(filters: Filters) -> Filters:
    return filters._replace(**_FREE)


def allowed(segment: Segment, wanted: MaskFilters) -> Mask:
    """Return a mask of every memory that passes the filters, ignoring other segments."""
    mask = _lasting(segment, wanted)
    filters = wanted.filters
    if wanted.rows is not None:
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


def _lasting(segment: Segment, wanted: MaskFilters) -> Mask:
    """Return the cached mask of the part that does not depend on the time."""
    key = wanted.lasting
    mask = segment.masks.get(key)
    return remembered(segment.masks, key, _decided(segment, wanted)) if mask is None else mask


def remembered(cache: dict[Any, T], key: object, value: T) -> T:
    """Cache a value, evicting the oldest entry."""
    for old in list(cache)[: 1 - MOST_CACHED]:  # other threads may do this concurrently
        cache.pop(old, None)
    cache[key] = value
    return value


def _decided(segment: Segment, wanted: MaskFilters) -> Mask:
    mask: Mask = (segment.flags & GONE) == 0
    for rule, value in restricting(wanted.lasting[0]):
        mask &= _COMPILED[rule.test](segment, rule, value, wanted)
    return mask


def _reach(segment: Segment, rule: FilterRule, reach: Reach, wanted: MaskFilters) -> Mask:
    projects = segment.column("projects")
    here: Mask = projects == 0
    if reach is Reach.PROJECT and wanted.project:
        here |= projects == wanted.project
    return here


def _tags(segment: Segment, rule: FilterRule, values: Sequence[str], wanted: MaskFilters) -> Mask:
    tags = spelled_alike(values)
    return where(segment, "tags", lambda text: tags <= spelled_alike(json.loads(text or "[]")))


def _bounded(segment: Segment, rule: FilterRule, value: Any) -> tuple[NDArray[Any], Any]:
    bound = to_micros(value) if isinstance(value, datetime) else value
    return segment.column(_BOUNDED[rule.column]), bound


def _every(segment: Segment) -> Mask:
    return np.ones(len(segment), np.bool_)


def _at_least(segment: Segment, rule: FilterRule, value: Any, wanted: MaskFilters) -> Mask:
    column, bound = _bounded(segment, rule, value)
    mask: Mask = column >= bound
    return mask


def _below(segment: Segment, rule: FilterRule, value: Any, wanted: MaskFilters) -> Mask:
    column, bound = _bounded(segment, rule, value)
    mask: Mask = column < bound
    return mask


def _judged(segment: Segment, rule: FilterRule, value: bool, wanted: MaskFilters) -> Mask:
    mask: Mask = ((segment.flags & JUDGED) != 0) == value
    return mask


def _unreplaced(segment: Segment, rule: FilterRule, value: object, wanted: MaskFilters) -> Mask:
    mask: Mask = ~among(segment, "status", {Status.ACTIVE}) | ((segment.flags & SUPERSEDED) == 0)
    return mask


#: Each test on columns; a single-file store has no owners, so everything in it is shared.
_COMPILED: dict[Test, Callable[[Segment, FilterRule, Any, MaskFilters], Mask]] = {
    Test.REACH: _reach,
    Test.OWNER: lambda segment, rule, value, wanted: _every(segment),
    Test.ONE_OF: lambda segment, rule, values, wanted: among(segment, rule.column, set(map(str, values))),
    Test.TAGS: _tags,
    Test.PATTERNS: lambda segment, rule, values, wanted: where(
        segment, "scope", lambda text: set(values) <= set(json.loads(text or "[]"))
    ),
    Test.COVERS: lambda segment, rule, paths, wanted: where(
        segment, "scope", lambda text: _applies(wanted.covers, text, paths)
    ),
    Test.AT_LEAST: _at_least,
    Test.BELOW: _below,
    Test.JUDGED: _judged,
    Test.UNREPLACED: _unreplaced,
    Test.UNFORGOTTEN: lambda segment, rule, value, wanted: ~among(segment, "reason", {Reason.FORGOTTEN}),
}


def among(segment: Segment, name: str, values: set[str]) -> Mask:
    """Return a mask of the rows whose column has one of these values."""
    return where(segment, name, lambda text: text in values)


def _applies(covers: Covers, scope: str, paths: Sequence[str]) -> bool:
    patterns = json.loads(scope or "[]")
    return not patterns or any(covers(patterns, path) for path in paths)

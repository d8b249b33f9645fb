"""The filters that a Python caller gives, checked before anything is asked of the store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from memory_layer.doors import python_given as given
from memory_layer.errors import InvalidInput
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Reason, Source, Status, Tier

W = TypeVar("W", Reason, Source, Status, Tier)


def checked(filters: object) -> Filters:
    """Filters in which everything has its type; lists and sets stand for tuples, and words for what they name."""
    if not isinstance(filters, Filters):
        raise InvalidInput(f"filters must be memory_layer.Filters, not {given.shown(filters)}")
    return filters._replace(
        reach=given.word(Reach, filters.reach, "filters.reach"),
        project=given.optional(given.text, filters.project, "filters.project"),
        categories=tuple(map(given.category, given.texts(filters.categories, "filters.categories"))),
        tiers=_words(Tier, filters.tiers, "filters.tiers"),
        tags=given.texts(filters.tags, "filters.tags"),
        scopes=given.texts(filters.scopes, "filters.scopes"),
        paths=given.texts(filters.paths, "filters.paths"),
        sources=_words(Source, filters.sources, "filters.sources"),
        statuses=_words(Status, filters.statuses, "filters.statuses"),
        reasons=_words(Reason, filters.reasons, "filters.reasons"),
        writers=given.texts(filters.writers, "filters.writers"),
        min_confidence=given.number(filters.min_confidence, "filters.min_confidence"),
        below_confidence=given.optional(given.number, filters.below_confidence, "filters.below_confidence"),
        before=given.optional(given.moment, filters.before, "filters.before"),
        after=given.optional(given.moment, filters.after, "filters.after"),
        has_outcome=given.optional(given.yes_or_no, filters.has_outcome, "filters.has_outcome"),
        ids=given.texts(filters.ids, "filters.ids"),
        expired=given.yes_or_no(filters.expired, "filters.expired"),
        expired_since=given.optional(given.moment, filters.expired_since, "filters.expired_since"),
        superseded=given.yes_or_no(filters.superseded, "filters.superseded"),
    )


def _words(kind: type[W], several: Iterable[W], name: str) -> tuple[W, ...]:
    return tuple(given.word(kind, each, f"each of {name}") for each in given.texts(several, name))

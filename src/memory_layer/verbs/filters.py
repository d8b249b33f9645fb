"""The filters that several verbs take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.errors import InvalidInput
from memory_layer.model.query import Filters

if TYPE_CHECKING:
    from memory_layer.model.vocabulary import Category
    from memory_layer.verbs.call import Call

MOST_VALUES = 32  #: of one filter
MOST_IDS = 200


class Narrowing(Protocol):
    """A request with filters, and with categories and tags of its own."""

    @property
    def filters(self) -> Filters: ...
    @property
    def categories(self) -> tuple[Category, ...]: ...
    @property
    def tags(self) -> tuple[str, ...]: ...


def narrowed(request: Narrowing) -> Filters:
    """Return the filters of a request, with its own categories and tags."""
    filters = request.filters
    return filters._replace(
        categories=request.categories or filters.categories, tags=request.tags or filters.tags
    )


def check_values(filters: Filters) -> None:
    """Refuse empty values, and more than a store takes at once."""
    for name, values in filters._asdict().items():
        most = MOST_IDS if name == "ids" else MOST_VALUES
        if isinstance(values, tuple) and len(values) > most:
            raise InvalidInput(f"too many {name}: {len(values):,}; the limit is {most}")
        if isinstance(values, tuple) and "" in values:
            raise InvalidInput(f"one of the {name} is empty; leave it out")


def in_scope(call: Call, filters: Filters) -> Filters:
    """Complete filters with the project of the call, full ids and paths relative to the project."""
    check_values(filters)
    if filters.paths:
        filters = filters._replace(paths=call.relative(filters.paths))
    if filters.ids:
        from memory_layer.usecases.look_up.browse import full_ids

        filters = filters._replace(ids=full_ids(call.engine, filters.ids))
    return filters._replace(reach=call.scope.reach, project=call.scope.project_id)

"""Verbs that find memories: search, why, related."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.query import Filters, Mode, Query
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.verbs.call import Verb
from memory_layer.verbs.filters import in_scope, narrowed

if TYPE_CHECKING:
    from memory_layer.model.changes import Neighbours
    from memory_layer.model.query import Found
    from memory_layer.verbs.call import Call


class SearchRequest(NamedTuple):
    """A query, the filters on its results, and how much to return."""

    text: str
    limit: int | None = None  #: default: configured
    mode: Mode = Mode.HYBRID
    ranker: str | None = None  #: default: configured
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    filters: Filters = Filters()
    group_by: str | None = None
    diverse: bool = False
    budget: int | None = None  #: the most tokens that the answer may take
    nearest: bool = False  #: also return what is too far to be an answer
    peek: bool = False


class Why(NamedTuple):
    """A query to explain."""

    text: str
    limit: int | None = None
    mode: Mode = Mode.HYBRID
    ranker: str | None = None
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    filters: Filters = Filters()
    group_by: str | None = None
    diverse: bool = False


def search(call: Call, request: SearchRequest) -> Found:
    """Search for the best memories; what an agent is given is recorded as a recall."""
    from memory_layer.usecases.recall import search as usecase

    peek = request.peek or call.only_reads
    query = _query(call, request)._replace(budget=request.budget, nearest=request.nearest, peek=peek)
    return usecase.search(call.engine, query, call.writer, call.measure, call.scope.place)


def why(call: Call, request: Why) -> Found:
    """Explain a search, near misses included; never counts as use."""
    from memory_layer.usecases.recall import why as usecase

    return usecase.why(call.engine, _query(call, request), call.scope.place)


def _query(call: Call, request: SearchRequest | Why) -> Query:
    settings = call.engine.settings
    return Query(
        text=request.text,
        filters=in_scope(call, narrowed(request)),
        mode=request.mode,
        ranker=request.ranker or settings.ranker,
        limit=settings.search_limit if request.limit is None else request.limit,
        group_by=request.group_by,
        diverse=request.diverse,
    )


class RelatedRequest(NamedTuple):
    """A memory, and filters on the ones close to it."""

    memory_id: str
    limit: int = 10
    filters: Filters = Filters()


def related(call: Call, request: RelatedRequest) -> Neighbours:
    """Return the active memories closest to one; never counts as use."""
    from memory_layer.usecases.recall import related as usecase

    if request.filters.statuses != Filters().statuses:
        raise InvalidInput("related memories are always active; leave out the status")
    return usecase.related(call.engine, request.memory_id, in_scope(call, request.filters), request.limit)


SEARCH = Verb("search", SearchRequest, search)
WHY = Verb("why", Why, why)
RELATED = Verb("related", RelatedRequest, related)

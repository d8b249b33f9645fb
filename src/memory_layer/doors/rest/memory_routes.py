"""Routes to memories: store, find, change, link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import TEXTS, page_of
from memory_layer.doors.rest.fields import Parameter
from memory_layer.doors.rest.project_memories import check_decided, status_of
from memory_layer.doors.rest.route import Reply, RestCall, Route, Shape, Values
from memory_layer.doors.rest.shapes import (
    ADDED,
    CURATED,
    DETAILS,
    EDITED,
    EXPLAINED,
    FACETS,
    FORGOTTEN,
    HISTORY,
    LINKS,
    MEMORY,
    OVERVIEW,
    RELATED,
    SEARCHED,
    SETTLED,
    STATS,
    WEEKLY,
)
from memory_layer.doors.rest.versions import unless_changed
from memory_layer.model.memory import Memory
from memory_layer.verbs import govern, learn, look_up, recall, remember

if TYPE_CHECKING:
    from memory_layer.model.changes import Edited
    from memory_layer.model.query import Found

MEMORIES = "/api/memories"
MEMORY_PATH = f"{MEMORIES}/{{memory_id}}"
_QUERY = {"text": "q"}
_NOT_EXPLAINED = ("budget", "nearest", "full")  #: with these a search is no explanation like `/api/why`


def search(call: RestCall, values: Values) -> Shape:
    if values.get("explain") and values.get("peek") and not any(map(values.get, _NOT_EXPLAINED)):
        return wire.timed(call.do(recall.WHY, values))
    shown = {"explain": values.get("explain", False), "full": values.get("full", False)}

    def shape(found: Found) -> Shape:
        return wire.found(found, **shown)

    return shape(call.do(recall.SEARCH, values, measure=lambda found: wire.text(shape(found))))


def show(call: RestCall, values: Values) -> Reply:
    details = call.do(look_up.SHOW, values)
    return Reply(wire.details(details), version=details.memory.version)


def add(call: RestCall, values: Values) -> Reply:
    added = call.do(remember.ADD, values)
    check_decided(added, "on_duplicate")
    return Reply(wire.added(added), status_of(added))


def edit(call: RestCall, values: Values) -> Reply:
    def change() -> Edited:
        return call.do(remember.EDIT, values, version=call.if_match)

    def current() -> Shape:
        return wire.memory(call.do(look_up.SHOW, memory_id=values["memory_id"], peek=True).memory)

    return of_edited(unless_changed(call, change, current, values))


def forget(call: RestCall, values: Values) -> Shape:
    """Erase everything that memories said, for good; without `yes`, show what would be erased."""
    if values.get("yes", False):
        return wire.forgotten(call.do(govern.FORGET, values))
    traces = call.do(govern.FORGET_PREVIEW, values)
    return wire.would_forget(traces)


def of_edited(edited: Edited) -> Reply:
    return Reply(wire.edited(edited), version=edited.memory.version)


def of_links(links: Any) -> Shape:
    return wire.listed(wire.links(links))


def of_curated(curated: Any) -> Shape:
    return wire.listed(map(wire.curated, curated))


def of_memory(memory: Memory) -> Reply:
    return Reply(wire.memory(memory), version=memory.version)


MEMORY_ROUTES = (
    Route(
        "GET",
        "/api/search",
        recall.SEARCH,
        None,
        SEARCHED,
        run=search,
        names=_QUERY,
        more=(
            Parameter("explain", "", bool, False, "with all signals of each hit"),
            Parameter("full", "", bool, False, "with all fields of each memory"),
        ),
    ),
    Route("GET", "/api/why", recall.WHY, wire.timed, EXPLAINED, names=_QUERY),
    Route("GET", MEMORIES, look_up.LIST, wire.page, page_of(MEMORY, failing=TEXTS), names=_QUERY),
    Route("GET", "/api/facets", look_up.FACETS, wire.facets, FACETS, names=_QUERY),
    Route(
        "POST",
        MEMORIES,
        remember.ADD,
        None,
        ADDED,
        run=add,
        writes=True,
        status=201,
        other_statuses=(200,),
        without="allow_secret source",
    ),
    Route(
        "POST",
        f"{MEMORIES}/batch",
        remember.ADD_MANY,
        lambda added: wire.listed(map(wire.added, added)),
        page_of(ADDED),
        writes=True,
        status=201,
    ),
    Route("GET", MEMORY_PATH, look_up.SHOW, None, DETAILS, run=show, matches=True, other_statuses=(304,)),
    Route(
        "PATCH",
        MEMORY_PATH,
        remember.EDIT,
        None,
        EDITED,
        run=edit,
        writes=True,
        matches=True,
        without="version",
    ),
    Route("POST", f"{MEMORY_PATH}/tags", remember.TAG, of_edited, EDITED, writes=True),
    Route("GET", f"{MEMORY_PATH}/related", recall.RELATED, wire.related, RELATED),
    Route("GET", f"{MEMORY_PATH}/links", remember.LINKS, of_links, LINKS),
    Route("POST", f"{MEMORY_PATH}/links", remember.LINK, of_links, LINKS, writes=True),
    Route("DELETE", f"{MEMORY_PATH}/links/{{kind}}/{{other}}", remember.UNLINK, of_links, LINKS, writes=True),
    Route("POST", f"{MEMORY_PATH}/settle", remember.SETTLE, wire.settled, SETTLED, writes=True),
    Route(
        "GET",
        f"{MEMORY_PATH}/history",
        govern.HISTORY,
        lambda history: wire.history(history) | {"next": history.next},
        HISTORY,
    ),
    Route("POST", f"{MEMORY_PATH}/revert", govern.REVERT, of_memory, MEMORY, writes=True),
    Route("POST", f"{MEMORY_PATH}/propose", govern.PROPOSE, of_edited, EDITED, writes=True),
    Route(
        "POST",
        f"{MEMORIES}/archive",
        govern.ARCHIVE,
        of_curated,
        page_of(CURATED),
        writes=True,
        without="seen",
    ),
    Route(
        "POST",
        f"{MEMORIES}/restore",
        govern.RESTORE,
        of_curated,
        page_of(CURATED),
        writes=True,
        without="seen",
    ),
    Route("POST", f"{MEMORIES}/approve", govern.APPROVE, of_curated, page_of(CURATED), writes=True),
    Route(
        "POST",
        f"{MEMORIES}/tag",
        remember.TAG_MANY,
        lambda edited: wire.listed(map(wire.edited, edited)),
        page_of(EDITED),
        writes=True,
    ),
    Route(
        "POST",
        f"{MEMORIES}/forget",
        govern.FORGET,
        None,
        FORGOTTEN,
        run=forget,
        writes=True,
        without="seen",
        more=(Parameter("yes", "", bool, False, "erase, and not only say what would be erased"),),
    ),
    Route("POST", f"{MEMORIES}/reinforce", learn.REINFORCE, of_curated, page_of(CURATED), writes=True),
    Route("GET", "/api/stats", look_up.STATS, wire.stats, STATS, without="everything"),
    Route("GET", "/api/stats/weekly", look_up.WEEKLY, wire.weekly, WEEKLY),
    Route("GET", "/api/overview", look_up.OVERVIEW, wire.overview, OVERVIEW),
)

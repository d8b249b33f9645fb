"""Routes to the review queue: list it, decide about one item, or in one way about several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import page_of
from memory_layer.doors.rest.fields import Parameter
from memory_layer.doors.rest.route import RestCall, Route, Shape, Values
from memory_layer.doors.rest.shapes import DECIDED, QUEUE
from memory_layer.errors import ChangedMeanwhile
from memory_layer.model.review import Matter, Waiting
from memory_layer.verbs import govern

MOST_PAIRS = 100  #: items that one memory can be in
_VERSIONS = Parameter(
    "versions",
    "",
    dict[str, int],
    None,
    "the versions of the memories that were looked at, by id: nothing is decided about others",
)
_KIND = Parameter("kind", "", Literal[tuple(Matter)], None, "the kind of item that was looked at")


def decide(call: RestCall, values: Values) -> Shape:
    """Apply a decision to an item of the review queue; with `versions`, only if it is still what was looked at."""
    seen = None
    if versions := values.get("versions"):
        kinds = [values["kind"]] if values.get("kind") else []
        ids = [values["memory_id"]]
        waiting = call.do(govern.REVIEW, memory_ids=ids, kinds=kinds, limit=MOST_PAIRS).items
        seen = next((each for each in waiting if _versions(each).keys() == versions.keys()), None)
        _check_versions(ids[0], seen, versions)
    return wire.decided(call.do(govern.DECIDE, values, seen=seen))


def decide_many(call: RestCall, values: Values) -> Shape:
    """Apply a decision to several items of the review queue as one operation, to all or to none.

    With `versions` they have to be still what was looked at.
    """
    ids, versions = values["memory_ids"], values.get("versions") or {}
    wanted = {"memory_ids": ids, "kinds": [values["kind"]], "limit": max(1, len(ids))}
    waiting = {each.memory.id: each for each in call.do(govern.REVIEW, **wanted).items} if versions else {}
    for each, version in versions.items():
        _check_versions(each, waiting.get(each), {each: version})
    return of_decided(call.do(govern.DECIDE_MANY, values, seen=tuple(waiting.values())))


def _versions(item: Waiting) -> dict[str, int]:
    return {memory.id: memory.version for memory in (item.memory, item.other) if memory}


def _check_versions(memory_id: str, item: Waiting | None, versions: Mapping[str, int]) -> None:
    if item is None:
        raise ChangedMeanwhile(f"somebody else has already decided about {memory_id}")
    if any(versions.get(each, version) != version for each, version in _versions(item).items()):
        raise ChangedMeanwhile(f"{memory_id} was changed by somebody else in the meantime; look at it again")


def of_decided(done: Any) -> Shape:
    """Return the decisions; the operation is the answer's, because it is the same for all."""
    items = [wire.decided(each) for each in done]
    for each in items:
        del each["operation"]
    return wire.listed(items)


REVIEW_ROUTES = (
    Route("GET", "/api/review", govern.REVIEW, wire.queue, QUEUE),
    Route(
        "POST",
        "/api/review/decide",
        govern.DECIDE_MANY,
        None,
        page_of(DECIDED),
        run=decide_many,
        writes=True,
        without="seen",
        more=(_VERSIONS,),
    ),
    Route(
        "POST",
        "/api/review/{memory_id}/decide",
        govern.DECIDE,
        None,
        DECIDED,
        run=decide,
        writes=True,
        without="seen",
        more=(_KIND, _VERSIONS),
    ),
)

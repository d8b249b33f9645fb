"""The memories of a project: list, create, read, change, archive and approve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memory_layer.doors.rest.answer_schemas import (
    FLAG,
    NUMBER,
    TEXT,
    TEXTS,
    TIME,
    WHOLE,
    Schema,
    items_of,
    members,
    optional,
)
from memory_layer.doors.rest.fields import Parameter, parameter
from memory_layer.doors.rest.route import Conflict, Reply, RestCall, Route, Shape, Values
from memory_layer.doors.rest.versions import unless_changed
from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Status
from memory_layer.verbs.govern import APPROVE, ARCHIVE, FORGET, RESTORE
from memory_layer.verbs.look_up import LIST, SHOW
from memory_layer.verbs.remember import ADD, EDIT

if TYPE_CHECKING:
    from memory_layer.model.memory import Added, Memory, Project
    from memory_layer.verbs.call import Verb

ALL = "/api/projects/{project:path}/memories"
ONE = f"{ALL}/{{memoryId}}"
DEFAULT_LIMIT = 50
_INACTIVE = tuple(each for each in Status if each is not Status.ACTIVE)
_SUMMARY: dict[str, Schema] = {
    "id": TEXT,
    "projectId": optional(TEXT),
    "type": TEXT,
    "content": TEXT,
    "source": TEXT,
    "tags": TEXTS,
    "relevanceScore": NUMBER,
    "active": FLAG,
    "createdAt": TIME,
}
_WHOLE: dict[str, Schema] = {
    **_SUMMARY,
    "updatedAt": TIME,
    "sourceRunId": optional(TEXT),
    "confidence": NUMBER,
    "expiresAt": optional(TIME),
    "approvedBy": optional(TEXT),
    "approvedAt": optional(TIME),
    "version": WHOLE,
}
MEMORY = members(**_WHOLE)
LISTED = members({"next": TEXT}, memories=items_of(members(**_SUMMARY)))


def moment(at: datetime) -> str:
    """Format a time as ISO 8601 in UTC; whole seconds have no fraction."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def summary(memory: Memory, project: Project, now: datetime) -> Shape:
    """Return a memory as a list shows it."""
    expired = memory.expires_at is not None and memory.expires_at <= now
    return {
        "id": memory.id,
        "projectId": project.id if memory.project == project.key else None,
        "type": memory.category.value,
        "content": memory.content,
        "source": memory.source.value,
        "tags": list(memory.tags),
        "relevanceScore": memory.relevance,
        "active": memory.status is Status.ACTIVE and not expired,
        "createdAt": moment(memory.created_at),
    }


def whole(memory: Memory, project: Project, now: datetime) -> Shape:
    """Return all that this interface shows of a memory."""
    optional_times = {"expiresAt": memory.expires_at, "approvedAt": memory.approved_at}
    return {
        **summary(memory, project, now),
        "updatedAt": moment(memory.updated_at),
        "sourceRunId": memory.source_run_id,
        "confidence": memory.confidence,
        "approvedBy": memory.approved_by,
        **{name: moment(at) if at else None for name, at in optional_times.items()},
        "version": memory.version,
    }


def list_memories(call: RestCall, values: Values) -> Shape:
    """List the memories of a project and the global ones, newest first."""
    project = _known(call)
    now = call.dispatcher.engine.now()
    statuses = (Status.ACTIVE,) if values.get("active", True) else _INACTIVE
    given = {name: value for name, value in values.items() if name != "active"}
    page = call.do(LIST, {"limit": DEFAULT_LIMIT, **given}, filters=Filters(statuses=statuses))
    shape: Shape = {"memories": [summary(each, project, now) for each in page.items]}
    return shape if page.next is None else shape | {"next": page.next}


def create(call: RestCall, values: Values) -> Reply:
    """Store a memory in a project; a project with a new name begins with it."""
    added = call.do(ADD, values)
    check_decided(added, "onDuplicate")
    return _shown(call, added.id, status_of(added))


def status_of(added: Added) -> int:
    """Return 201 for a new memory, 200 for a known one."""
    return 201 if added.status in ("created", "staged") else 200


def check_decided(added: Added, argument: str) -> None:
    """Refuse a text that nearly repeats a known one until the caller decides."""
    if added.status != "similar":
        return
    candidates = [
        {"id": each.id, "similarity": each.similarity, "relation": each.relation, "content": each.content}
        for each in added.candidates
    ]
    raise Conflict(
        added.question or "a known memory says nearly the same",
        "needs_decision",
        409,
        f"Nothing was stored. Send it again with {argument} keep, merge or skip.",
        candidates=candidates,
    )


def read(call: RestCall, values: Values) -> Reply:
    """Return one memory."""
    return _shown(call, _own(call, values["memoryId"]).id)


def update(call: RestCall, values: Values) -> Reply:
    """Change a memory; `active` archives or restores it."""
    memory = _own(call, values["memoryId"])
    changes = {name: value for name, value in values.items() if name != "memoryId"}
    if "active" in changes and len(changes) > 1:
        raise InvalidInput("active archives or restores a memory; send it without other fields")
    if "active" in changes:
        _put(call, RESTORE if changes["active"] else ARCHIVE, memory, changes)
    else:
        _edit(call, memory, changes)
    return _shown(call, memory.id)


def _edit(call: RestCall, memory: Memory, changes: Values) -> None:
    more: dict[str, Any] = {"memory_id": memory.id, "version": call.if_match}
    if "tags" in changes:
        wanted = changes["tags"]
        more["add_tags"] = [tag for tag in wanted if tag not in memory.tags]
        more["remove_tags"] = [tag for tag in memory.tags if tag not in wanted]
    own = {name: value for name, value in changes.items() if name != "tags"}
    _unless_changed(call, memory, changes, lambda: call.do(EDIT, own, **more))


def _put(call: RestCall, verb: Verb[Any, Any], memory: Memory, changes: Values) -> None:
    """Archive, restore or erase a memory."""
    _unless_changed(call, memory, changes, lambda: call.do(verb, memory_ids=[memory.id], seen=call.if_match))


def _unless_changed(call: RestCall, memory: Memory, changes: Values, change: Callable[[], object]) -> None:
    def current() -> Shape:
        return whole(_own(call, memory.id), _known(call), call.dispatcher.engine.now())

    unless_changed(call, change, current, changes)


def archive(call: RestCall, values: Values) -> Reply:
    """Archive a memory; PATCH with active true restores it. With `erase=true` a person erases it for good."""
    memory = _own(call, values["memoryId"])
    _put(call, FORGET if values.get("erase") else ARCHIVE, memory, {})
    return Reply(None)


def approve(call: RestCall, values: Values) -> Reply:
    """Approve a memory, which raises its confidence to 1; only a person can."""
    memory = _own(call, values["memoryId"])
    call.do(APPROVE, memory_ids=[memory.id])
    return _shown(call, memory.id)


def _known(call: RestCall) -> Project:
    """Return the project of the path, which must have memories."""
    project = call.dispatcher.call().scope.project
    if project is None or not project.is_stored:
        raise NotFound("nothing is stored for this project")
    return project


def _own(call: RestCall, memory_id: str) -> Memory:
    """Return a memory of the project, or a global one."""
    project = _known(call)
    memory = call.do(SHOW, memory_id=memory_id, peek=True).memory
    if memory.project not in (None, project.key):
        raise NotFound(f"there is no memory {memory_id[:80]!r} in this project")
    return memory


def _shown(call: RestCall, memory_id: str, status: int | None = None) -> Reply:
    memory = _own(call, memory_id)
    shape = whole(memory, _known(call), call.dispatcher.engine.now())
    return Reply(shape, status, memory.version)


_ID = Parameter("memoryId", "memory_id", str, ..., "the memory's id, or the beginning of it")
_SCORE = "from 0 to 1"


def _fields(verb: Any, *, needed: bool) -> Iterator[Parameter]:
    """Yield the fields of a memory that a caller may write."""
    yield parameter(verb, "content", "content")
    kind = parameter(verb, "type", "category", "pattern, warning, learning, context or another category")
    yield kind._replace(default=... if needed else None)
    yield parameter(verb, "relevanceScore", "relevance", _SCORE)._replace(default=None)
    yield parameter(verb, "confidence", "confidence", _SCORE)
    yield parameter(verb, "expiresAt", "expires_at")


PROJECT_ROUTES = (
    Route(
        "GET",
        ALL,
        LIST,
        None,
        LISTED,
        run=list_memories,
        parameters=(
            Parameter("type", "categories", list[str], None, "only this type; repeatable"),
            Parameter("active", "", bool, True, "active memories, or only the others"),
            Parameter("tags", "tags", str, None, "only memories with all of these tags, separated by commas"),
            Parameter("limit", "limit", int, DEFAULT_LIMIT, "at most so many, up to 1000"),
            Parameter("cursor", "after", str, None, "the `next` of the page before"),
        ),
    ),
    Route(
        "POST",
        ALL,
        ADD,
        None,
        MEMORY,
        run=create,
        writes=True,
        status=201,
        other_statuses=(200,),
        parameters=(
            *_fields(ADD, needed=True),
            Parameter("tags", "tags", list[str], None, "words and path patterns"),
            parameter(
                ADD, "onDuplicate", "on_duplicate", "what to do if a known memory says nearly the same"
            ),
        ),
    ),
    Route("GET", ONE, SHOW, None, MEMORY, run=read, matches=True, other_statuses=(304,), parameters=(_ID,)),
    Route(
        "PATCH",
        ONE,
        EDIT,
        None,
        MEMORY,
        run=update,
        writes=True,
        matches=True,
        parameters=(
            _ID,
            *_fields(EDIT, needed=False),
            Parameter("tags", "", list[str], None, "replaces the tags"),
            Parameter("active", "", bool, None, "false archives the memory, true restores it"),
        ),
    ),
    Route(
        "DELETE",
        ONE,
        ARCHIVE,
        None,
        {},
        run=archive,
        writes=True,
        matches=True,
        status=204,
        parameters=(
            _ID,
            Parameter("erase", "", bool, False, "erase it for good, with the rights of a person"),
        ),
    ),
    Route("PATCH", f"{ONE}/approve", APPROVE, None, MEMORY, run=approve, writes=True, parameters=(_ID,)),
)

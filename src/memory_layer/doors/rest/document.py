"""The OpenAPI document: what FastAPI cannot know about responses and authorisation."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from memory_layer.doors.http.problem import MEDIA_TYPE
from memory_layer.doors.rest.answer_schemas import TEXT, TEXTS, WHOLE, extended, members, optional
from memory_layer.doors.rest.groups import GROUPS, group_of
from memory_layer.doors.rest.route import Route

_PROBLEM = {"$ref": "#/components/schemas/Problem"}
PROBLEM = members(
    {"errors": {"type": "array"}, "candidates": {"type": "array"}, "current": {"type": "object"}},
    type=TEXT,
    title=TEXT,
    status=WHOLE,
    code=TEXT,
    detail=TEXT,
    next_step=TEXT,
)
NOTICES = {"notices": TEXTS}
#: Problems that every route can have.
_COMMON = (400, 401, 403, 404, 409, 413, 415, 421, 422, 429, 431, 503)
_SAYS = {
    400: "The request does not fit this document; nothing was changed.",
    401: "The token is missing or wrong.",
    403: "The caller may not do this; nothing was changed.",
    404: "There is no such memory, project, recall, run or operation.",
    409: "Somebody has to decide first, or the request was sent before; nothing was changed.",
    412: "The memory has another version than `If-Match` names; `current` shows it.",
    413: "The body is too large.",
    415: "A browser session sends its changes as JSON.",
    421: "The request names another host than this machine.",
    422: "The request was understood, and a value in it cannot be used; nothing was changed.",
    429: "The caller sends too much; `Retry-After` says for how long it has to wait.",
    431: "The address and headers are too long.",
    503: "The store cannot be read or written at the moment.",
}
_OPERATION = {
    "Memory-Operation": {
        "description": "The operation that changed something; POST /api/operations/{operation}/undo undoes it.",
        "schema": TEXT,
    }
}
_ETAG = {"ETag": {"description": "The version of the memory.", "schema": TEXT}}


ABOUT_EVENTS = (
    "Stream what changes in the store, whichever process changed it; stays open. `hello` comes first, then `change`"
    " with up to 100 ids of memories and how often each action was taken, at most four a second, or `reload` if too"
    " much changed. Send `Last-Event-ID` to continue after an event."
)


def responses_of_events() -> dict[int | str, dict[str, Any]]:
    """Return the responses of the event stream."""
    stream: dict[str, Any] = {
        "description": "Server-sent events.",
        "content": {"text/event-stream": {"schema": TEXT}},
    }
    return {200: stream, **{each: _problem(each) for each in (401, 403, 421, 503)}}


def responses_of(route: Route) -> dict[int | str, dict[str, Any]]:
    """Return the responses of a route by their statuses."""
    schema = dict(route.schema)
    if schema.get("type") == "object" or "allOf" in schema:
        schema = extended(schema, NOTICES, **({"operation": optional(TEXT)} if route.writes else {}))
    headers = (_OPERATION if route.writes else {}) | (_ETAG if route.matches else {})
    found: dict[int | str, dict[str, Any]] = {}
    for status in (route.status, *route.other_statuses):
        says: dict[str, Any] = {"description": HTTPStatus(status).phrase}
        if status not in (204, 304):
            says["content"] = {each: {"schema": schema} for each in route.media_types}
        found[status] = says | ({"headers": headers} if headers else {})
    problems = (*_COMMON, 412) if route.matches and route.writes else _COMMON
    found |= {each: _problem(each) for each in problems}
    return found


def _problem(status: int) -> dict[str, Any]:
    return {"description": _SAYS[status], "content": {MEDIA_TYPE: {"schema": _PROBLEM}}}


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """Add the schema of problems and the token to the document of FastAPI."""
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas["Problem"] = PROBLEM
    for path, operations in document["paths"].items():
        for operation in operations.values():
            operation["tags"] = [group_of(path)]
            for response in operation["responses"].values():
                for content in response.get("content", {}).values():
                    content["schema"] = _listed(content["schema"], schemas)
    used = {operation["tags"][0] for path in document["paths"].values() for operation in path.values()}
    document["tags"] = [
        {"name": each.name, "description": each.about} for each in GROUPS if each.name in used
    ]
    components["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "The token in the server's token file, or one of `mem token`.",
        }
    }
    document["security"] = [{"token": []}]
    document["paths"]["/health"]["get"]["security"] = []
    return document


def _listed(schema: Any, schemas: dict[str, Any]) -> Any:
    """Move every named schema to the document's list, and refer to it."""
    if isinstance(schema, list):
        return [_listed(each, schemas) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: _listed(each, schemas) for name, each in schema.items() if name != "title"}
    name = schema.get("title")
    if not isinstance(name, str) or not name.isidentifier():
        return inner | ({"title": _listed(name, schemas)} if name else {})
    if schemas.setdefault(name, inner) != inner:
        raise ValueError(f"two different answers are named {name}")
    return {"$ref": f"#/components/schemas/{name}"}

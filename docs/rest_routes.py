"""The generated part of the page about REST: every path of the OpenAPI document."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from memory_layer.doors.rest.app import rest_api
from memory_layer.doors.rest.serving import RestServing
from memory_layer.doors.rest.table import ROUTES
from memory_layer.doors.shared_engine import SharedEngine
from memory_layer.settings import load

_NOT_LISTED = ("project", "global", "all", "Memory-Session", "Memory-Agent", "Idempotency-Key")


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document; no store is opened for it."""
    settings = load()
    store = SharedEngine(settings, "rest", only_read=True, own=())
    found: dict[str, Any] = rest_api(RestServing(settings, store, Path.cwd()), ROUTES).openapi()
    return found


def path_table() -> str:
    """List the paths, each with its parameters."""
    rows = [
        f"| `{method.upper()}` | `{path}` | {operation['summary']} | {_takes(path, operation)} |"
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    ]
    return "\n".join(["| | path | does | takes |", "|---|---|---|---|", *rows])


def _takes(path: str, operation: dict[str, Any]) -> str:
    query = [
        _named(each["name"], each.get("required", False))
        for each in operation.get("parameters", ())
        if each["in"] != "path" and (each["name"] not in _NOT_LISTED)
    ]
    return ", ".join([*query, *_body(operation)])


def _body(operation: dict[str, Any]) -> list[str]:
    content = (
        operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    )
    refs = [each["$ref"] for each in (content, *content.get("anyOf", ())) if "$ref" in each]
    if not refs:
        return []
    schema = document()["components"]["schemas"][refs[0].rpartition("/")[2]]
    return [_named(name, name in schema.get("required", ())) for name in schema["properties"]]


def _named(name: str, required: bool) -> str:
    return f"**`{name}`**" if required else f"`{name}`"

"""The OpenAPI document describes answers completely: every member of every answer is in it, with its type."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from docs.rest_routes import document
from memory_layer.doors.rest.table import ROUTES
from tests.doors.rest_client import rest_client
from tests.doors.rest_tour import Tour, Visited, take, with_tasks


def strict(schema: Any, *, whole: bool = True) -> Any:
    """The schema, refusing members it does not name; not `whole` where others beside it name more of them."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: strict(each) for name, each in schema.items() if name not in ("allOf", "properties")}
    if "allOf" in schema:
        inner["allOf"] = [strict(each, whole=False) for each in schema["allOf"]]
    if "properties" in schema:
        inner["properties"] = {name: strict(each) for name, each in schema["properties"].items()}
    closed = whole and any(name in schema for name in ("allOf", "properties", "$ref"))
    return inner | ({"unevaluatedProperties": False} if closed else {})


@pytest.fixture
def visited(machine) -> list[Visited]:
    folder = machine / "work"
    with_tasks(folder)
    with rest_client(folder) as client:
        tour = Tour(client)
        take(tour, folder)
    return tour.visited


def test_every_member_of_every_answer_is_in_the_document(visited):
    listed = document()
    schemas = {name: strict(each, whole=False) for name, each in listed["components"]["schemas"].items()}
    operations = {
        operation["operationId"]: operation
        for path in listed["paths"].values()
        for operation in path.values()
    }

    @cache
    def validator(name: str, status: int, media_type: str) -> Draft202012Validator:
        content = operations[name]["responses"][str(status)]["content"]
        return Draft202012Validator(
            strict(content[media_type]["schema"]) | {"components": {"schemas": schemas}}
        )

    wrong = []
    for each in visited:
        if each.status in (204, 304) or not each.media_type.endswith("json"):
            continue
        for flaw in validator(*each[:3]).iter_errors(json.loads(each.body)):
            wrong.append(
                f"{each.name} {each.status} at {'/'.join(map(str, flaw.instance_path))}: {flaw.message[-300:]}"
            )

    assert wrong == []
    assert {each.name for each in visited} == {route.name for route in ROUTES}

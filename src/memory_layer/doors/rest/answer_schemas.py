"""JSON Schemas of answers: of records from their annotations, of other shapes by their members."""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

from memory_layer import model

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
ANYTHING: Schema = {}
TEXTS: Schema = {"type": "array", "items": TEXT}
TIME: Schema = {"type": "string", "format": "date-time"}
OBJECT: Schema = {"type": "object"}
COUNTS: Schema = {"type": "object", "additionalProperties": WHOLE}
_PLAIN: Mapping[str, Schema] = {
    "str": TEXT,
    "int": WHOLE,
    "float": NUMBER,
    "bool": FLAG,
    "datetime": TIME,
    "Path": TEXT,
    "object": ANYTHING,
    "Any": ANYTHING,
}
_LIST = re.compile(r"(?:tuple|list|Sequence|frozenset)\[(.+?)(?:, \.\.\.)?\]")
_PAIRS = re.compile(r"(?:Mapping|dict)\[\w+, (.+)\]")


def optional(schema: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    return {"anyOf": [schema, {"type": "null"}]} if schema else schema


def items_of(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def members(maybe: Mapping[str, Schema] | None = None, /, **always: Schema) -> Schema:
    """Return the schema of an object: the members that it always has, and those that it may have."""
    properties = {**always, **(maybe or {})}
    return {"type": "object", "properties": properties, "required": list(always)}


def page_of(schema: Schema, **more: Schema) -> Schema:
    """Return the schema of a list; `next` is the cursor of the next page."""
    return members(items=items_of(schema), next=optional(TEXT), total=optional(WHOLE), **more)


def named(name: str, schema: Schema) -> Schema:
    """Give a schema the name under which the document lists it once."""
    return {**schema, "title": name}


def unnamed(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name != "title"}


def extended(schema: Schema, maybe: Mapping[str, Schema] | None = None, /, **always: Schema) -> Schema:
    """Return the schema of an object with more members; a named one is referred to."""
    more = members(maybe, **always)
    if "title" in schema:
        return {"allOf": [schema, more]}
    if "allOf" in schema:
        return {"allOf": [*schema["allOf"], more]}
    properties = {**schema.get("properties", {}), **more["properties"]}
    required = [*schema.get("required", []), *more["required"]]
    return {**schema, "properties": properties, "required": list(dict.fromkeys(required))}


def record(kind: Any, *, without: str = "", **instead: Schema) -> Schema:
    """Return the schema of a record as `wire.plain` writes it, under its name unless it is changed."""
    home = vars(sys.modules[kind.__module__])
    hidden = without.split()
    properties = {
        name: instead.get(name) or of_annotation(annotation, home)
        for name, annotation in kind.__annotations__.items()
        if name not in hidden
    }
    schema: Schema = {"type": "object", "properties": properties, "required": list(properties)}
    return schema if hidden or instead else named(kind.__name__, schema)


def of_annotation(annotation: str, home: Mapping[str, Any]) -> Schema:
    """Return the schema for an annotation; a name that only the type checker knows is looked up in the model."""
    if annotation.endswith(" | None"):
        return optional(of_annotation(annotation.removesuffix(" | None"), home))
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if found := _LIST.fullmatch(annotation):
        return {"type": "array"} if ", " in found[1] else items_of(of_annotation(found[1], home))
    if found := _PAIRS.fullmatch(annotation):
        return {"type": "object", "additionalProperties": of_annotation(found[1], home)}
    if " | " in annotation:
        return {"anyOf": [of_annotation(each, home) for each in annotation.split(" | ")]}
    return of_kind(home.get(annotation) or _every_kind()[annotation])


def of_kind(kind: Any) -> Schema:
    """Return the schema of an enumeration or a record."""
    if issubclass(kind, Enum):
        return {"type": "string", "enum": [each.value for each in kind], "title": kind.__name__}
    return record(kind)


@cache
def _every_kind() -> dict[str, Any]:
    """Return the records and enumerations of the model by their names."""
    modules = [
        import_module(f"{model.__name__}.{each.name}") for each in pkgutil.iter_modules(model.__path__)
    ]
    return {
        name: kind
        for module in modules
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }

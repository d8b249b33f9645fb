"""JSON Schemas of answers: of records from their annotations, of other shapes by their members."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from enum import Enum
from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
ANYTHING: Schema = {}
TEXTS: Schema = {"type": "array", "items": TEXT}
TIME: Schema = {"type": "string", "format": "date-time"}
OBJECT: Schema = {"type": "object"}
OBJECTS: Schema = {"type": "array", "items": OBJECT}
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
_LIST = re.compile(r"(?:tuple|list|Sequence)\[(.+?)(?:, \.\.\.)?\]")
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


def written(schema: Schema) -> Schema:
    """Return the schema of a write's answer, which names its operation."""
    properties = {**schema.get("properties", {}), "operation": optional(TEXT)}
    return {**schema, "properties": properties, "required": [*schema.get("required", []), "operation"]}


def record(kind: Any, *, without: str = "", **instead: Schema) -> Schema:
    """Return the schema of a record as `wire.plain` writes it."""
    home = vars(sys.modules[kind.__module__])
    hidden = without.split()
    properties = {
        name: instead.get(name) or of_annotation(annotation, home)
        for name, annotation in kind.__annotations__.items()
        if name not in hidden
    }
    return {"type": "object", "properties": properties, "required": list(properties)}


def of_annotation(annotation: str, home: Mapping[str, Any]) -> Schema:
    """Return the schema for an annotation; a name that only the type checker knows stands for anything."""
    if annotation.endswith(" | None"):
        return optional(of_annotation(annotation.removesuffix(" | None"), home))
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if found := _LIST.fullmatch(annotation):
        return {"type": "array"} if ", " in found[1] else items_of(of_annotation(found[1], home))
    if found := _PAIRS.fullmatch(annotation):
        return {"type": "object", "additionalProperties": of_annotation(found[1], home)}
    kind = home.get(annotation)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [each.value for each in kind]}
    return record(kind) if hasattr(kind, "__annotations__") and hasattr(kind, "_fields") else ANYTHING

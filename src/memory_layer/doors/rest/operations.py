"""The operations of an OpenAPI document, as its readers need them: parameters, types and a call to try."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from memory_layer.doors.rest.fields import filter_names
from memory_layer.model.record import NamedTuple

Document = Mapping[str, Any]
Schema = Mapping[str, Any]
#: Parameters of nearly every path, which are explained once.
COMMON = ("project", "global", "all", "Memory-Session", "Memory-Agent", "Idempotency-Key")
STREAM = "text/event-stream"
MOST_ALIKE = 10  #: parameters that are named like filters where there are none
WIDTH = 100  #: of a type on one line
ADDRESS = "http://localhost:8080"
AUTHORIZATION = '-H "$AUTH"'
_NAME = re.compile(r"[A-Za-z_]\w*")
#: Values for calls to try, by the names of parameters.
_EXAMPLES: Mapping[str, object] = {
    "category": "decision",
    "content": "Deploys run on Tuesdays",
    "decision": "approve",
    "format": "jsonl",
    "kind": "relates_to",
    "memories": [{"content": "Deploys run on Tuesdays"}],
    "memory_ids": ["mem_abcdefgh"],
    "name": "deploy",
    "operation": "op_abcdefgh",
    "project": "shop",
    "q": "when do we deploy",
    "recall_id": "rec_abcdefgh",
    "relation": "supersedes",
    "result": "worked",
    "run_id": "run_abcdefgh",
    "steps": ["make test", "git push"],
    "task": "deploy the shop",
    "task_id": "shop-1",
    "text": "The deploy is done",
    "to": 1,
    "type": "decision",
    "words": ["deploy"],
}


class Taken(NamedTuple):
    """A parameter of an operation."""

    name: str
    place: str  #: path, query, header or body
    type: str
    required: bool
    about: str
    default: object = None


class Answer(NamedTuple):
    """A response of an operation."""

    status: str
    about: str
    type: str  #: empty if there is no body
    is_problem: bool


class Operation(NamedTuple):
    """A method and a path."""

    id: str
    method: str
    path: str
    group: str
    about: str
    takes: tuple[Taken, ...]
    answers: tuple[Answer, ...]
    role: str  #: that a caller needs; empty if it needs no token

    def takes_in(self, *places: str) -> tuple[Taken, ...]:
        return tuple(each for each in self.takes if each.place in places)

    @property
    def curl(self) -> str:
        """Return a call to try, with values made up."""
        path = self.path
        for each in self.takes_in("path"):
            path = path.replace(f"{{{each.name}}}", str(_example(each)))
        needed = [each for each in self.takes_in("query", "body") if each.required]
        needed += self.takes_in("body")[:1] if self.method == "PATCH" else ()
        body = {each.name: _example(each) for each in needed if each.place == "body"}
        query = "&".join(f"{each.name}={_plain(_example(each))}" for each in needed if each.place == "query")
        waits = ["-N"] if any(each.type == STREAM for each in self.answers) else []
        words = ["curl", *waits, *([AUTHORIZATION] if self.role else [])]
        words += [f"-X {self.method}"] if self.method not in ("GET", "POST") or not body else []
        words += (
            ['-H "Content-Type: application/json"', f"-d {shlex.quote(json.dumps(body))}"] if body else []
        )
        words.append(shlex.quote(f"{ADDRESS}{path}" + (f"?{query}" if query else "")))
        return " ".join(word for word in words if word != "-X GET")


def operations(document: Document) -> Iterator[Operation]:
    """Yield the operations in the order of their groups, then of the document."""
    order = [each["name"] for each in document["tags"]]
    found = [
        _operation(method, path, declared, document)
        for path, methods in document["paths"].items()
        for method, declared in methods.items()
    ]
    yield from sorted(found, key=lambda each: order.index(each.group))


def filters_of(operation: Operation) -> list[Taken]:
    """Return the filters of an operation that takes them; some names alone mean something else."""
    found = [each for each in operation.takes if each.name in filter_names()]
    return found if len(found) > MOST_ALIKE else []


def named_types(document: Document) -> dict[str, Schema]:
    """Return the types that answers are made of, by name."""
    listed: Mapping[str, Any] = document["components"]["schemas"]
    return {name: listed[name] for name in sorted(listed) if name.isidentifier() and name[0].isupper()}


def _operation(method: str, path: str, declared: Mapping[str, Any], document: Document) -> Operation:
    return Operation(
        declared["operationId"],
        method.upper(),
        path,
        declared["tags"][0],
        declared.get("description") or declared["summary"],
        (*_parameters(declared), *_body(declared, document)),
        tuple(_answers(declared)),
        "" if declared.get("security") == [] else declared.get("x-role", "reader"),
    )


def _parameters(declared: Mapping[str, Any]) -> Iterator[Taken]:
    for each in declared.get("parameters", ()):
        schema = each["schema"]
        yield Taken(
            each["name"],
            each["in"],
            type_text(schema),
            each.get("required", False),
            each.get("description") or schema.get("description", ""),
            schema.get("default"),
        )


def _body(declared: Mapping[str, Any], document: Document) -> Iterator[Taken]:
    content = declared.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    for each in (content, *content.get("anyOf", ())):
        if "$ref" in each:
            schema = document["components"]["schemas"][name_of(each)]
            for name, inner in schema["properties"].items():
                required = name in schema.get("required", ())
                about = inner.get("description", "")
                yield Taken(name, "body", type_text(inner), required, about, inner.get("default"))


def _answers(declared: Mapping[str, Any]) -> Iterator[Answer]:
    for status, response in declared["responses"].items():
        content = response.get("content", {})
        json_type = content.get("application/json")
        other = next((each for each in content if each != "application/json"), "")
        type_ = type_text(json_type["schema"]) if json_type else other
        yield Answer(str(status), response["description"], type_, other == "application/problem+json")


def name_of(reference: Schema) -> str:
    """Return the name that a reference leads to."""
    return str(reference["$ref"]).rpartition("/")[2]


def type_text(schema: Schema, indent: int = 0) -> str:
    """Write a schema as a type of TypeScript."""
    if "$ref" in schema:
        return name_of(schema)
    if "allOf" in schema:
        return " & ".join(type_text(each, indent) for each in schema["allOf"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_text(each, indent) for each in schema["anyOf"]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        inner = type_text(schema["items"], indent) if schema.get("items") else "unknown"
        return f"({inner})[]" if " | " in inner or " & " in inner else f"{inner}[]"
    if kind == "object":
        return _object_text(schema, indent)
    return {
        "integer": "number",
        "number": "number",
        "string": "string",
        "boolean": "boolean",
        "null": "null",
    }.get(str(kind), "unknown")


def _object_text(schema: Schema, indent: int) -> str:
    if not schema.get("properties"):
        inner = schema.get("additionalProperties")
        return f"Record<string, {type_text(inner, indent) if isinstance(inner, dict) else 'unknown'}>"
    required = schema.get("required", ())
    parts = [
        f"{name if _NAME.fullmatch(name) else json.dumps(name)}{'' if name in required else '?'}: "
        f"{type_text(each, indent + 2)};"
        for name, each in schema["properties"].items()
    ]
    line = f"{{ {' '.join(parts)} }}"
    if len(line) + indent <= WIDTH and "\n" not in line:
        return line
    space = " " * indent
    return "{\n" + "".join(f"{space}  {part}\n" for part in parts) + f"{space}}}"


def _example(taken: Taken) -> object:
    if taken.name in _EXAMPLES:
        return _EXAMPLES[taken.name]
    if taken.type == "number":
        return 1
    if taken.type == "boolean":
        return True
    return "mem_abcdefgh" if taken.place == "path" or taken.name == "other" else "text"


def _plain(value: object) -> str:
    """Return a value as a query has it."""
    from urllib.parse import quote_plus

    return quote_plus(str(value[0] if isinstance(value, list) else value))

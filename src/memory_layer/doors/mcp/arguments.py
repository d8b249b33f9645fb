"""Arguments of tools: JSON Schemas derived from the requests they fill, and leniency for what models write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from memory_layer.errors import InvalidInput
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.verbs.request import ALIASES, coerced, declared, own_name, shown

if TYPE_CHECKING:
    from memory_layer.verbs.call import Verb

    Schema = dict[str, Any]
    Arguments = Mapping[str, "Argument"]
    Verbs = tuple[Verb[Any, Any], ...]

FILTER = "filters."  #: prefix of a field that belongs to a request's filters
LONGEST_LIST = 100  #: entries of any list; a cursor leads on
#: The JSON types of a request's plain annotations.
_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "datetime": "string",
    "Past": "string",
    "Future": "string",
    "Mapping[str, object]": "object",
}
_MARK = re.compile(r"\s*(?:\d{1,3}[.)]|[-*•])\s+")  #: the number or bullet of a step


class Argument(NamedTuple):
    """An argument of a tool: the field it fills, and its description for a model."""

    field: str | None = None  #: of a request, or `filters.…`; None if it has the same name
    about: str = ""
    default: object = None  #: if different from the field's
    most: int | None = None  #: maximum of a number that is at least 1, or entries of a list
    words: tuple[str, ...] = ()  #: the choices, if different from the field's
    steps: bool = False  #: split a text of several lines into entries
    needed: bool = False  #: required, although the verb does not require it
    more: Mapping[str, object] = MappingProxyType({})  #: further keywords of the schema


def plain(names: str) -> dict[str, Argument]:
    """Declare arguments that need no description."""
    return {name: Argument() for name in names.split()}


class Extra(NamedTuple):
    """Arguments that no verb takes: project, session and writer of a call, and the door's own switches."""

    project: str | None = None
    session: str | None = None
    namespace: str | None = None  #: another name of the project
    writer_id: str | None = None  #: the writer's name, instead of the client's
    only_global: bool = False
    action: str | None = None
    archived: bool = False
    last: bool = False
    cursor: str | None = None
    remove: bool = False
    text: bool = False


#: Accepted by every tool, though only some list them; never passed to a verb's field of that name.
ANYWHERE: Arguments = {name: Argument() for name in ("project", "session", "namespace", "writer_id")}


def schema(arguments: Arguments, verbs: Verbs) -> Schema:
    """Return the JSON Schema of a tool's arguments, without what only costs tokens."""
    properties = {name: _property(name, each, verbs) for name, each in arguments.items()}
    required = [name for name, each in arguments.items() if _is_needed(name, each, verbs)]
    whole: Schema = {"type": "object", "properties": properties}
    return whole | ({"required": required} if required else {}) | {"additionalProperties": False}


def _property(name: str, argument: Argument, verbs: Verbs) -> Schema:
    annotation, default, home = _declared(argument.field or name, verbs)
    property_ = _schema_of(annotation, home)
    if argument.words:
        property_["enum"] = list(argument.words)
    if argument.most is not None and property_["type"] != "array":
        property_["maximum"] = argument.most
    usual = default if argument.default is None else argument.default
    if usual not in (None, (), "", False, ...) and name not in ALIASES:
        property_["default"] = usual
    return property_ | ({"description": argument.about} if argument.about else {}) | dict(argument.more)


def _schema_of(annotation: str, home: Mapping[str, Any]) -> Schema:
    annotation = annotation.removesuffix(" | None")
    if annotation.startswith("tuple["):
        entry = annotation.removeprefix("tuple[").removesuffix(", ...]")
        return {"type": "array", "items": _schema_of(entry, home)}
    if annotation in _TYPES:
        return {"type": _TYPES[annotation]}
    kind = home[annotation]
    # The words of a choice are listed, but categories only where they are worth their tokens.
    listed = issubclass(kind, StrEnum) and kind is not Category
    return {"type": "string"} | ({"enum": [word.value for word in kind]} if listed else {})


def _declared(field: str, verbs: Verbs) -> tuple[str, object, Mapping[str, Any]]:
    """Return the annotation of a field, its default, and the namespace of its module."""
    head = field.partition(".")[0]
    return declared(next((verb.request for verb in verbs if head in verb.request._fields), Extra), field)


def _is_needed(name: str, argument: Argument, verbs: Verbs) -> bool:
    """Return whether the argument is required."""
    if argument.needed:
        return True
    field = argument.field or name
    needing = [field in verb.request._fields and field not in verb.request._field_defaults for verb in verbs]
    return bool(needing) and all(needing)


def read(arguments: Arguments, verbs: Verbs, raw: Mapping[str, object]) -> dict[str, Any]:
    """Return the arguments as the model meant them; null is ignored, and an unknown name is refused."""
    known = {**ANYWHERE, **arguments}
    read: dict[str, Any] = {}
    for name, value in raw.items():
        if name not in known and _field(name, arguments) == name:
            raise InvalidInput(
                f"there is no argument {shown(name)}; the arguments are {', '.join(arguments)}"
            )
        if value is not None:
            argument = known.get(name) or Argument(_field(name, arguments))
            declared = _property(name, argument, verbs)
            read[name] = _bounded(name, _unwrapped(declared, value, argument), argument, declared["type"])
    return {name: each.default for name, each in arguments.items() if each.default is not None} | read


def _unwrapped(declared: Schema, value: object, argument: Argument) -> object:
    """Unwrap a value that a model wrapped into a text; leave a wrong type to the coercion."""
    if declared["type"] == "array":
        return _as_steps(value) if argument.steps else _as_list(value)
    if isinstance(value, float) and declared["type"] == "integer" and value.is_integer():
        return int(value)
    if not isinstance(value, str) or declared["type"] == "string":
        return value
    try:
        unwrapped = json.loads(value.strip().lower() if declared["type"] == "boolean" else value)
    except (ValueError, RecursionError):  # no JSON, or too deep
        return value
    return value if isinstance(unwrapped, str | None) else unwrapped


def _bounded(name: str, value: object, argument: Argument, kind: str) -> object:
    most = argument.most
    if most is None:
        return value
    if kind == "array":
        if isinstance(value, list) and len(value) > most:
            raise InvalidInput(f"{name} takes at most {most} entries, not {len(value):,}")
    elif isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from 1 to {most:,}, not {shown(value)}")
    return value


def _as_list(value: object) -> object:
    """Return a list, also where a client wrapped it into a text or gave its only entry bare."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):  # no JSON, or too deep
            pass
    return [value]


def _as_steps(value: object) -> object:
    """Split a text of several lines into steps, without their numbers or bullets."""
    steps = _as_list(value)
    if steps != [value] or not isinstance(value, str):
        return steps
    lines = [line for line in value.splitlines() if line.strip()]
    marked = any(_MARK.match(line) for line in lines)
    parts: list[str] = []
    for line in lines:
        if marked and parts and not _MARK.match(line):
            parts[-1] += f"\n{line}"
        else:
            parts.append(_MARK.sub("", line, count=1).strip() if len(lines) > 1 else line)
    return parts or steps


def values_for(verb: Verb[Any, Any], arguments: Arguments, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Select the arguments that a verb takes, by the names of its fields."""
    fields = verb.request._fields
    values: dict[str, Any] = {}
    filters: dict[str, Any] = {}
    for name, value in raw.items():
        field = _field(name, arguments)
        if field.startswith(FILTER) and "filters" in fields:
            filters[field.removeprefix(FILTER)] = value
        elif name not in ANYWHERE and field in fields:
            if values.get(field, value) != value:
                raise InvalidInput(f"{name} is an alias of {field}; use only one of them")
            values[field] = value
    # As raw as they came; coerced with the rest.
    return values | ({"filters": Filters(**filters)} if filters else {})


def extra(arguments: Arguments, verbs: Verbs, raw: Mapping[str, Any], now: datetime) -> Extra:
    """Select the arguments that no verb takes."""
    fields = {
        name: _field(name, arguments)
        for name in raw
        if name in ANYWHERE or not any(values_for(verb, arguments, {name: None}) for verb in verbs)
    }
    names = {field: name for name, field in fields.items()}
    extras = coerced(Extra, {field: raw[name] for name, field in fields.items()}, now, names=names)
    if extras.namespace is not None and extras.project not in (None, extras.namespace):
        raise InvalidInput("namespace is an alias of project, and the two differ; use only one of them")
    words = arguments["action"].words if "action" in arguments else ()
    if words and extras.action not in (*words, None):
        raise InvalidInput(f"action must be one of {', '.join(words)}, not {shown(extras.action)}")
    if missing := [name for name, each in arguments.items() if each.needed and name not in raw]:
        raise InvalidInput(f"{missing[0]} is missing")
    return extras


def names_of(arguments: Arguments) -> dict[str, str]:
    """Return the argument name of each field; a filter's field keeps its own name."""
    named = {each.field: name for name, each in arguments.items() if each.field}
    return {field: name for field, name in named.items() if field not in arguments} | {"filters": ""}


def _field(name: str, arguments: Arguments) -> str:
    """Return the field that an argument fills, also under another name than the tool lists."""
    if name in arguments:
        return arguments[name].field or name
    return own_name(name, {each.field or own for own, each in arguments.items()})

"""Fields of requests as parameters of HTTP: their Python types, from which FastAPI derives checks and documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.verbs.request import declared

if TYPE_CHECKING:
    from memory_layer.verbs.call import Verb

FILTERS = "filters"
#: Filters whose values follow from the call, or that only use cases set.
_OWN_FILTERS = (
    "reach project owner exact_scopes labelled citing min_confirmations outlived_since giving sessions"
)
#: Names of the filters; the others have the names of their fields.
_FILTER_NAMES = {
    "categories": "category",
    "tiers": "tier",
    "scopes": "scope",
    "paths": "path",
    "sources": "source",
    "statuses": "status",
    "reasons": "reason",
    "writers": "writer",
    "ids": "id",
    "priorities": "priority",
    "before": "created_before",
    "after": "created_after",
}
#: Names of a request's own fields, where they differ.
_NAMES = {"after": "cursor", "categories": "category"}
_TIME = "a time, such as 2026-02-05, 2026-02-05T10:00:00Z, or a span such as 7d"


class Parameter(NamedTuple):
    """A parameter of a route: the field of the request that it fills, and what FastAPI checks."""

    name: str
    field: str  #: of the request, or `filters.…`
    kind: Any  #: a Python type
    default: object = (
        ...
    )  #: for the document; ... if the parameter is required, None if it has no fixed value
    about: str = ""


def parameters_of(
    verb: Verb[Any, Any], names: Mapping[str, str], without: frozenset[str]
) -> Iterator[Parameter]:
    """Yield the parameters for all fields of a verb's request but some."""
    fields: tuple[str, ...] = verb.request._fields
    for field in fields:
        if field == FILTERS:
            yield from _filters(verb, fields, without)
        elif field not in without:
            yield parameter(verb, names.get(field, _NAMES.get(field, field)), field)


def parameter(verb: Verb[Any, Any], name: str, field: str, about: str = "") -> Parameter:
    """Return the parameter for one field."""
    annotation, default, home = declared(verb.request, field)
    fixed = default if isinstance(default, str | int | float) or default is ... else None
    time = _TIME if annotation.removesuffix(" | None") in ("datetime", "Past", "Future") else ""
    return Parameter(name, field, kind_of(annotation, home), fixed, about or time)


def _filters(verb: Verb[Any, Any], fields: tuple[str, ...], without: frozenset[str]) -> Iterator[Parameter]:
    hidden = {*_OWN_FILTERS.split(), *fields} - {"after"}
    for field in Filters._fields:
        if field not in hidden and f"{FILTERS}.{field}" not in without:
            yield parameter(verb, _FILTER_NAMES.get(field, field), f"{FILTERS}.{field}")


def filter_names() -> tuple[str, ...]:
    """Return the names of the filters, which many paths take."""
    own = _OWN_FILTERS.split()
    return tuple(_FILTER_NAMES.get(each, each) for each in Filters._fields if each not in own)


def kind_of(annotation: str, home: Mapping[str, Any]) -> Any:
    """Return the Python type for a request's annotation; null never means anything else than leaving out."""
    annotation = annotation.removesuffix(" | None")
    if annotation.startswith("tuple["):
        return list[kind_of(annotation.removeprefix("tuple[").removesuffix(", ...]"), home)]  # type: ignore[misc]
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    kind = home[annotation]
    if issubclass(kind, StrEnum) and kind is not Category:
        return Literal[tuple(each.value for each in kind)]
    return str  # a category may also be an alias, or in a list a family


_PLAIN: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "datetime": str,
    "Past": str,
    "Future": str,
    "Mapping[str, object]": dict[str, Any],
    "object": Any,
}


def _written(pattern: str, what: str) -> BeforeValidator:
    """Accept a text of a query only in the form that the document names."""

    def check(value: object) -> object:
        if isinstance(value, str) and not re.fullmatch(pattern, value):
            raise ValueError(f"must be {what}")
        return value

    return BeforeValidator(check)


_IN_QUERIES: dict[Any, Any] = {
    bool: Annotated[bool, _written("true|false", "true or false")],
    int: Annotated[int, _written(r"-?[0-9]{1,4000}", "a whole number")],
}


def query_model(name: str, parameters: tuple[Parameter, ...]) -> type[BaseModel]:
    """Return the model of a route's query."""
    return _model(name, parameters, strict=False)


def body_model(name: str, parameters: tuple[Parameter, ...]) -> type[BaseModel]:
    """Return the model of a route's JSON body."""
    return _model(name, parameters, strict=True)


def _model(name: str, parameters: tuple[Parameter, ...], *, strict: bool) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    for each in parameters:
        kind = each.kind if strict else _IN_QUERIES.get(each.kind, each.kind)
        settings: dict[str, Any] = {"description": each.about} if each.about else {}
        if each.default is None:
            settings["default_factory"] = (
                _nothing  # a default of null would be a value that the document allows
            )
        elif each.default is not ...:
            settings["default"] = each.default
        fields[each.name] = (kind, Field(**settings))
    made: type[BaseModel] = create_model(name, __config__=ConfigDict(extra="forbid", strict=strict), **fields)
    return made


def _nothing() -> None:
    return None

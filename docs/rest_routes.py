"""The generated parts of the page about REST: every path and type of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import Any

from memory_layer.doors.rest.app import rest_api
from memory_layer.doors.rest.operations import (
    COMMON,
    Answer,
    Operation,
    Taken,
    filters_of,
    named_types,
    operations,
    type_text,
)
from memory_layer.doors.rest.table import ROUTES

LONGEST_INLINE = 100  #: characters of a type within a sentence


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document."""
    return rest_api(ROUTES).openapi()


def path_sections() -> str:
    """Write a section for each group of paths, and in it one for each path."""
    about = {each["name"]: each["description"] for each in document()["tags"]}
    parts: list[str] = []
    for name, members in groupby(operations(document()), lambda each: each.group):
        parts += [f"### {name}", about[name]]
        for each in members:
            parts += _section(each)
    return "\n\n".join(parts)


def _section(operation: Operation) -> Iterator[str]:
    filters = filters_of(operation)
    apart = [*COMMON, *(each.name for each in filters)]
    own = [each for each in operation.takes if each.place == "path" or each.name not in apart]
    yield f"#### `{operation.method} {operation.path}`"
    role = f" Needs the role `{operation.role}`." if operation.role not in ("", "reader") else ""
    yield f"{' '.join(operation.about.split())}{role}"
    if own:
        yield _table(own)
    if filters:
        yield "Takes the [filters](#filters)."
    for each in operation.answers:
        if not each.is_problem:
            yield _answered(each)


def _answered(answer: Answer) -> str:
    if not answer.type:
        return f"Answers {answer.status}."
    if "\n" in answer.type or len(answer.type) > LONGEST_INLINE:
        return f"Answers {answer.status}:\n\n```ts\n{answer.type}\n```"
    return f"Answers {answer.status}: `{answer.type}`"


def _table(rows: Iterable[Taken]) -> str:
    return "\n".join(
        [
            "| parameter | in | type | meaning |",
            "|---|---|---|---|",
            *(
                f"| {f'**`{each.name}`**' if each.required else f'`{each.name}`'} | {each.place}"
                f" | {_code(each.type)} | {_meaning(each)} |"
                for each in rows
            ),
        ]
    )


def _code(type_: str) -> str:
    return "`" + type_.replace("|", "\\|") + "`"


def _meaning(taken: Taken) -> str:
    return taken.about if taken.default is None else f"{taken.about}; default `{str(taken.default).lower()}`"


def filter_table() -> str:
    """List the filters, as the path that takes most of them has them."""
    widest = max((filters_of(each) for each in operations(document())), key=len)
    return _table(widest)


def common_table() -> str:
    """List the parameters of most paths."""
    found = {
        taken.name: taken
        for each in operations(document())
        for taken in each.takes
        if taken.name in COMMON and taken.place != "path"
    }
    return _table(found[name] for name in COMMON if name in found)


def problem_table() -> str:
    """List the statuses of problems."""
    found = {
        answer.status: answer.about
        for each in operations(document())
        for answer in each.answers
        if answer.is_problem
    }
    rows = (f"| {status} | {found[status]} |" for status in sorted(found))
    return "\n".join(["| status | when |", "|---|---|", *rows])


def types() -> str:
    """Write every named type."""
    found = named_types(document()).items()
    return "```ts\n" + "\n".join(f"type {name} = {type_text(each)};" for name, each in found) + "\n```"

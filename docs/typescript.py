"""The types of the TypeScript client: every path with its arguments and answer, made of the OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from docs.rest_routes import document
from memory_layer.doors.rest.operations import STREAM, Operation, Taken, named_types, operations, type_text

FILE = Path(__file__).resolve().parent / "examples" / "typescript" / "paths.ts"
HEAD = "// The paths and types of the REST interface, written by docs/typescript.py; `make docs` writes it again.\n"
UNUSED = ("If-None-Match",)  #: a client without a cache has no use for it


def text() -> str:
    """Return the file."""
    listed = [
        each for each in operations(document()) if not any(STREAM in said.type for said in each.answers)
    ]
    return "\n".join([HEAD, *_types(), "export interface Paths {", *map(_path, listed), "}", ""])


def main() -> Iterator[Path]:
    """Write the file if it has changed; yield it then."""
    if not FILE.exists() or FILE.read_text(encoding="utf-8") != text():
        FILE.write_text(text(), encoding="utf-8")
        yield FILE


def _types() -> Iterator[str]:
    for name, schema in named_types(document()).items():
        yield f"export type {name} = {type_text(schema)};\n"


def _path(operation: Operation) -> str:
    places = [
        _place("path", operation.takes_in("path")),
        _place("query", operation.takes_in("query")),
        _place("headers", [each for each in operation.takes_in("header") if each.name not in UNUSED]),
        _place("body", operation.takes_in("body")),
    ]
    takes = "".join(f"      {each}\n" for each in places if each)
    answers = dict.fromkeys(
        _answer(each.type, each.status)
        for each in operation.answers
        if not each.is_problem and each.status != "304"
    )
    return (
        f"  /** {' '.join(operation.about.split())} */\n"
        f'  "{operation.method} {operation.path}": {{\n'
        f"    takes: {{\n{takes}    }};\n"
        f"    answer: {_indented(' | '.join(answers), 4)};\n  }};"
    )


def _place(name: str, taken: Iterable[Taken]) -> str:
    members = [
        f"{each.name if each.name.isidentifier() else json.dumps(each.name)}{'' if each.required else '?'}: "
        f"{each.type.removesuffix(' | null')};"
        for each in taken
    ]
    if not members:
        return ""
    optional = "" if any("?:" not in each for each in members) else "?"
    inner = "".join(f"        {each}\n" for each in members)
    return f"{name}{optional}: {{\n{inner}      }};"


def _answer(type_: str, status: str) -> str:
    if status == "204" or not type_:
        return "undefined"
    if type_ == "application/octet-stream":
        return "ArrayBuffer"
    return "string" if "/" in type_ and "{" not in type_ else type_


def _indented(text_: str, spaces: int) -> str:
    return text_.replace("\n", "\n" + " " * spaces)

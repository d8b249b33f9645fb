"""The reference as a web page: one HTML document and its style, made of the OpenAPI document, without a script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.responses import HTMLResponse, Response

from memory_layer.doors.rest.operations import (
    COMMON,
    Answer,
    Document,
    Operation,
    Taken,
    filters_of,
    named_types,
    operations,
    type_text,
)

PAGE = "/api/reference"
STYLE = f"{PAGE}/style.css"
STYLE_FILE = Path(__file__).with_name("reference.css")
_NAME = re.compile(r"\b[A-Z]\w+\b")


def add_reference(app: FastAPI) -> None:
    """Serve the page and its style; it is written when somebody first asks for it."""
    written: list[str] = []

    def page() -> str:
        if not written:
            written.append(reference_page(app.openapi(), str(app.openapi_url)))
        return written[0]

    def style() -> Response:
        return Response(STYLE_FILE.read_bytes(), media_type="text/css")

    app.add_api_route(PAGE, page, response_class=HTMLResponse, include_in_schema=False)
    app.add_api_route(STYLE, style, include_in_schema=False)


def reference_page(document: Document, link: str) -> str:
    """Write the page; `link` is the address of the OpenAPI document."""
    every = list(operations(document))
    schemas = named_types(document)
    about = {each["name"]: each["description"] for each in document["tags"]}
    groups = [(name, list(members)) for name, members in groupby(every, lambda each: each.group)]
    sections = "".join(_group(name, about[name], members, schemas) for name, members in groups)
    version = escape(document["info"]["version"])
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>Memory Layer: REST reference</title><link rel="stylesheet" href="{STYLE}"></head><body>'
        f'<nav aria-label="Paths"><a class="top" href="#top">REST reference</a>{_contents(groups)}'
        '<a class="top" href="#types">Types</a></nav>'
        f'<main id="top"><h1>REST reference</h1><p>Memory Layer {version}, {len(every)} paths. '
        f'Made from <a href="{escape(link)}">the OpenAPI document</a>; your browser’s search finds everything '
        "on this page.</p>"
        f"{_common(every)}{sections}{_types(schemas)}</main></body></html>"
    )


def _contents(groups: Iterable[tuple[str, list[Operation]]]) -> str:
    return "".join(
        f'<a class="group" href="#{_anchor(name)}">{escape(name)}</a><ul>'
        + "".join(
            f'<li><a href="#{each.id}">{_method(each)} {_breakable(each.path.removeprefix("/api"))}</a></li>'
            for each in members
        )
        + "</ul>"
        for name, members in groups
    )


def _common(every: list[Operation]) -> str:
    """Explain once what nearly every path takes and answers."""
    taken = {
        each.name: each
        for operation in every
        for each in operation.takes
        if each.name in COMMON and each.place != "path"
    }
    problems = {each.status: each for operation in every for each in operation.answers if each.is_problem}
    rows = "".join(
        f"<tr><th scope=row>{status}</th><td>{escape(problems[status].about)}</td></tr>"
        for status in sorted(problems)
    )
    first = 'AUTH="Authorization: Bearer $(cat ~/.local/share/memory-layer/token)"'
    filters = max((filters_of(operation) for operation in every), key=len)
    return (
        "<h2>Every path</h2><p>Programs send a token. <code>mem serve</code> prints where its file is:</p>"
        f"<pre>{escape(first)}</pre>"
        "<p>The calls below use it, with ids that are made up. Types are written as in TypeScript.</p>"
        f"<h3>Parameters of most paths</h3>{_table(taken[name] for name in COMMON if name in taken)}"
        f'<h3 id="filters">Filters</h3>{_table(filters)}'
        "<h3>Problems</h3><p>An error is <code>application/problem+json</code>: its <code>detail</code> says "
        "what is wrong, its <code>next_step</code> what is safe to do next.</p>"
        f"<table><tbody>{rows}</tbody></table>"
    )


def _group(name: str, about: str, members: list[Operation], types: Mapping[str, Any]) -> str:
    inner = "".join(_section(each, types) for each in members)
    return f'<h2 id="{_anchor(name)}">{escape(name)}</h2><p>{escape(about)}</p>{inner}'


def _section(operation: Operation, types: Mapping[str, Any]) -> str:
    filters = filters_of(operation)
    apart = [*COMMON, *(each.name for each in filters)]
    own = [each for each in operation.takes if each.place == "path" or each.name not in apart]
    more = '<p>Takes the <a href="#filters">filters</a>.</p>' if filters else ""
    good = [each for each in operation.answers if not each.is_problem]
    return (
        f'<section id="{operation.id}"><h3><a href="#{operation.id}">{_method(operation)} '
        f"{_breakable(operation.path)}</a></h3><p>{escape(operation.about)}{_role(operation)}</p>"
        f"{_table(own) if own else ''}{more}{''.join(_answered(each, types) for each in good)}"
        f"<pre>{escape(operation.curl)}</pre></section>"
    )


def _table(rows: Iterable[Taken]) -> str:
    return (
        "<table><thead><tr><th>parameter<th>in<th>type<th>meaning</tr></thead><tbody>"
        + "".join(
            f"<tr><th scope=row><code>{escape(each.name)}</code>{' <b>required</b>' if each.required else ''}"
            f"<td>{each.place}<td><code>{escape(each.type)}</code><td>{_meaning(each)}</tr>"
            for each in rows
        )
        + "</tbody></table>"
    )


def _meaning(taken: Taken) -> str:
    default = "" if taken.default is None else f" <small>default {escape(str(taken.default).lower())}</small>"
    return escape(taken.about) + default


def _answered(answer: Answer, types: Mapping[str, Any]) -> str:
    shown = f"<pre>{_linked(answer.type, types)}</pre>" if answer.type else ""
    return f"<h4>{answer.status} {escape(answer.about)}</h4>{shown}"


def _types(types: Mapping[str, Mapping[str, Any]]) -> str:
    return '<h2 id="types">Types</h2>' + "".join(
        f'<section id="type-{name}"><h3><a href="#type-{name}">{name}</a></h3>'
        f"<pre>{_linked(type_text(schema), types)}</pre></section>"
        for name, schema in types.items()
    )


def _linked(text: str, types: Mapping[str, Any]) -> str:
    """Link the names of types to where these are described."""
    return _NAME.sub(
        lambda found: f'<a href="#type-{found[0]}">{found[0]}</a>' if found[0] in types else found[0],
        escape(text),
    )


def _role(operation: Operation) -> str:
    return f" Needs the role <b>{operation.role}</b>." if operation.role not in ("", "reader") else ""


def _method(operation: Operation) -> str:
    return f'<b class="{operation.method.lower()}">{operation.method}</b>'


def _breakable(path: str) -> str:
    return escape(path).replace("/", "/<wbr>")


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")

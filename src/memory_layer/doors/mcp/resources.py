"""What a client may attach without a tool: each resource has a tool that gives the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import unquote

import mcp_types as types

from memory_layer.doors import wire
from memory_layer.doors.mcp.serving import Client, Serving
from memory_layer.errors import NotFound
from memory_layer.model.record import NamedTuple

SCHEME = "memory://"
JSON, TEXT = "application/json", "text/markdown"


class Resource(NamedTuple):
    path: str  #: behind the scheme, `{name}` for what varies
    name: str
    description: str
    twin: str  #: the tool that gives the same
    arguments: Callable[[str], dict[str, object]]
    shown: str | None = None  #: the field of the answer that is the text; None gives all of it as JSON

    @property
    def varies(self) -> bool:
        return "{" in self.path

    @property
    def uri(self) -> str:
        return f"{SCHEME}{self.path}"

    @property
    def kind(self) -> str:
        return TEXT if self.shown else JSON


RESOURCES: tuple[Resource, ...] = (
    Resource("stats", "stats", "How much is remembered.", "memory_stats", lambda _: {}),
    Resource(
        "context",
        "context",
        "What to know in this project, with the last handoff: as with `start`.",
        "memory_context",
        lambda _: {"start": True},
        "text",
    ),
    Resource("recent", "recent", "The newest memories.", "memory_recent", lambda _: {}),
    Resource(
        "projects/{project}/context",
        "project-context",
        "What to know in a project, with its last handoff: as with `start`.",
        "memory_context",
        lambda name: {"project": name, "start": True},
        "text",
    ),
    Resource("memories/{id}", "memory", "One memory in full.", "memory_get", lambda name: {"id": name}),
)


def offered(serving: Serving, *, varying: bool) -> list[Resource]:
    """The resources whose tool the server has."""
    return [each for each in RESOURCES if each.twin in serving.tools and each.varies is varying]


def listed(serving: Serving) -> list[types.Resource]:
    return [
        types.Resource(uri=each.uri, name=each.name, description=each.description, mime_type=each.kind)
        for each in offered(serving, varying=False)
    ]


def templates(serving: Serving) -> list[types.ResourceTemplate]:
    return [
        types.ResourceTemplate(
            uri_template=each.uri, name=each.name, description=each.description, mime_type=each.kind
        )
        for each in offered(serving, varying=True)
    ]


def read(serving: Serving, uri: str, client: Client) -> types.TextResourceContents:
    """What stands behind an address, as the tool would give it."""
    found, name = _named(serving, uri)
    answer: Mapping[str, object] = serving.run(found.twin, found.arguments(name), client)
    text = str(answer[found.shown]) if found.shown else wire.text(answer)
    return types.TextResourceContents(uri=uri, text=text, mime_type=found.kind)


def _named(serving: Serving, uri: str) -> tuple[Resource, str]:
    """The resource of an address, and what stands for its variable part."""
    for each in offered(serving, varying=False):
        if uri == each.uri:
            return each, ""
    for each in offered(serving, varying=True):
        before, _, rest = each.uri.partition("{")
        after = rest.partition("}")[2]
        inner = uri.removeprefix(before).removesuffix(after)
        if uri == f"{before}{inner}{after}" and inner:
            return each, unquote(inner)
    raise NotFound(f"there is no resource {uri[:80]!r}")

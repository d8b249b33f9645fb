"""What a client may attach without a tool: what the tools give, and what the categories mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import unquote

import mcp_types as types

from memory_layer.doors import wire
from memory_layer.doors.mcp.serving import Client, Serving
from memory_layer.errors import NotFound
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import CATEGORIES, CATEGORY_ALIASES, Category

SCHEME = "memory://"
JSON, TEXT = "application/json", "text/markdown"


class Resource(NamedTuple):
    path: str  #: behind the scheme, `{name}` for what varies
    name: str
    description: str
    twin: str | None = None  #: the tool that gives the same
    arguments: Callable[[str], dict[str, object]] = lambda _: {}
    shown: str | None = None  #: the field of the answer that is the text; None gives all of it as JSON
    written: Callable[[], str] | None = None  #: the text of one that no tool gives

    @property
    def varies(self) -> bool:
        return "{" in self.path

    @property
    def uri(self) -> str:
        return f"{SCHEME}{self.path}"

    @property
    def kind(self) -> str:
        return TEXT if self.shown or self.written else JSON


def categories() -> str:
    """Write a line for every category: its meaning, other names, priority and expiry."""
    return "\n".join(_category(each) for each in CATEGORIES)


def _category(category: Category) -> str:
    traits = CATEGORIES[category]
    others = [alias for alias, named in CATEGORY_ALIASES.items() if named is category]
    also = f" (also `{'`, `'.join(others)}`)" if others else ""
    days = f"expires after {traits.expires_days} days" if traits.expires_days else "never expires"
    return f"- `{category}`{also}: {traits.meaning}; priority {traits.priority}, {days}"


RESOURCES: tuple[Resource, ...] = (
    Resource("stats", "stats", "How much is remembered.", "memory_stats"),
    Resource("categories", "categories", "What each category means.", written=categories),
    Resource(
        "context",
        "context",
        "What to know in this project, with the last handoff: as with `start`.",
        "memory_context",
        lambda _: {"start": True},
        "text",
    ),
    Resource("recent", "recent", "The newest memories.", "memory_recent"),
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
    """Return the resources that need no tool, or one that the server has."""
    return [each for each in RESOURCES if each.twin in (*serving.tools, None) and each.varies is varying]


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
    text = found.written() if found.written else _told(serving, found, name, client)
    return types.TextResourceContents(uri=uri, text=text, mime_type=found.kind)


def _told(serving: Serving, found: Resource, name: str, client: Client) -> str:
    answer: Mapping[str, object] = serving.run(str(found.twin), found.arguments(name), client)
    return str(answer[found.shown]) if found.shown else wire.text(answer)


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

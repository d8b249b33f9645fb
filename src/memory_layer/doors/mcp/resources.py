"""Resources, prompts and completions: what a client can use without calling a tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import unquote

from memory_layer.doors import wire
from memory_layer.doors.mcp.limits import Shape
from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import (
    CATEGORIES,
    CATEGORY_ALIASES,
    FAMILIES,
    FAMILY_MEANINGS,
    Category,
    Family,
    Outcome,
)
from memory_layer.verbs import look_up

if TYPE_CHECKING:
    from memory_layer.doors.mcp.serving import Client, Serving
    from memory_layer.verbs.call import Dispatcher

SCHEME = "memory://"
JSON, TEXT = "application/json", "text/markdown"
LONGEST = 2_000  #: characters of an argument
MOST = 100  #: the protocol allows no more
IDS_COMPLETED = 1_000  #: of the newest memories


class Resource(NamedTuple):
    path: str  #: after the scheme, with `{name}` for its variable part
    name: str
    description: str
    tool: str | None = None  #: the tool that returns the same
    arguments: Callable[[str], dict[str, object]] = lambda _: {}
    shown: str | None = None  #: the field of the answer to return as text; None returns all of it as JSON
    write: Callable[[], str] | None = None  #: writes a resource that no tool returns

    @property
    def varies(self) -> bool:
        return "{" in self.path

    @property
    def uri(self) -> str:
        return f"{SCHEME}{self.path}"

    @property
    def kind(self) -> str:
        return TEXT if self.shown or self.write else JSON


def categories() -> str:
    """Write a line for every category below its family: its meaning, other names, priority and expiry."""
    blocks = (
        "\n".join([f"## {family}: {FAMILY_MEANINGS[family]}", *map(_category, members)])
        for family, members in FAMILIES.items()
    )
    return "\n\n".join(blocks)


def _category(category: Category) -> str:
    traits = CATEGORIES[category]
    others = [alias for alias, named in CATEGORY_ALIASES.items() if named is category]
    also = f" (also `{'`, `'.join(others)}`)" if others else ""
    days = f"expires after {traits.expires_days} days" if traits.expires_days else "never expires"
    return f"- `{category}`{also}: {traits.meaning}; priority {traits.priority}, {days}"


RESOURCES: tuple[Resource, ...] = (
    Resource("stats", "stats", "Totals of the stored memories.", "memory_stats"),
    Resource("categories", "categories", "What each category means, by family.", write=categories),
    Resource(
        "context",
        "context",
        "What to know before working in this project, beginning with the last handoff.",
        "memory_context",
        lambda _: {"start": True},
        "text",
    ),
    Resource("recent", "recent", "The newest memories.", "memory_recent"),
    Resource(
        "projects/{project}/context",
        "project-context",
        "What to know before working in a project, beginning with its last handoff.",
        "memory_context",
        lambda name: {"project": name, "start": True},
        "text",
    ),
    Resource("memories/{id}", "memory", "One memory in full.", "memory_get", lambda name: {"id": name}),
)


def offered(serving: Serving, *, varying: bool) -> list[Resource]:
    """Return the resources whose tool the server has, or that need none."""
    return [each for each in RESOURCES if each.tool in (*serving.tools, None) and each.varies is varying]


def listing(serving: Serving) -> list[Shape]:
    return [_entry(each, "uri") for each in offered(serving, varying=False)]


def templates(serving: Serving) -> list[Shape]:
    return [_entry(each, "uriTemplate") for each in offered(serving, varying=True)]


def _entry(each: Resource, address: str) -> Shape:
    return {
        "description": each.description,
        "mimeType": each.kind,
        "name": each.name,
        address: each.uri,
    }


def read(serving: Serving, uri: str, client: Client) -> Shape:
    """Read a resource, as the tool would return it."""
    found, name = _resource_at(serving, uri)
    if found.write:
        text = found.write()
    else:
        answer = serving.run(str(found.tool), found.arguments(name), client)
        text = str(answer[found.shown]) if found.shown else wire.text(answer)
    return {"uri": uri, "text": text, "mimeType": found.kind}


def _resource_at(serving: Serving, uri: str) -> tuple[Resource, str]:
    """Return the resource of an address, and the value of its variable part."""
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


class PromptTemplate(NamedTuple):
    name: str
    description: str
    text: str
    arguments: tuple[tuple[str, str, bool], ...] = ()  #: name, description, whether it must be given
    writes: bool = True  #: it asks for a write, and is not offered by a read-only server


PROMPTS: tuple[PromptTemplate, ...] = (
    PromptTemplate(
        "recall",
        "Look up what is remembered about a topic.",
        "Call memory_recall with the query below. Answer from what it returns, name the ids you used, and say so"
        " if nothing fits.\n\nQuery: {topic}",
        (("topic", "What to look up", True), ("category", "Only this kind", False)),
        writes=False,
    ),
    PromptTemplate(
        "review-session",
        "Store what this session taught.",
        "Look back at this conversation. For each lasting fact, preference or decision that a later session would"
        " need, call memory_learn with one sentence. For each memory you used, call memory_outcome to report whether"
        " it worked. Then call memory_episode with what was achieved and what is still open. Store nothing that is"
        " obvious from the code or only true today.",
    ),
    PromptTemplate(
        "record-outcome",
        "Report whether a memory helped.",
        "Call memory_outcome for the memory {id} with the result {result}, and as evidence one sentence on what"
        " happened in this conversation.",
        (("id", "The memory", True), ("result", "worked, partial or failed", True)),
    ),
)


def offered_prompts(only_read: bool) -> list[PromptTemplate]:
    return [each for each in PROMPTS if not (only_read and each.writes)]


def prompt_listing(only_read: bool = False) -> list[Shape]:
    return [
        {
            "arguments": [
                {"description": text, "name": name, "required": needed}
                for name, text, needed in each.arguments
            ],
            "description": each.description,
            "name": each.name,
        }
        for each in offered_prompts(only_read)
    ]


def filled(name: str, given: Mapping[str, str], only_read: bool = False) -> Shape:
    """Return a prompt with its arguments filled in."""
    known = {each.name: each for each in offered_prompts(only_read)}
    found = known.get(name)
    if found is None:
        raise NotFound(f"there is no prompt {name[:80]!r}; the prompts are {', '.join(known)}")
    for argument, _, needed in found.arguments:
        if needed and not given.get(argument, "").strip():
            raise InvalidInput(f"the prompt {name} needs the argument {argument}")
    values = {argument: given.get(argument, "")[:LONGEST] for argument, _, _ in found.arguments}
    text = found.text
    for argument, value in values.items():
        text = text.replace(f"{{{argument}}}", value)
    if values.get("category"):
        text += f"\nCategories: {values['category']}"
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": found.description, "messages": [message]}


def _ids(memory: Dispatcher) -> Iterable[str]:
    return (each.id for each in memory.run(look_up.LIST, {"limit": IDS_COMPLETED}).items)


def _projects(memory: Dispatcher) -> Iterable[str]:
    return (name for project, _ in memory.run(look_up.PROJECTS, {}) for name in (project.name, project.id))


#: The possible values of each argument.
SOURCES: dict[str, Callable[[Dispatcher], Iterable[str]]] = {
    "id": _ids,
    "project": _projects,
    "category": lambda _: (each.value for each in (*Category, *Family)),
    "result": lambda _: (each.value for each in Outcome),
}


def completed(argument: str, prefix: str, memory: Dispatcher) -> Shape:
    """Complete a value; nothing for an argument that is free text."""
    source = SOURCES.get(argument)
    if source is None:
        return {"values": []}
    fitting = [
        value for value in dict.fromkeys(source(memory)) if value.casefold().startswith(prefix.casefold())
    ]
    return {"values": fitting[:MOST], "total": len(fitting), "hasMore": len(fitting) > MOST}

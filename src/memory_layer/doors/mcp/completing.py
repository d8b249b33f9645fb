"""What a client may offer while somebody types an id, a category, a project or a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import mcp_types as types

from memory_layer.model.vocabulary import Category, Outcome
from memory_layer.verbs import recall

if TYPE_CHECKING:
    from memory_layer.verbs.verb import Dispatcher

MOST = 100  #: the protocol allows no more
LOOKED_AT = 1_000  #: of the newest memories, for their ids


def _ids(memory: Dispatcher) -> Iterable[str]:
    return (each.id for each in memory.run(recall.LIST, {"limit": LOOKED_AT}).items)


def _projects(memory: Dispatcher) -> Iterable[str]:
    return (name for project, _ in memory.run(recall.PROJECTS, {}) for name in (project.name, project.id))


#: Where the values of each argument come from.
SOURCES: dict[str, Callable[[Dispatcher], Iterable[str]]] = {
    "id": _ids,
    "project": _projects,
    "category": lambda _: (each.value for each in Category),
    "result": lambda _: (each.value for each in Outcome),
}


def completed(argument: str, begun: str, memory: Dispatcher) -> types.Completion:
    """The values that begin so, each once; none for an argument that is free text."""
    source = SOURCES.get(argument)
    if source is None:
        return types.Completion(values=[])
    fitting = [
        value for value in dict.fromkeys(source(memory)) if value.casefold().startswith(begun.casefold())
    ]
    return types.Completion(values=fitting[:MOST], total=len(fitting), has_more=len(fitting) > MOST)

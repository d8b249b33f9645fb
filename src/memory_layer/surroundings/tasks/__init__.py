"""Read the task lists of other programs; nothing of theirs is ever written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memory_layer.model.tasks import Task, TaskLookup, TaskOrigin, TasksRead
from memory_layer.surroundings.tasks import beads, claude

if TYPE_CHECKING:
    from memory_layer.ports import Workspace


def read(
    place: Workspace | None,
    lookup: TaskLookup,
    environ: Mapping[str, str],
    allowed: Callable[[str], bool] | None = None,
) -> TasksRead:
    """Read the tasks of a code base; `allowed` limits which of its files may be read."""
    tasks: list[Task] = []
    origins: list[TaskOrigin] = []
    found = [*claude.read(place.root if place else None, lookup, environ)]
    if place is not None and lookup.list is None and (issues := beads.read(place, lookup, environ, allowed)):
        found.append(issues)
    for origin, read_there in found:
        origins.append(origin)
        tasks += read_there
    return TasksRead(tuple(tasks), tuple(origins))

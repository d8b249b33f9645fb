"""Show the tasks of other programs, with the memories that were used for them."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.record import NamedTuple
from memory_layer.model.tasks import (
    LinkedMemory,
    Task,
    TaskLink,
    TaskLookup,
    Tasks,
    TaskSource,
    TasksRead,
    TaskStatus,
    TaskView,
)
from memory_layer.ports import Engine, Workspace
from memory_layer.ports.log import OutcomeFilter
from memory_layer.rules import limits
from memory_layer.rules import tasks as rules
from memory_layer.usecases.govern.visibility import shown

MOST_TO_REPORT = 20  #: completed tasks whose memories are offered at once


class TaskScope(NamedTuple):
    """The project whose tasks are meant, and the session that asks."""

    project: str | None  #: its id
    place: Workspace | None
    own_list: str | None


class TaskQuery(NamedTuple):
    """The tasks to list."""

    statuses: tuple[TaskStatus, ...] = ()  #: default: all that are still to be done
    sources: tuple[TaskSource, ...] = ()
    list: str | None = None
    limit: int = 50


def tasks(engine: Engine, wanted: TaskQuery, around: TaskScope) -> Tasks:
    """Return the tasks of a project, and the completed ones whose memories nobody has told about."""
    limits.check_limit(wanted.limit)
    read = read_tasks(engine, around, wanted.list)
    found = rules.selected(read.tasks, wanted.statuses, wanted.sources)
    with engine.store.reading():
        links = engine.store.task_links.find(around.project)
        linked = {link.task for link in links}
        done = rules.selected(read.tasks, (TaskStatus.COMPLETED,), wanted.sources)
        done = [task for task in done if task.ref in linked]
        views = _viewed(engine, (*found[: wanted.limit], *done), links, read.tasks)
    count = min(len(found), wanted.limit)
    to_report = tuple(each for each in views[count:] if each.unreported)[:MOST_TO_REPORT]
    origins = tuple(each for each in read.origins if not wanted.sources or each.source in wanted.sources)
    return shown(engine, Tasks(tuple(views[:count]), len(found), to_report, origins))


def task(engine: Engine, name: str, around: TaskScope) -> TaskView:
    """Return one task with its memories."""
    read = read_tasks(engine, around)
    return viewed(engine, find_task(engine, name, around, read), around, read)


def read_tasks(engine: Engine, around: TaskScope, only_list: str | None = None) -> TasksRead:
    """Read the tasks of a project."""
    return engine.surroundings.tasks(around.place, TaskLookup(around.own_list, only_list))


def find_task(engine: Engine, name: str, around: TaskScope, read: TasksRead | None = None) -> Task:
    """Return the task of this name; one that its program no longer has is known by its links."""
    limits.check_text(name, "the task", limits.NAME_CHARACTERS * 2)
    try:
        return rules.named((read or read_tasks(engine, around)).tasks, name, around.own_list)
    except NotFound:
        refs = {link.task for link in engine.store.task_links.find(around.project)}
        found = [each for each in refs if each == name or each.endswith((f":{name}", f"/{name}"))]
        if len(found) != 1:
            raise
        return rules.gone(found[0])


def check_name(task: Task) -> None:
    """Refuse a task whose name would put a secret into the store."""
    if not rules.has_safe_name(task):
        raise InvalidInput("the id of this task reads like a secret, so nothing can be linked to it")


def current_task(engine: Engine, around: TaskScope) -> Task | None:
    """Return the one task that is being worked on; None if there is none, or several."""
    read = engine.surroundings.tasks(around.place, TaskLookup(around.own_list, only_active=True))
    task = rules.current(read.tasks)
    return task if task is not None and rules.has_safe_name(task) else None


def viewed(engine: Engine, found: Task, around: TaskScope, read: TasksRead) -> TaskView:
    """Return a task as its reader may see it, with its memories."""
    with engine.store.reading():
        links = engine.store.task_links.find(around.project, [found.ref])
        (view,) = _viewed(engine, [found], links, read.tasks)
    return shown(engine, view)


def _viewed(
    engine: Engine, found: Sequence[Task], links: Sequence[TaskLink], every: Sequence[Task]
) -> list[TaskView]:
    refs, done = {task.ref for task in found}, rules.finished(every)
    linked = _linked(engine, [link for link in links if link.task in refs])
    return [
        TaskView(rules.clean(task), tuple(linked.get(task.ref, {}).values()), rules.waits_for(task, done))
        for task in found
    ]


def _linked(engine: Engine, links: Sequence[TaskLink]) -> dict[str, dict[str, LinkedMemory]]:
    """Return the memories of each task, with whether a report about them came since."""
    ids = list(dict.fromkeys(link.memory for link in links))
    memories = {memory.id: memory for memory in engine.store.memories.get(ids)}
    last = {
        event.memory: event.at
        for event in sorted(
            engine.store.log.outcomes(OutcomeFilter(memories=ids, counted=True)), key=lambda event: event.at
        )
    }
    found: dict[str, dict[str, LinkedMemory]] = {}
    for link in links:
        reported = link.memory in last and last[link.memory] >= link.created_at
        linked = LinkedMemory(memories[link.memory], link.created_at, link.automatic, reported)
        found.setdefault(link.task, {}).setdefault(link.memory, linked)
    return found

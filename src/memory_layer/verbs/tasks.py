"""Verbs about the tasks of other programs: list, show, link and unlink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.model.record import NamedTuple
from memory_layer.model.tasks import TaskSource, TaskStatus
from memory_layer.verbs.call import Verb

if TYPE_CHECKING:
    from memory_layer.model.tasks import Tasks, TaskView
    from memory_layer.usecases.look_up.tasks import TaskScope
    from memory_layer.verbs.call import Call


class TasksRequest(NamedTuple):
    """The tasks to list."""

    statuses: tuple[TaskStatus, ...] = ()  #: default: all that are still to be done
    sources: tuple[TaskSource, ...] = ()
    list_name: str | None = None  #: a list or session, also of another project
    limit: int = 50


def tasks(call: Call, request: TasksRequest) -> Tasks:
    """List the tasks of the project, and the memories of completed ones that await a report."""
    from memory_layer.usecases.look_up import tasks as usecase

    wanted = usecase.TaskQuery(request.statuses, request.sources, request.list_name, request.limit)
    return usecase.tasks(call.engine, wanted, task_scope(call))


class OneTask(NamedTuple):
    """A task by its ref, its id or a beginning of it."""

    task_id: str


def task(call: Call, request: OneTask) -> TaskView:
    """Return a task with the memories linked to it; never counts as use."""
    from memory_layer.usecases.look_up import tasks as usecase

    return usecase.task(call.engine, request.task_id, task_scope(call))


class LinkTask(NamedTuple):
    """A task, and the memories that were used for it."""

    task_id: str
    memory_ids: tuple[str, ...]


def link_task(call: Call, request: LinkTask) -> TaskView:
    """Link memories to a task."""
    from memory_layer.usecases.remember import task_links

    around = task_scope(call)
    return task_links.link_task(call.engine, request.task_id, request.memory_ids, call.writer, around)


def unlink_task(call: Call, request: LinkTask) -> TaskView:
    """Remove links of memories to a task."""
    from memory_layer.usecases.remember import task_links

    around = task_scope(call)
    return task_links.unlink_task(call.engine, request.task_id, request.memory_ids, call.writer, around)


def task_scope(call: Call) -> TaskScope:
    """Return the project of a call and its session, which names the session's own list of tasks."""
    from memory_layer.usecases.look_up.tasks import TaskScope

    return TaskScope(call.scope.project_id, call.scope.place, call.writer.session)


TASKS = Verb("tasks", TasksRequest, tasks)
TASK = Verb("task", OneTask, task)
LINK_TASK = Verb("link_task", LinkTask, link_task)
UNLINK_TASK = Verb("unlink_task", LinkTask, unlink_task)

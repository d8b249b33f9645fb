"""Select, order and name tasks of other programs, and clean their texts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from memory_layer.errors import AmbiguousId, NotFound
from memory_layer.model.tasks import UNFINISHED, Task, TaskSource, TaskStatus
from memory_layer.text.secrets.redact import redact, redact_value

MOST_CANDIDATES = 8
LONGEST_TASK_TEXT = 4_000  #: characters of a title and a description, as a query
SHORTEST_BEGINNING = 4  #: characters of a name that is not whole
LONGEST_NAME = 80  #: characters of a task's name in the error about it
LAST = 9  #: the rank of a task without a number for its priority
_ORDER = sorted(TaskStatus, key=lambda status: status is not TaskStatus.IN_PROGRESS)


def selected(
    tasks: Iterable[Task], statuses: Sequence[TaskStatus], sources: Sequence[TaskSource]
) -> list[Task]:
    """Return the tasks of these states and programs; by default those that are still to be done."""
    wanted = statuses or UNFINISHED
    found = [task for task in tasks if task.status in wanted and (not sources or task.source in sources)]
    return sorted(found, key=_place)


def _place(task: Task) -> tuple[object, ...]:
    """Order by state, then by priority, the one changed last first; else as they were read."""
    rank = task.priority if isinstance(task.priority, int) else LAST
    changed = task.updated_at or task.created_at
    return _ORDER.index(task.status), rank, -changed.timestamp() if changed else 0.0


def current(tasks: Sequence[Task]) -> Task | None:
    """Return the one task in progress: of the session's own list, else of the project; None if several are."""
    active = [task for task in tasks if task.status is TaskStatus.IN_PROGRESS]
    found = [task for task in active if task.list is not None] or active
    return found[0] if len(found) == 1 else None


def named(tasks: Sequence[Task], name: str, own_list: str | None) -> Task:
    """Return the task of this ref, id or unique beginning; the session's own list comes first."""
    own = [task for task in tasks if own_list is not None and task.list == own_list]
    for group in (own, tasks):
        for fits in (_is, _begins):
            found = {task.ref: task for task in group if fits(task, name)}
            if len(found) == 1:
                return next(iter(found.values()))
            if found:
                raise AmbiguousId(
                    f"{name[:LONGEST_NAME]!r} can be {len(found)} tasks; name one in full",
                    sorted(found)[:MOST_CANDIDATES],
                )
    raise NotFound(f"there is no task {name[:LONGEST_NAME]!r} here; `mem tasks` lists them")


def _is(task: Task, name: str) -> bool:
    return name in (task.ref, task.id, f"{task.list}/{task.id}")


def _begins(task: Task, name: str) -> bool:
    """Match a beginning of the ref or id, or of the list before the whole id, as in 25033881/1."""
    own_list, _, own_id = name.rpartition("/")
    if own_list:
        start = own_list.removeprefix(f"{task.source}:")
        return task.list is not None and task.list.startswith(start) and task.id == own_id
    return len(name) >= SHORTEST_BEGINNING and (task.ref.startswith(name) or task.id.startswith(name))


def gone(ref: str) -> Task:
    """Return what is still known of a task that its program no longer has."""
    source, _, name = ref.partition(":")
    own_list, _, own_id = name.rpartition("/")
    return Task(ref, own_id, TaskSource(source), "", TaskStatus.OTHER, "gone", list=own_list or None)


def clean(task: Task) -> Task:
    """Return a task without secrets."""
    extra, _ = redact_value(dict(task.extra))
    assert isinstance(extra, dict)
    return task._replace(
        title=redact(task.title).text,
        description=redact(task.description).text,
        labels=tuple(redact(each).text for each in task.labels),
        extra=extra,
    )


def has_safe_name(task: Task) -> bool:
    """Return whether a task's name can be stored: it contains no secret."""
    return redact(task.ref).text == task.ref


def as_query(task: Task) -> str:
    """Return what a task is about, as the text of a query."""
    return f"{task.title}\n{task.description}".strip()[:LONGEST_TASK_TEXT]


def evidence(task: Task) -> str:
    """Return what a completed task proves."""
    return f"task {task.ref} completed"


def finished(tasks: Iterable[Task]) -> set[tuple[str | None, str]]:
    """Return the list and id of each task that is not to be done any more."""
    return {(task.list, task.id) for task in tasks if task.status not in UNFINISHED}


def waits_for(task: Task, done: Container[tuple[str | None, str]]) -> tuple[str, ...]:
    """Return the ids of unfinished tasks that one is blocked by; a finished one waits for nothing."""
    if task.status not in UNFINISHED:
        return ()
    return tuple(each for each in task.blocked_by if (task.list, each) not in done)

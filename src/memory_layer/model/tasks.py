"""Tasks of other programs, and the memories that were used for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from memory_layer.model.memory import NOTHING, Memory
from memory_layer.model.record import Listing, NamedTuple


class TaskSource(StrEnum):
    """A program whose tasks are read."""

    BEADS = "beads"
    CLAUDE = "claude"


class TaskStatus(StrEnum):
    """The state of a task, in one set of words for all programs."""

    OPEN = "open"
    IN_PROGRESS = "in_progress"
    BLOCKED = "blocked"
    DEFERRED = "deferred"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    OTHER = "other"  #: a word of the program's own; `stated_status` has it


#: The states of tasks that are still to be done.
UNFINISHED = tuple(each for each in TaskStatus if each not in (TaskStatus.COMPLETED, TaskStatus.CANCELLED))


class Task(NamedTuple):
    """A task as another program stores it."""

    ref: str  #: its name in links, such as beads:bd-a1b2 or claude:LIST/1
    id: str  #: its id in that program
    source: TaskSource
    title: str
    status: TaskStatus
    stated_status: str = ""  #: the word that the program uses
    description: str = ""
    priority: int | str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    closed_at: datetime | None = None
    labels: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()  #: ids of tasks that wait for it
    blocked_by: tuple[str, ...] = ()  #: ids of tasks it waits for
    list: str | None = None  #: the list or session that it belongs to
    origin: str = ""  #: the file, folder or command it was read from
    extra: Mapping[str, object] = NOTHING  #: everything else the program says about it


class TaskOrigin(NamedTuple):
    """A place that tasks were read from."""

    source: TaskSource
    where: str
    tasks: int
    malformed: int = 0  #: lines, rows or files that are no tasks
    as_of: datetime | None = None  #: when the file was last written
    flaws: tuple[str, ...] = ()  #: what could not be read, and why


class TasksRead(NamedTuple):
    """Everything that was read."""

    tasks: tuple[Task, ...] = ()
    origins: tuple[TaskOrigin, ...] = ()


class TaskLookup(NamedTuple):
    """The tasks to read."""

    own_list: str | None = None  #: the session that asks; its tasks come from here
    list: str | None = None  #: only this list, whichever project it belongs to
    only_active: bool = False  #: only what is being worked on, from files alone


class TaskLink(NamedTuple):
    """A memory that was used for a task."""

    task: str  #: its ref
    memory: str
    created_at: datetime
    project: str | None = None  #: the id of the project it was linked in
    automatic: bool = False  #: made when a context was given while the task was in progress


class LinkedMemory(NamedTuple):
    """A memory linked to a task, and whether anybody told since how it did."""

    memory: Memory
    linked_at: datetime
    automatic: bool
    reported: bool


class TaskView(NamedTuple):
    """A task with its linked memories."""

    task: Task
    memories: tuple[LinkedMemory, ...] = ()
    waits_for: tuple[str, ...] = ()  #: ids of the unfinished tasks among those it is blocked by

    @property
    def unreported(self) -> tuple[LinkedMemory, ...]:
        """Return the memories of a completed task that nobody told about."""
        if self.task.status is not TaskStatus.COMPLETED:
            return ()
        return tuple(each for each in self.memories if not each.reported)


class Tasks(Listing[TaskView]):
    """Tasks of a project, unfinished ones first."""

    items: tuple[TaskView, ...]
    total: int  #: before the limit
    to_report: tuple[TaskView, ...] = ()  #: completed ones whose memories await a report
    origins: tuple[TaskOrigin, ...] = ()

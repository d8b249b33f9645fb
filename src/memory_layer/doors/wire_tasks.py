"""The JSON of tasks, the same for all doors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.doors import wire
from memory_layer.doors.wire import Shape

if TYPE_CHECKING:
    from memory_layer.model.tasks import LinkedMemory, Tasks, TaskView


def tasks(found: Tasks) -> Shape:
    """Return a list of tasks, those whose memories await a report, and where they were read."""
    return wire.listed(map(task, found.items)) | {
        "total": found.total,
        "to_report": [task(each) for each in found.to_report],
        "origins": [wire.plain(each._asdict()) for each in found.origins],
    }


def task(view: TaskView) -> Shape:
    """Return one task with its memories."""
    return {
        **wire.plain(view.task._asdict()),
        "waits_for": list(view.waits_for),
        "memories": [_linked(each) for each in view.memories],
    }


def _linked(linked: LinkedMemory) -> Shape:
    return {
        "id": linked.memory.id,
        "content": linked.memory.content,
        "status": linked.memory.status.value,
        "linked_at": wire.moment(linked.linked_at),
        "automatic": linked.automatic,
        "reported": linked.reported,
    }

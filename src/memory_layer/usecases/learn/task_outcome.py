"""Report on memories with a completed task as the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.tasks import TaskStatus
from memory_layer.ports.log import OutcomeFilter
from memory_layer.rules import tasks as rules
from memory_layer.usecases.look_up.tasks import find_task
from memory_layer.usecases.who.lookup import whole_ids

if TYPE_CHECKING:
    from memory_layer.ports import Engine
    from memory_layer.usecases.learn.outcome import OutcomeReport
    from memory_layer.usecases.look_up.tasks import TaskScope


def with_task(
    engine: Engine, report: OutcomeReport, name: str, prefixes: Sequence[str], around: TaskScope
) -> OutcomeReport:
    """Return a report with the completion of a task as its evidence; the memories must be linked to it."""
    task, ids = find_task(engine, name, around), whole_ids(engine.store, prefixes)
    if task.status is not TaskStatus.COMPLETED:
        raise InvalidInput(f"{task.ref} is {task.status}, not completed; nothing was recorded")
    linked = {link.memory for link in engine.store.task_links.find(around.project, [task.ref])}
    if strangers := [memory_id for memory_id in ids if memory_id not in linked]:
        raise InvalidInput(
            f"{strangers[0]} is not linked to {task.ref}; `mem tasks link` does that; nothing was recorded"
        )
    more = f"; {report.evidence}" if report.evidence else ""
    event_id = report.event_id or _event(engine, f"{around.project}\0{task.ref}", ids)
    return report._replace(evidence=f"{rules.evidence(task)}{more}", event_id=event_id)


def _event(engine: Engine, name: str, ids: Sequence[str]) -> str | None:
    """Return the id under which a completion counts once; None if a report of it was taken back."""
    event_id = f"task-{sha256(name.encode()).hexdigest()[:32]}"
    known = engine.store.log.outcomes(OutcomeFilter(ids=[f"{event_id}:{each}" for each in ids]))
    return event_id if all(event.counted for event in known) else None

"""Link memories to the tasks of other programs that they were used for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.errors import NotFound
from memory_layer.model.tasks import TaskLink
from memory_layer.ports import Edit, Engine
from memory_layer.rules.edits import check_not_forgotten
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.look_up.tasks import check_name, find_task, read_tasks, viewed
from memory_layer.usecases.who.lookup import named_ids, read_memory

if TYPE_CHECKING:
    from memory_layer.model.memory import Writer
    from memory_layer.model.tasks import TaskView
    from memory_layer.usecases.look_up.tasks import TaskScope


def link_task(
    engine: Engine, name: str, prefixes: Sequence[str], writer: Writer, around: TaskScope
) -> TaskView:
    """Link memories to a task, all of them or none; linking them again changes nothing."""
    read = read_tasks(engine, around)
    task, ids = find_task(engine, name, around, read), named_ids(engine.store, prefixes)
    check_name(task)
    with engine.store.writing():
        edit = Edit(writer, engine.new_id("op"), "link_task", engine.now())
        for memory_id in ids:
            check_not_forgotten(read_memory(engine.store, memory_id))
            ledger.link_task(engine.store, TaskLink(task.ref, memory_id, edit.at, around.project), edit)
    return viewed(engine, task, around, read)


def unlink_task(
    engine: Engine, name: str, prefixes: Sequence[str], writer: Writer, around: TaskScope
) -> TaskView:
    """Remove links of memories to a task, all of them or none."""
    read = read_tasks(engine, around)
    task, ids = find_task(engine, name, around, read), named_ids(engine.store, prefixes)
    with engine.store.writing():
        edit = Edit(writer, engine.new_id("op"), "unlink_task", engine.now())
        for memory_id in ids:
            known = engine.store.task_links.find(around.project, [task.ref], [memory_id])
            if not known:
                raise NotFound(f"{memory_id} is not linked to {task.ref}; nothing was changed")
            for link in known:
                ledger.unlink_task(engine.store, link, edit)
    return viewed(engine, task, around, read)

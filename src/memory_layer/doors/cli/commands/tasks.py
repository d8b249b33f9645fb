"""`mem tasks`: list, show, link and unlink."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import click

from memory_layer.doors.cli.arguments import (
    MemoryId,
    OneOf,
    command,
    family,
    limit_option,
    project_option,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import age, count, field, one_line, short_id
from memory_layer.model.tasks import Task, TaskOrigin, Tasks, TaskSource, TaskStatus, TaskView
from memory_layer.verbs.call import Verb
from memory_layer.verbs.tasks import LINK_TASK, TASK, TASKS, UNLINK_TASK, LinkTask

LIST_CHARACTERS = 8  #: of a list's name before a task's id
COLOURS = {TaskStatus.IN_PROGRESS: "yellow", TaskStatus.BLOCKED: "red", TaskStatus.COMPLETED: "green"}
_task = click.argument("task_id", metavar="TASK")
_memories = click.argument("ids", nargs=-1, required=True, type=MemoryId(), metavar="MEMORY...")


@family("tasks", "mem tasks", "mem tasks link bd-a1b2 mem_abc123", alone=True)
@click.option(
    "--status",
    "statuses",
    type=OneOf(TaskStatus),
    multiple=True,
    help="Only this status; repeatable. Default: all but completed and cancelled.",
)
@click.option(
    "--source", "sources", type=OneOf(TaskSource), multiple=True, help="Only from this program; repeatable."
)
@click.option(
    "--list", "list_name", metavar="NAME", help="Only this list or session, also of another project."
)
@limit_option(50)
@project_option()
@who_options
@click.pass_context
def tasks(
    ctx: click.Context,
    statuses: tuple[TaskStatus, ...],
    sources: tuple[TaskSource, ...],
    list_name: str | None,
    limit: int,
) -> None:
    """Show tasks of Beads and Claude Code, and link memories to them.

    Nothing of those programs is changed. Memories of a context that an agent asks for while exactly one task is in
    progress are linked to it. Once a task is completed, its memories are listed until somebody reports whether they
    helped, with `mem outcome ID... worked --task TASK`.
    """
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, {"statuses": statuses, "sources": sources, "list_name": list_name, "limit": limit})


def _list(call: CommandCall, values: dict[str, object]) -> None:
    from memory_layer.doors import wire_tasks

    with call.open() as memory:
        found = memory.run(TASKS, values)
        now = memory.engine.now()
    call.reply(wire_tasks.tasks(found), "\n".join((*map(_line, found.items), *_offers(found.to_report))))
    for line in _remarks(found, now):
        call.say(line)


@command("show", "mem tasks show bd-a1b2", "mem tasks show 25033881/1 --json", of=tasks)
@_task
@project_option()
@who_options
@click.pass_obj
def show(call: CommandCall, task_id: str) -> None:
    """Show a task and the memories linked to it."""
    from memory_layer.doors import wire_tasks

    with call.open() as memory:
        view = memory.run(TASK, {"task_id": task_id})
    call.reply(wire_tasks.task(view), "\n".join(_whole(view)))


@command(
    "link",
    "mem tasks link bd-a1b2 mem_abc123",
    "mem tasks link 25033881/1 mem_abc123 mem_def456 --json",
    of=tasks,
)
@_task
@_memories
@project_option()
@who_options
@click.pass_obj
def link(call: CommandCall, task_id: str, ids: tuple[str, ...]) -> None:
    """Record that memories were used for a task; `mem undo` takes it back."""
    _change(call, LINK_TASK, task_id, ids)


@command(
    "unlink",
    "mem tasks unlink bd-a1b2 mem_abc123",
    "mem tasks unlink 25033881/1 mem_abc123 --json",
    of=tasks,
)
@_task
@_memories
@project_option()
@who_options
@click.pass_obj
def unlink(call: CommandCall, task_id: str, ids: tuple[str, ...]) -> None:
    """Remove the link between a task and memories; `mem undo` restores it."""
    _change(call, UNLINK_TASK, task_id, ids)


def _change(call: CommandCall, verb: Verb[LinkTask, TaskView], task_id: str, ids: tuple[str, ...]) -> None:
    from memory_layer.doors import wire_tasks

    with call.open() as memory:
        view = memory.run(verb, {"task_id": task_id, "memory_ids": ids})
    call.reply(wire_tasks.task(view), "\n".join((_line(view), *_linked(view))))


def label(task: Task) -> str:
    """Return the shortest usual name of a task: its id, behind the beginning of its list if it has one."""
    return f"{task.list[:LIST_CHARACTERS]}/{task.id}" if task.list else task.id


def _line(view: TaskView) -> str:
    task = view.task
    status = click.style(task.stated_status or task.status, fg=COLOURS.get(task.status))
    rank = (
        ""
        if task.priority is None
        else f"P{task.priority}"
        if isinstance(task.priority, int)
        else task.priority
    )
    notes = [
        *([f"waits for {', '.join(view.waits_for)}"] if view.waits_for else []),
        *([count(len(view.memories), "memory", "memories")] if view.memories else []),
    ]
    badge = click.style(f"{task.source:<6}", fg="cyan")
    parts = (badge, field(label(task)), status, field(rank), one_line(task.title), field(" · ".join(notes)))
    return "  ".join(filter(None, parts))


def _linked(view: TaskView) -> Iterator[str]:
    for each in view.memories:
        told = "reported" if each.reported else "no outcome yet"
        how = "automatic" if each.automatic else "linked"
        yield f"  {short_id(each.memory.id)}  {one_line(each.memory.content)}  ({how}, {told})"


def _offers(views: Sequence[TaskView]) -> Iterator[str]:
    """Ask about the memories of completed tasks."""
    if views:
        yield click.style("Done; tell whether these helped:", bold=True)
    for view in views:
        yield f"{_line(view)}"
        for each in view.unreported:
            yield f"  {short_id(each.memory.id)}  {one_line(each.memory.content)}"
        yield f"  mem outcome ID... worked|failed --task {field(label(view.task))}"


def _whole(view: TaskView) -> Iterator[str]:
    task = view.task
    yield _line(view)
    if task.description:
        yield task.description
    facts = {
        "list": task.list,
        "labels": ", ".join(task.labels),
        "blocks": ", ".join(task.blocks),
        "blocked by": ", ".join(task.blocked_by),
        "read from": task.origin,
    }
    for name, value in facts.items():
        if value:
            yield f"{name}: {field(value)}"
    yield from _linked(view)
    if view.unreported:
        yield f"Done; tell whether these helped: mem outcome ID... worked|failed --task {field(label(task))}"


def _remarks(found: Tasks, now: datetime) -> Iterator[str]:
    if not found.origins:
        yield "no Beads or Claude Code tasks here"
    elif not found.items:
        yield "no such tasks; `mem tasks --status completed` shows completed ones"
    elif found.total > len(found.items):
        yield f"{found.total - len(found.items):,} more; use --limit"
    for origin in found.origins:
        yield from _about(origin, now)


def _about(origin: TaskOrigin, now: datetime) -> Iterator[str]:
    if origin.source is TaskSource.BEADS and origin.as_of is not None:
        yield f"note: Beads as of {age(origin.as_of, now)}, from {field(origin.where)}"
    if origin.malformed:
        entries = count(origin.malformed, "entry is no task", "entries are no tasks")
        yield f"note: {entries} in {field(origin.where)}"
    for flaw in origin.flaws:
        yield f"note: {field(flaw)}"

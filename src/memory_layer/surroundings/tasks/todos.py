"""Read the simple lists of Claude Code: files that older versions wrote, and the last list of a transcript."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256

from memory_layer.model.tasks import Task, TaskSource
from memory_layer.surroundings.tasks.fields import Fields, Malformed, parsed

FILE = re.compile(r"(?P<session>.+?)-agent-(?P<agent>.+)\.json")
TOOL = "TodoWrite"
#: A line of a transcript without one of these changes no list.
MARKS = (b'"newTodos"', b'"TodoWrite"')


def in_file(own_list: str, agent: str, content: bytes, where: str) -> tuple[list[Task], int]:
    """Return the tasks of an old file, and how many of its entries are none; a helper's are named after it."""
    try:
        return _converted(parsed(content), own_list, agent, where)
    except Malformed:
        return [], 1


def in_transcript(own_list: str, content: bytes, where: str) -> tuple[list[Task], int]:
    """Return the tasks of the last list in a transcript, and how many of its entries are none."""
    for line in reversed(content.splitlines()):
        if any(mark in line for mark in MARKS) and (entries := _list_in(line)) is not None:
            return _converted(entries, own_list, "", where)
    return [], 0


def _list_in(line: bytes) -> object | None:
    """Return the list that a line sets; None if it sets none, or is a helper's."""
    try:
        record = parsed(line)
    except Malformed:
        return None
    if not isinstance(record, dict) or record.get("isSidechain"):
        return None
    result, message = record.get("toolUseResult"), record.get("message")
    found: object = result.get("newTodos") if isinstance(result, dict) else None
    if found is not None:
        return found
    parts = message.get("content") if isinstance(message, dict) else None
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and part.get("name") == TOOL and isinstance(part.get("input"), dict):
            found = part["input"].get("todos")
    return found


def _converted(entries: object, own_list: str, agent: str, where: str) -> tuple[list[Task], int]:
    if not isinstance(entries, list):
        return [], 1
    tasks: list[Task] = []
    malformed, known = 0, Counter[str]()
    for entry in entries:
        try:
            task = todo_from(entry, own_list, agent, where)
        except Malformed:
            malformed += 1
            continue
        known[task.id] += 1
        tasks.append(_numbered(task, known[task.id]))
    return tasks, malformed


def _numbered(task: Task, count: int) -> Task:
    """Tell entries of one text or id apart."""
    return task if count == 1 else task._replace(id=f"{task.id}-{count}", ref=f"{task.ref}-{count}")


def todo_from(record: object, own_list: str, agent: str, where: str) -> Task:
    """Convert an entry; one without an id is named by its text, which stays when the list is written again."""
    fields = Fields(record)
    title = fields.text("content")
    if not title:
        raise Malformed
    own_id = fields.id(sha256(title.encode("utf-8", "surrogatepass")).hexdigest()[:8])
    named = f"todo-{agent}-{own_id}" if agent else f"todo-{own_id}"
    status, stated = fields.status()
    return Task(
        ref=f"{TaskSource.CLAUDE}:{own_list}/{named}",
        id=named,
        source=TaskSource.CLAUDE,
        title=title,
        status=status,
        stated_status=stated,
        priority=fields.priority(),
        list=own_list,
        origin=where,
        extra=fields.rest,
    )

"""Folders that hold one software project as its people and agents remembered it, with labelled questions.

A project is a folder with `memories.jsonl`, `questions.jsonl`, `tasks.jsonl`, `actions.jsonl` and `pairs.jsonl`;
docs/benchmarks.md lists the fields of each line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

UNANSWERABLE = "unanswerable"
START = "t00"  #: the task that is a session start
LABELS = ("same", "update", "conflict", "different")  #: of pairs


class Memory(NamedTuple):
    """One memory, and who stored it when."""

    id: str
    content: str
    category: str
    created_at: datetime
    by: str  #: person or agent
    is_global: bool
    priority: str | None
    tags: tuple[str, ...]
    scope: tuple[str, ...]
    tier: str
    superseded_by: str | None


class Question(NamedTuple):
    """A question, and the memories that answer it, most useful first."""

    id: str
    text: str
    kind: str
    relevant: tuple[str, ...]


class Task(NamedTuple):
    """A task, and the memories that must, should and should not be given for it."""

    id: str
    text: str
    paths: tuple[str, ...]
    must: tuple[str, ...]
    good: tuple[str, ...]
    bad: tuple[str, ...]


class Action(NamedTuple):
    """A command, a file or an error, and the memories that warn about it."""

    id: str
    tool: str  #: bash, edit or error
    text: str
    expect: tuple[str, ...]


class Pair(NamedTuple):
    """Two texts, and how the second one relates to the first."""

    a: str
    b: str
    label: str


class Project(NamedTuple):
    """A labelled project."""

    name: str
    memories: tuple[Memory, ...]  #: oldest first
    questions: tuple[Question, ...]
    tasks: tuple[Task, ...]
    actions: tuple[Action, ...]
    pairs: tuple[Pair, ...] = ()


def projects_in(folder: Path) -> list[Project]:
    """Read the project in a folder, or every project in its subfolders."""
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [each for each in (folder, *inside) if (each / "memories.jsonl").is_file()]
    if not found:
        raise SystemExit(f"{folder} holds no project: memories.jsonl, questions.jsonl, tasks, actions")
    return [read_project(each) for each in found]


def read_project(folder: Path) -> Project:
    """Read a project; a missing file other than that of the memories is an empty one."""
    memories = sorted(map(_memory, _lines(folder / "memories.jsonl")), key=lambda one: one.created_at)
    return Project(
        folder.name,
        tuple(memories),
        tuple(
            Question(line["id"], line["text"], line["kind"], tuple(line["relevant"]))
            for line in _lines(folder / "questions.jsonl")
        ),
        tuple(_task(line) for line in _lines(folder / "tasks.jsonl")),
        tuple(_action(line) for line in _lines(folder / "actions.jsonl")),
        tuple(Pair(line["a"], line["b"], line["label"]) for line in _lines(folder / "pairs.jsonl")),
    )


def _memory(line: dict[str, Any]) -> Memory:
    return Memory(
        id=line["id"],
        content=line["content"],
        category=line["category"],
        created_at=datetime.fromisoformat(line["created_at"]),
        by=line["by"],
        is_global=line["global"],
        priority=line["priority"],
        tags=tuple(line["tags"]),
        scope=tuple(line["scope"]),
        tier=line["tier"],
        superseded_by=line["superseded_by"],
    )


def _task(line: dict[str, Any]) -> Task:
    named = (tuple(line[field]) for field in ("paths", "must", "good", "bad"))
    return Task(line["id"], line["task"], *named)


def _action(line: dict[str, Any]) -> Action:
    text = next(line[field] for field in ("command", "file", "error") if line.get(field))
    return Action(line["id"], line["tool"], text, tuple(line["expect"]))


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    if file.is_file():
        # only "\n" ends a line: a text may hold other characters that count as line ends
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line.strip():
                yield json.loads(line)

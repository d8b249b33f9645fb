"""Memories, projects and edits that the tests of several use cases begin with."""

from __future__ import annotations

from memory_layer.model.memory import Draft, Project, Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.ports import Edit
from memory_layer.usecases.remember.add import add

SNAKE = "always use snake_case for Python"


def keep(engine, content, writer, project=None, **fields):
    return add(engine, Draft(content=content, **fields), writer, project)


def a_project(engine, name="shop"):
    project = Project(id=f"id-{name}", key=f"example.com/{name}", name=name)
    with engine.store.writing():
        engine.store.projects.save(project, engine.now())
    return project


def an_edit(engine):
    writer = Writer(name="ghost", kind=WriterKind.AGENT, door="python", session="s")
    return Edit(writer, engine.new_id("op"), "test", engine.now())

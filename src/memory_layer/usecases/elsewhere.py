"""Tell what an agent learned in its own project from what it writes for another one."""

from __future__ import annotations

import os

from memory_layer.model.memory import WRITTEN_FROM, Memory, Project, Writer
from memory_layer.ports import Engine

UNKNOWN = "unknown"  #: what stands for the project of a writer that works in none


def placed(engine: Engine, memory: Memory, writer: Writer, project: Project | None) -> Memory:
    """Return a memory with a note of where it was written, if an agent wrote it for a project it does not work in.

    A project without a folder on this machine is only a name, in which anybody may learn.
    """
    if project is None:
        return memory
    came = None if writer.is_person else _came_from(engine, project)
    if memory.metadata.get(WRITTEN_FROM) == came:
        return memory
    rest = {name: value for name, value in memory.metadata.items() if name != WRITTEN_FROM}
    return memory._replace(metadata=rest if came is None else rest | {WRITTEN_FROM: came})


def _came_from(engine: Engine, project: Project) -> str | None:
    """Return the key of the code base that the caller works in; None if it may learn in the project.

    It may in its own, in one that is only a name, and, if it works in none itself, in one that a person registered.
    """
    if project.root is None or not os.path.isdir(project.root):
        return None
    home = engine.home()
    if home is None:
        return None if project.id in engine.store.registered_roots().values() else UNKNOWN
    return home[0] if {project.key, *project.aliases}.isdisjoint(home) else None

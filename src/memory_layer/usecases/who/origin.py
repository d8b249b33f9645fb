"""Record which project an agent works in when it writes for another one."""

from __future__ import annotations

from memory_layer.model.memory import WRITTEN_FROM, Memory, Project, Writer
from memory_layer.ports import Engine
from memory_layer.rules.permissions import Action, is_learned_in, may

UNKNOWN = "unknown"  #: stands for the project of a writer that works in none


def placed(engine: Engine, memory: Memory, writer: Writer, project: Project | None) -> Memory:
    """Record the project an agent wrote a new text in, if that is not the memory's project.

    A project that is only a name has no code base, so anybody may learn in it.
    """
    if project is None:
        return memory
    came = _came_from(engine, project, writer)
    if memory.metadata.get(WRITTEN_FROM) == came:
        return memory
    rest = {name: value for name, value in memory.metadata.items() if name != WRITTEN_FROM}
    return memory._replace(metadata=rest if came is None else rest | {WRITTEN_FROM: came})


def touched(engine: Engine, memory: Memory, writer: Writer, project: Project | None = None) -> Memory:
    """Record the project of an agent that changed a memory without rewording it, if it is another one.

    An existing note stays, because the text is still the one that was written there.
    """
    if project is None and memory.project:
        project = engine.store.projects.get(memory.project)
    came = _came_from(engine, project, writer) if project else None
    return memory if came is None else memory._replace(metadata={**memory.metadata, WRITTEN_FROM: came})


def is_learned_elsewhere(engine: Engine, memory: Memory, writer: Writer) -> bool:
    """Was a memory learned in a project that the writer, an agent, does not work in?"""
    if not is_learned_in(memory, memory.project):
        return False
    project = engine.store.projects.get(memory.project) if memory.project else None
    return project is not None and _came_from(engine, project, writer) is not None


def _came_from(engine: Engine, project: Project, writer: Writer) -> str | None:
    """Return the key of the code base an agent works in; None for a person, and if it may learn in the project.

    It may in its own, in one that is only a name, and, if it works in none itself, in one that a person registered.
    """
    if may(writer, Action.LEARN_ELSEWHERE) or _is_only_a_name(project):
        return None
    home = engine.home()
    if home is None:
        return None if project.id in engine.store.projects.roots().values() else UNKNOWN
    return home[0] if {project.key, *project.aliases}.isdisjoint(home) else None


def _is_only_a_name(project: Project) -> bool:
    """Is a project no code base? Every key of one is a path or the address of a repository."""
    return project.root is None and not any(
        mark in key for key in (project.key, *project.aliases) for mark in "/\\"
    )

"""Tell what an agent learned in its own project from what it writes for another one."""

from __future__ import annotations

import os

from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.policy.review import reasons_elsewhere
from memory_layer.ports import Engine


def reasons_to_wait(
    engine: Engine, memory: Memory, writer: Writer, project: Project | None
) -> tuple[str, ...]:
    """Return why a memory of a project waits for a person because its writer works in another one.

    A project without a folder on this machine is only a name, which anybody may use.
    """
    if writer.is_person or project is None or project.root is None:
        return ()
    home = engine.home()
    if home is not None and not {project.key, *project.aliases}.isdisjoint(home):
        return ()
    return reasons_elsewhere(memory, home) if os.path.isdir(project.root) else ()

"""How long memories last: the user's days, and for a project's memories those of its own file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory, Project
    from memory_layer.model.vocabulary import Category
    from memory_layer.ports import Engine

    Days = Mapping[Category, int | None]  #: None means never


def days_in(engine: Engine, project: Project | None) -> Days:
    """The days of each category in a project; where the caller stands, the nearest file decides."""
    settings = engine.settings
    if project is None or project.root is None:
        return settings.own_expiry
    nearest, root = settings.project_file, Path(project.root)
    if nearest is not None and nearest.is_relative_to(root):
        return settings.default_expiry
    return {**settings.own_expiry, **engine.surroundings.expiry(root)}


def days_for(engine: Engine, memory: Memory) -> Days:
    """The days that hold for a memory."""
    return days_in(engine, engine.store.project(memory.project) if memory.project else None)

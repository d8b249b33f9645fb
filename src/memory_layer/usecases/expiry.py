"""How long memories last: the user's days, and for a project's memories those of its own file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.policy.lifecycle import ends_sooner
from memory_layer.policy.merging import guarded_by_a_person, lasts
from memory_layer.settings import PROJECT_FILE

if TYPE_CHECKING:
    from memory_layer.model.memory import Draft, Memory, Project
    from memory_layer.model.vocabulary import Category, Priority
    from memory_layer.ports import Engine

    Days = Mapping[Category, int | None]  #: None means never


def days_for_new(
    engine: Engine, category: Category, priority: Priority, project: Project | None, *, by_person: bool
) -> Days:
    """The days that hold for a new memory."""
    return _held(engine, category, project, lasting=lasts(category, priority, vouched=by_person))


def days_for(engine: Engine, memory: Memory, *, approved: bool = False) -> Days:
    """The days that hold for a memory, or for it as it will be `approved`."""
    project = engine.store.project(memory.project) if memory.project else None
    vouched = approved or guarded_by_a_person(memory)
    return _held(
        engine,
        memory.category,
        project,
        lasting=lasts(memory.category, memory.priority, vouched=vouched),
    )


def shortened(engine: Engine, draft: Draft, memory: Memory, project: Project | None) -> str | None:
    """What to say where a repository's file lets a new memory end sooner; None where it does not."""
    own, days = engine.settings.own_expiry, _days_in(engine, project)
    sooner = ends_sooner(days[memory.category], own[memory.category])
    if not sooner or draft.expires_at or draft.never_expires or memory.expires_at is None:
        return None
    if memory.expires_at != memory.created_at + timedelta(days=days[memory.category] or 0):
        return None
    usual = own[memory.category]
    instead = "never" if usual is None else f"after {usual} days"
    return (
        f"it expires on {memory.expires_at:%Y-%m-%d}, as the project's {PROJECT_FILE} has it for {memory.category}"
        f" (by your own settings {instead}); an expiry given with a memory wins"
    )


def _held(engine: Engine, category: Category, project: Project | None, *, lasting: bool) -> Days:
    """The days of a project, unless its file, which a stranger may have written, would shorten what has to last."""
    own, days = engine.settings.own_expiry, _days_in(engine, project)
    return own if lasting and ends_sooner(days[category], own[category]) else days


def _days_in(engine: Engine, project: Project | None) -> Days:
    """The days of each category in a project; where the caller stands, the nearest file decides."""
    settings = engine.settings
    if project is None or project.root is None:
        return settings.own_expiry
    nearest, root = settings.project_file, Path(project.root)
    if nearest is not None and nearest.is_relative_to(root):
        return settings.default_expiry
    return {**settings.own_expiry, **engine.surroundings.expiry(root)}

"""Compute how long memories last: the user's days, or for a project's memories those of its own file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.rules import lifecycle
from memory_layer.rules.lifecycle import ends_sooner
from memory_layer.rules.permissions import Action, is_lasting, lasts, may
from memory_layer.settings import PROJECT_FILE

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.memory import Memory, Project
    from memory_layer.model.vocabulary import Category, Priority
    from memory_layer.ports import Edit, Engine

    Days = Mapping[Category, int | None]  #: None means never


def days_for_new(
    engine: Engine, category: Category, priority: Priority, project: Project | None, *, by_person: bool
) -> Days:
    """Return the days that apply to a new memory."""
    return _held(engine, category, project, lasting=lasts(category, priority, vouched=by_person))


def days_for(engine: Engine, memory: Memory, *, by_person: bool = False) -> Days:
    """Return the days that apply to a memory, or to it as a person approves or restores it."""
    project = engine.store.projects.get(memory.project) if memory.project else None
    return _held(engine, memory.category, project, lasting=by_person or is_lasting(memory))


def noted(engine: Engine, before: Memory, after: Memory, days: Days) -> Memory:
    """Record whether a project's file caused the new expiry."""
    if after.expires_at == before.expires_at:
        return after
    by_project = ends_sooner(days[after.category], engine.settings.own_expiry[after.category])
    return lifecycle.ending(after, after.expires_at, by_project=by_project)


def restored(engine: Engine, memory: Memory, edit: Edit) -> Memory:
    """Restore an archived memory; an expired one gets another term."""
    days = days_for(engine, memory, by_person=may(edit.writer, Action.OUTLAST_PROJECT_FILE))
    return noted(engine, memory, lifecycle.restored(memory, edit.at, days), days)


def lasting(engine: Engine, before: Memory, after: Memory, at: datetime) -> Memory:
    """Give a memory that becomes lasting the user's own term; an explicitly chosen expiry stays."""
    begins = is_lasting(after) and (not is_lasting(before) or after.category is not before.category)
    if not begins or after.expires_at != before.expires_at or not ends_by_category(engine, before):
        return after
    days = days_for(engine, after)
    return lifecycle.ending(after, lifecycle.default_expiry(after.category, at, days))


def said_again(engine: Engine, memory: Memory, at: datetime) -> Memory:
    """Extend a memory that a person confirms beyond the expiry of a project's file."""
    if not lifecycle.ends_by_project(memory):
        return memory
    return lifecycle.renewed(memory, at, days_for(engine, memory, by_person=True))


def lengthened(before: Memory, after: Memory) -> str | None:
    """Return the hint about a changed expiry; None if it did not change."""
    if before.expires_at is None or after.expires_at == before.expires_at:
        return None
    now = "never expires" if after.expires_at is None else f"expires on {after.expires_at:%Y-%m-%d}"
    return f"it {now} by your own settings, instead of on {before.expires_at:%Y-%m-%d}"


def ends_by_category(engine: Engine, memory: Memory) -> bool:
    """Was the expiry of a memory set by its category or a project's file, rather than chosen?"""
    usual = lifecycle.default_expiry(memory.category, memory.created_at, engine.settings.own_expiry)
    return lifecycle.ends_by_project(memory) or memory.expires_at == usual


def shortened(engine: Engine, memory: Memory) -> str | None:
    """Return the hint about a project file that shortens a new memory; None if it does not."""
    if not lifecycle.ends_by_project(memory):
        return None
    usual = engine.settings.own_expiry[memory.category]
    instead = "never" if usual is None else f"after {usual} days"
    return (
        f"it expires on {memory.expires_at:%Y-%m-%d}, as the project's {PROJECT_FILE} sets it for {memory.category}"
        f" (your own settings: {instead}); an explicit expiry overrides it"
    )


def _held(engine: Engine, category: Category, project: Project | None, *, lasting: bool) -> Days:
    """Return a project's days, unless its file, perhaps a stranger's, would shorten what has to last."""
    own, days = engine.settings.own_expiry, _days_in(engine, project)
    return own if lasting and ends_sooner(days[category], own[category]) else days


def _days_in(engine: Engine, project: Project | None) -> Days:
    """Return the days per category in a project; the file nearest to the caller decides."""
    settings = engine.settings
    if project is None or project.root is None:
        return settings.own_expiry
    nearest, root = settings.project_file, Path(project.root)
    if nearest is not None and nearest.is_relative_to(root):
        return settings.default_expiry
    return {**settings.own_expiry, **engine.surroundings.expiry(root)}

"""Know which projects lie idle, without keeping anybody waiting for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from memory_layer.errors import StoreUnavailable
from memory_layer.model.memory import Project
from memory_layer.policy import staleness
from memory_layer.ports import Engine, Place


def look(engine: Engine, project: Project, place: Place) -> None:
    """Remember the last commit of a project, at most once a day; a store that is in use is left for later."""
    now = engine.now()
    if not staleness.look_is_due(project.looked_at, now):
        return
    if place.common_dir is None and project.last_commit_at is None:
        return  # no repository, and nothing to correct
    seen = engine.surroundings.last_commit_at(place)
    latest = staleness.latest(project.last_commit_at, seen)
    with suppress(StoreUnavailable), engine.store.writing(patient=False):
        engine.store.note_commit(project.id, latest, now)


def look_around(engine: Engine, projects: Sequence[Project]) -> None:
    """Look at every project that still lies where it was last seen."""
    for project in projects:
        if project.root is None or not staleness.look_is_due(project.looked_at, engine.now()):
            continue
        place = engine.surroundings.locate(Path(project.root))
        if {place.key, *place.aliases} & {project.key, *project.aliases}:
            look(engine, project, place)


def stale_projects(engine: Engine) -> Mapping[str, datetime]:
    """The keys of the projects without a commit for 90 days, and when each had its last."""
    return engine.store.last_commits(staleness.stale_before(engine.now()))


def of_stale_projects(engine: Engine, rows: Sequence[int]) -> frozenset[int]:
    """Which of these rows are memories of such a project."""
    return engine.store.rows_without_commit(rows, staleness.stale_before(engine.now()))

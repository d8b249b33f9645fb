"""Know which projects lie idle, without keeping anybody waiting for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from memory_layer.errors import StoreUnavailable
from memory_layer.model.memory import Project
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Engine, Place
from memory_layer.rules import staleness


class Look(NamedTuple):
    """What somebody saw of a project."""

    project: str  #: its id
    last_commit_at: datetime | None


def look(engine: Engine, project: Project, place: Place) -> None:
    """Remember the last commit of a project, at most once a day, or once an hour while it is stale."""
    if seen := _look(engine, project, place):
        _remember(engine, [seen])


def look_around(engine: Engine, projects: Sequence[Project]) -> None:
    """Look at every project that still lies where it was last seen."""
    seen = []
    for project in projects:
        if project.root is None or not _is_due(engine, project):
            continue
        place = engine.surroundings.locate(Path(project.root))
        if {place.key, *place.aliases} & {project.key, *project.aliases}:
            seen.append(_look(engine, project, place))
    _remember(engine, [each for each in seen if each])


def _is_due(engine: Engine, project: Project) -> bool:
    return staleness.look_is_due(project.looked_at, project.last_commit_at, engine.now())


def _look(engine: Engine, project: Project, place: Place) -> Look | None:
    """The last commit as far as it is known now; None if it is too soon or there is nothing to look at."""
    if not _is_due(engine, project):
        return None
    if place.common_dir is None and project.last_commit_at is None:
        return None  # no repository, and nothing to correct
    seen = engine.surroundings.last_commit_at(place)
    return Look(project.id, staleness.latest(project.last_commit_at, seen, engine.now()))


def _remember(engine: Engine, looks: Sequence[Look]) -> None:
    """A store that is in use or cannot be written is left for another time."""
    if not looks:
        return
    with suppress(StoreUnavailable), engine.store.writing(patient=False):
        for each in looks:
            engine.store.projects.note_commit(each.project, each.last_commit_at, engine.now())


def stale_projects(engine: Engine) -> Mapping[str, datetime]:
    """The keys of the projects without a commit for 90 days, and when each had its last."""
    return engine.store.projects.idle(staleness.stale_before(engine.now()))


def of_stale_projects(engine: Engine, ids: Sequence[str]) -> frozenset[str]:
    """Return which of these memories belong to such a project; hardly any store has one, which is asked first."""
    stale = stale_projects(engine)
    if not stale:
        return frozenset()
    return frozenset(each.id for each in engine.store.search.facets(ids) if each.project in stale)

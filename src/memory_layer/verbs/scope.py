"""Whose memories a call is about: from what a caller names to a project and a reach."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput, MemoryLayerError, NotFound
from memory_layer.model.query import Reach
from memory_layer.model.record import NamedTuple
from memory_layer.usecases.who.projects import (
    clean_name,
    keys_of,
    known_project,
    looks_like_path,
    named_project,
    path_named,
    project_from,
)
from memory_layer.usecases.who.staleness import look

if TYPE_CHECKING:
    from memory_layer.model.memory import Project
    from memory_layer.ports import Engine, Place

LONGEST_SHOWN = 80  #: characters of a name in the error about it


class Target(NamedTuple):
    """The project that a caller names; nothing means the one around the working directory."""

    project: str | None = None  #: a path, name, key or short id
    only_global: bool = False
    everything: bool = False


class Scope(NamedTuple):
    """The project a call is about, and how far it reaches."""

    reach: Reach
    project: Project | None = None
    place: Place | None = None  #: where the code base lies on this machine
    named: bool = False  #: somebody named the project, so paths are relative to its root

    @property
    def project_id(self) -> str | None:
        return self.project.id if self.project else None

    def inside(self, path: str, here: Path) -> str:
        """A path relative to the project's root, with forward slashes; one outside, or none at all, stays as it is."""
        if self.place is None or not path:
            return path.replace(os.sep, "/")
        root = os.path.realpath(self.place.root)
        base = root if self.named else here
        try:
            inside = os.path.relpath(os.path.realpath(os.path.join(base, path)), root)
        except ValueError:  # a NUL byte or broken Unicode, which the use case refuses in its own words
            return path
        outside = inside == ".." or inside.startswith(f"..{os.sep}")
        return (path if outside else inside).replace(os.sep, "/")


def at_home(engine: Engine, here: Path, served: Target | None = None) -> Engine:
    """Return the engine for callers that work around a folder, or in the project that a server was started for."""

    @cache
    def home() -> tuple[str, ...] | None:
        with suppress(MemoryLayerError):
            place = _around(engine, here) if served is None else _meant(engine, served, here).place
            return tuple(keys_of(place)) if place else None
        return None

    return engine._replace(home=home)


def reading(engine: Engine, target: Target, here: Path) -> Scope:
    """Where to look; a code base nobody stored anything for stays unknown."""
    scope = _meant(engine, target, here)
    if scope.project and scope.place:
        look(engine, scope.project, scope.place)
    return scope


def _meant(engine: Engine, target: Target, here: Path) -> Scope:
    if (target.project is not None) + target.only_global + target.everything > 1:
        raise InvalidInput("choose one: a project, only the global memories, or all projects")
    if target.project == "":
        raise InvalidInput("the name of the project is empty; name one, or leave it out")
    if target.everything:
        return Scope(reach=Reach.ALL, place=_around(engine, here))
    if target.only_global:
        return Scope(reach=Reach.GLOBAL, place=_around(engine, here))
    if name := target.project or engine.settings.project:
        return _named(engine, name, here)
    place = _around(engine, here)
    project = known_project(engine, place) if place else None
    return Scope(reach=Reach.PROJECT, project=project, place=place)


def writing(engine: Engine, target: Target, here: Path) -> Scope:
    """Where to store; a code base met for the first time becomes a project."""
    if target.everything:
        raise InvalidInput("a memory belongs to one project, or to all of them when it is global")
    scope = reading(engine, target, here)
    if scope.reach is Reach.GLOBAL or scope.place is None or (scope.named and scope.project):
        return scope
    project = project_from(scope.place, scope.project)
    return Scope(reach=Reach.PROJECT, project=project, place=scope.place, named=scope.named)


def _named(engine: Engine, name: str, here: Path) -> Scope:
    try:
        return _known_by(engine, name, here)
    except (OSError, ValueError):  # too long for a folder, or otherwise nothing a file system would look up
        raise NotFound(f"there is no project or folder {clean_name(name)[:LONGEST_SHOWN]!r}") from None


def _known_by(engine: Engine, name: str, here: Path) -> Scope:
    if not looks_like_path(name):
        project = named_project(engine, name)
        root = Path(project.root) if project.root and os.path.isdir(project.root) else None
        place = engine.surroundings.locate(root) if root else None
        return Scope(reach=Reach.PROJECT, project=project, place=place, named=True)
    folder = path_named(name, here)
    if not os.path.exists(folder):
        raise NotFound(f"there is no folder {clean_name(name)[:LONGEST_SHOWN]!r}")
    place = engine.surroundings.locate(folder)
    return Scope(reach=Reach.PROJECT, project=known_project(engine, place), place=place, named=True)


def _around(engine: Engine, here: Path) -> Place | None:
    """The code base around a folder; the home directory and the root of the file system are none."""
    place = engine.surroundings.locate(here)
    marker = engine.settings.project_file
    if place.common_dir is None and marker is not None:
        place = engine.surroundings.locate(marker.parent)
    too_wide = {os.path.realpath(os.path.expanduser("~")), os.path.realpath(os.sep)}
    return None if place.common_dir is None and os.path.realpath(place.root) in too_wide else place

"""Register the folders whose files servers may read and quote to agents."""

from __future__ import annotations

import os
from pathlib import Path

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.memory import Writer
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Engine
from memory_layer.rules.permissions import Action, check
from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.who.projects import printable, project_of


class Registration(NamedTuple):
    """A folder, and whether servers may read its files."""

    root: str
    project: str  #: its id
    registered: bool


def register(engine: Engine, folder: Path, writer: Writer) -> Registration:
    """Let servers keep excerpts of files in the repository of a folder."""
    check(writer, Action.REGISTER_FOLDER)
    if not folder.is_dir():
        raise NotFound(f"there is no folder {printable(folder)!r}")
    place = engine.surroundings.locate(folder)
    if place.common_dir is None:
        raise InvalidInput(
            f"{printable(folder)} is not in a git repository, and servers read only files that git does not ignore"
        )
    root, project = _root(place.root), project_of(engine, place)
    if not root.isprintable() or redact(root).kinds:
        raise InvalidInput("the path of this folder cannot be stored, so it cannot be registered")
    with engine.store.writing():
        engine.store.projects.save(project, engine.now())
        engine.store.projects.set_root(root, project.id, engine.now())
    return Registration(root, project.id, registered=True)


def unregister(engine: Engine, folder: Path, writer: Writer) -> Registration:
    """Withdraw a registration; existing excerpts stay."""
    check(writer, Action.UNREGISTER_FOLDER)
    known = engine.store.projects.roots()
    tries = (_root(engine.surroundings.locate(folder).root), _root(folder), str(folder))
    root = next((each for each in tries if each in known), None)
    if root is None:
        raise NotFound(f"{printable(folder)} is not registered; `mem projects` lists what is")
    with engine.store.writing():
        engine.store.projects.set_root(root, None, engine.now())
    return Registration(root, known[root], registered=False)


def registered(engine: Engine) -> dict[str, tuple[str, ...]]:
    """Return the registered folders by project id."""
    folders: dict[str, tuple[str, ...]] = {}
    for root, project in engine.store.projects.roots().items():
        folders[project] = (*folders.get(project, ()), root)
    return folders


def _root(folder: Path) -> str:
    return os.path.realpath(folder)

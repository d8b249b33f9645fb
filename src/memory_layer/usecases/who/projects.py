"""Determine the project a call is about."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from memory_layer.errors import InvalidInput, NotFound, StoreUnavailable
from memory_layer.model.memory import Citation, Project
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Engine, Store, Workspace
from memory_layer.rules import staleness
from memory_layer.text.secrets.redact import is_plain, redact
from memory_layer.usecases.govern.visibility import shown

LONGEST_NAME = 100  #: characters of a project that is only a name
LONGEST_SHOWN = 80  #: characters of a name in the error about it
NO_NAMES = ("global", "all")  #: callers mean the memories of every project by them
ALIKE = 0.8  #: share of equal letters from which a name is taken for a mistyped one


class Look(NamedTuple):
    """The state of a project when it was last looked at."""

    project: str  #: its id
    last_commit_at: datetime | None


def look(engine: Engine, project: Project, place: Workspace) -> None:
    """Record the last commit of a project, at most once a day, or once an hour while it is stale."""
    if seen := _look(engine, project, place):
        _remember(engine, [seen])


def look_around(engine: Engine, projects: Sequence[Project]) -> None:
    """Look at every project that is still where it was last seen."""
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


def _look(engine: Engine, project: Project, place: Workspace) -> Look | None:
    """Return the last commit as known now; None if it is too soon or there is nothing to look at."""
    if not _is_due(engine, project):
        return None
    if place.common_dir is None and project.last_commit_at is None:
        return None  # no repository, and nothing to correct
    seen = engine.surroundings.last_commit_at(place)
    return Look(project.id, staleness.latest(project.last_commit_at, seen, engine.now()))


def _remember(engine: Engine, looks: Sequence[Look]) -> None:
    """Record looks; skip it if the store is busy or read-only."""
    if not looks:
        return
    with suppress(StoreUnavailable), engine.store.writing(patient=False):
        for each in looks:
            engine.store.projects.note_commit(each.project, each.last_commit_at, engine.now())


def stale_projects(engine: Engine) -> Mapping[str, datetime]:
    """Map the keys of projects without a commit for 90 days to their last commit."""
    return engine.store.projects.idle(staleness.stale_before(engine.now()))


def of_stale_projects(engine: Engine, ids: Sequence[str]) -> frozenset[str]:
    """Return which of these memories belong to a stale project; hardly any store has one."""
    stale = stale_projects(engine)
    if not stale:
        return frozenset()
    return frozenset(each.id for each in engine.store.search.facets(ids) if each.project in stale)


def known_project(engine: Engine, place: Workspace) -> Project | None:
    """Return the project of a place, if anything was ever stored for it."""
    for key in keys_of(place):
        project = engine.store.projects.get(key)
        if project is not None:
            return project
    return None


def keys_of(place: Workspace) -> Iterator[str]:
    """Return the keys a place may be known by, as stored."""
    return map(clean_name, (place.key, *place.aliases))


@lru_cache(maxsize=256)
def clean_name(name: str) -> str:
    """Redact a name; cached, because a process sees the same few again and again."""
    if name.startswith("/") and is_plain(name.replace("/", " ")):  # a folder's name has no slash
        return name
    return redact(name).text


def project_of(engine: Engine, place: Workspace) -> Project:
    """Return the project of a place; it is stored with its first memory."""
    return project_from(place, known_project(engine, place))


def project_from(place: Workspace, known: Project | None) -> Project:
    """Return a project as its place shows it now, based on the known one if there is one."""
    place = _without_secrets(place)
    return _new_project(place) if known is None else _improved(known, place)


def know_project(store: Store, project: Project | None, at: datetime) -> None:
    """Save a new or changed project inside the caller's transaction."""
    if project is not None and not project.is_stored:
        store.projects.save(project, at)


def named_project(engine: Engine, name: str) -> Project | None:
    """Return the stored project that a user names by key, id or short name; None if there is none."""
    project = engine.store.projects.get(name)
    if project is not None:
        return project
    same_name = engine.store.projects.all(name)
    if len(same_name) > 1:
        keys = ", ".join(project.key for project in same_name)
        raise InvalidInput(f"{name!r} matches several projects: {keys}; name one of these")
    return same_name[0] if same_name else None


def project_called(name: str) -> Project:
    """Return a new project that is only a name, with no folder; its first memory stores it."""
    if name.casefold() in NO_NAMES:
        raise InvalidInput(
            f"{name!r} cannot name a project; for memories of every project ask for global ones"
        )
    key = clean_name(name)
    if not key.strip():
        raise InvalidInput("the project's name is empty")
    if len(name) > LONGEST_NAME or not name.isprintable() or any(mark in name for mark in "/\\"):
        raise NotFound(
            f"there is no project or folder {key[:LONGEST_SHOWN]!r}; `mem projects` lists projects"
        )
    return Project(id=_id_of(key), key=key, name=key)


def likely_meant(engine: Engine, name: str) -> str | None:
    """Return the known project whose name a mistyped one was probably meant to be."""
    from difflib import get_close_matches  # only unknown names need it

    known = {project.name.casefold(): project.name for project in engine.store.projects.all()}
    near = get_close_matches(name.casefold(), known, 1, ALIKE)
    return known[near[0]] if near else None


def all_projects(
    engine: Engine, limit: int | None = None, after: str | None = None
) -> list[tuple[Project, int]]:
    """Return projects by name, each with its number of live memories and its last commit as of today.

    `after` is the id of the last project of the previous page.
    """
    if limit is not None and limit < 1:
        raise InvalidInput(f"the limit must be at least 1, not {limit}")
    ids = [project.id for project in engine.store.projects.all()]
    if after is not None and after not in ids:
        raise InvalidInput(f"{after[:60]!r} is not a cursor of this list")
    start = 0 if after is None else ids.index(after) + 1
    wanted = {*ids[start:]} if limit is None else {*ids[start : start + limit]}
    look_around(engine, [project for project in engine.store.projects.all() if project.id in wanted])
    from memory_layer.usecases.look_up.browse import live_by_project

    live = live_by_project(engine)
    return shown(
        engine, [(each, live[each.key]) for each in engine.store.projects.all() if each.id in wanted]
    )


def looks_like_path(name: str) -> bool:
    """Does a user mean a folder rather than a name or key?"""
    return name in (".", "..") or name.startswith(("/", "./", "../", "~")) or os.path.isdir(name)


def path_named(path: str | Path, here: Path) -> Path:
    """Expand a path; only the user's own `~`, since other names would reveal who has an account."""
    name = str(path)
    own = name == "~" or name.startswith(("~/", f"~{os.sep}"))
    return here / (os.path.expanduser(name) if own else name)


def _without_secrets(place: Workspace) -> Workspace:
    """Redact a place: addresses and folders may contain tokens, and identify a project without them just as well."""
    return place._replace(
        key=clean_name(place.key),
        aliases=tuple(map(clean_name, place.aliases)),
        name=clean_name(place.name),
        root=Path(clean_name(printable(place.root))),
    )


def printable(path: Path) -> str:
    """Return a path as text, whatever its bytes."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def _new_project(place: Workspace) -> Project:
    return Project(
        id=_id_of(place.key),
        key=place.key,
        name=place.name,
        root=str(place.root),
        aliases=place.aliases,
    )


def _id_of(key: str) -> str:
    """Derive the id of a project from its first key, so that two machines that meet it agree."""
    from base64 import b32encode  # only writes need them, and a search should not wait for them
    from hashlib import sha256

    return b32encode(sha256(key.encode()).digest()).decode().lower()[:10]


def _improved(project: Project, place: Workspace) -> Project:
    known = {project.key, *project.aliases}
    fresh = tuple(sorted({place.key, *place.aliases} - known))
    root = _root(project, place)
    if not fresh and project.root == root:
        return project
    return project._replace(
        key=place.key,
        name=place.name,
        root=root,
        aliases=tuple(sorted((known | set(fresh)) - {place.key})),
        is_stored=False,
    )


def _root(project: Project, place: Workspace) -> str:
    """Return the folder of a project; a linked worktree, which is temporary, never replaces an existing one."""
    linked = str(place.root) not in (place.key, *place.aliases)
    if linked and place.common_dir and project.root and os.path.isdir(project.root):
        return project.root
    return str(place.root)


def citations(engine: Engine, place: Workspace | None, references: Sequence[str]) -> tuple[Citation, ...]:
    """Resolve `path[:line[-line]]` inside the project, or addresses, to citations."""
    if not references:
        return ()
    from memory_layer.usecases.upkeep.citations import cited  # few commands cite anything

    try:
        around = place or engine.surroundings.locate(Path.cwd())
        return tuple(cited(engine, reference, around) for reference in references)
    except FileNotFoundError:
        raise InvalidInput("the working directory no longer exists, so nothing in it can be cited") from None

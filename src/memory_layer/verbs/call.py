"""The caller and the project of each call of a verb, and the dispatcher that runs it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar

from memory_layer.errors import InvalidInput, MemoryLayerError, NotFound
from memory_layer.model.context import Way
from memory_layer.model.query import Reach
from memory_layer.model.record import NamedTuple, cached_property
from memory_layer.usecases.who.projects import (
    clean_name,
    keys_of,
    known_project,
    likely_meant,
    look,
    looks_like_path,
    named_project,
    path_named,
    project_called,
    project_from,
)
from memory_layer.verbs.request import NO_NAMES, coerced, shown

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.agents import Terminal
    from memory_layer.model.memory import Project, Writer
    from memory_layer.model.passkeys import Means
    from memory_layer.ports import Engine, Workspace

LONGEST_SHOWN = 80  #: characters of a name in the error about it


Request = TypeVar("Request")
Answer = TypeVar("Answer")


class Target(NamedTuple):
    """The project that a caller names; none means the one around the working directory."""

    project: str | None = None  #: a path, name, key or short id
    only_global: bool = False
    everything: bool = False


class Scope(NamedTuple):
    """The project a call is about, and how far it reaches."""

    reach: Reach
    project: Project | None = None
    place: Workspace | None = None  #: the code base on this machine
    named: bool = False  #: the caller named the project, so paths are relative to its root

    @property
    def project_id(self) -> str | None:
        return self.project.id if self.project else None

    @property
    def unknown_name(self) -> str | None:
        """Return the name of a project that is only a name, and that nothing was stored for yet."""
        is_new = self.project is not None and not self.project.is_stored and self.place is None
        return self.project.name if self.project and is_new else None

    def inside(self, path: str, here: Path) -> str:
        """Return a path relative to the project's root, with forward slashes; one outside stays as it is."""
        if self.place is None or not path:
            return path.replace(os.sep, "/")
        root = os.path.realpath(self.place.root)
        base = root if self.named else here
        try:
            inside = os.path.relpath(os.path.realpath(os.path.join(base, path)), root)
        except ValueError:  # a NUL byte or broken Unicode, which the use case refuses with its own message
            return path
        outside = inside == ".." or inside.startswith(f"..{os.sep}")
        return (path if outside else inside).replace(os.sep, "/")


def at_home(engine: Engine, here: Path, served: Target | None = None) -> Engine:
    """Return the engine for callers that work around a folder, or in the project a server was started for."""

    @cache
    def home() -> tuple[str, ...] | None:
        with suppress(MemoryLayerError):
            place = (
                _workspace_around(engine, here) if served is None else _scope_of(engine, served, here).place
            )
            return tuple(keys_of(place)) if place else None
        return None

    return engine._replace(home=home)


def reading(engine: Engine, target: Target, here: Path) -> Scope:
    """Resolve the scope of a read; an unknown code base stays unknown."""
    scope = _scope_of(engine, target, here)
    if scope.project and scope.place:
        look(engine, scope.project, scope.place)
    return scope


def _scope_of(engine: Engine, target: Target, here: Path) -> Scope:
    if (target.project is not None) + target.only_global + target.everything > 1:
        raise InvalidInput("choose one: a project, only global memories, or all projects")
    if target.project is not None and not target.project.strip():
        raise InvalidInput("the project's name is empty; name a project, or leave it out")
    if target.everything:
        return Scope(reach=Reach.ALL, place=_workspace_around(engine, here))
    if target.only_global:
        return Scope(reach=Reach.GLOBAL, place=_workspace_around(engine, here))
    if name := target.project or engine.settings.project:
        return _scope_named(engine, name, here)
    place = _workspace_around(engine, here)
    project = known_project(engine, place) if place else None
    return Scope(reach=Reach.PROJECT, project=project, place=place)


def writing(engine: Engine, target: Target, here: Path) -> Scope:
    """Resolve the scope of a write; a code base met for the first time becomes a project."""
    if target.everything:
        raise InvalidInput("a memory belongs to one project, or to all of them when it is global")
    scope = reading(engine, target, here)
    if scope.reach is Reach.GLOBAL or scope.place is None or (scope.named and scope.project):
        return scope
    project = project_from(scope.place, scope.project)
    return Scope(reach=Reach.PROJECT, project=project, place=scope.place, named=scope.named)


def _scope_named(engine: Engine, name: str, here: Path) -> Scope:
    try:
        if looks_like_path(name):
            return _scope_at(engine, name, here)
        project, place = _project_named(engine, name, here)
        return Scope(reach=Reach.PROJECT, project=project, place=place, named=True)
    except (OSError, ValueError):  # too long, or otherwise nothing a file system could look up
        raise NotFound(f"there is no project or folder {clean_name(name)[:LONGEST_SHOWN]!r}") from None


def _scope_at(engine: Engine, name: str, here: Path) -> Scope:
    folder = path_named(name, here)
    if not os.path.exists(folder):
        raise NotFound(f"there is no folder {clean_name(name)[:LONGEST_SHOWN]!r}")
    place = engine.surroundings.locate(folder)
    return Scope(reach=Reach.PROJECT, project=known_project(engine, place), place=place, named=True)


def _project_named(engine: Engine, name: str, here: Path) -> tuple[Project | None, Workspace | None]:
    """Return the project of this key, id or name and its folder; a name that nothing has is a project of its own."""
    if stored := engine.store.projects.get(name):
        return stored, _folder_of(engine, stored)
    around = _workspace_around(engine, here)
    if around is not None and around.name == name:
        return known_project(engine, around), around
    project = named_project(engine, name) or project_called(name.strip())
    return project, _folder_of(engine, project)


def _folder_of(engine: Engine, project: Project) -> Workspace | None:
    root = Path(project.root) if project.root and os.path.isdir(project.root) else None
    return engine.surroundings.locate(root) if root else None


def _workspace_around(engine: Engine, here: Path) -> Workspace | None:
    """Return the code base around a folder; None for the home directory and the file system's root."""
    place = engine.surroundings.locate(here)
    marker = engine.settings.project_file
    if place.common_dir is None and marker is not None:
        place = engine.surroundings.locate(marker.parent)
    too_wide = {os.path.realpath(os.path.expanduser("~")), os.path.realpath(os.sep)}
    return None if place.common_dir is None and os.path.realpath(place.root) in too_wide else place


def _remark_on(engine: Engine, name: str, stores: bool) -> str | None:
    """Write the remark about a project's name that is used for the first time; a write needs one only for a typo."""
    meant = likely_meant(engine, name)
    if stores:
        return f"{name!r} is a new project; did you mean {meant!r}?" if meant else None
    return f"nothing is stored for a project {name!r}" + (f"; did you mean {meant!r}?" if meant else "")


def _no_terminal() -> None:
    return None


def _unconfirmed(now: datetime) -> bool:
    return False


def _unheard(remark: str) -> None:
    return None


class Caller(NamedTuple):
    """The user of a door, as far as the door knows."""

    door: str  #: cli, python, mcp, rest, hook
    here: Path  #: the folder that relative paths and the project start from
    name: str | None = None  #: of the writer; can only reduce its rights
    session: str | None = None
    home: Target | None = None  #: the project that a server was started for
    way: Way = Way.SHELL  #: how the caller can ask for more
    terminal: Callable[[], Terminal | None] = _no_terminal  #: looked up only where the writer matters
    confirmed: Callable[[datetime], bool] = _unconfirmed  #: whether a code was typed at the terminal
    means: Means | None = None  #: how the door recognised a person who is at no terminal
    only_read: bool = False  #: whether nothing may be written, not even what was recalled
    remark: Callable[[str], None] = (
        _unheard  #: shown with the answer, such as a project's name that may be a typo
    )


class Call:
    """One call of a verb, whose parts are computed at first use, and once."""

    def __init__(
        self,
        engine: Engine,
        caller: Caller,
        target: Target,
        *,
        stores: bool = False,
        own_target: bool = False,
        progress: Callable[..., None] | None = None,
        begin: Callable[[str, int], Callable[[int], None] | None] | None = None,
        measure: Callable[[Any], str] | None = None,
        out: BinaryIO | None = None,
    ) -> None:
        self.engine = engine
        self.caller = caller
        self.target = target
        self.own_target = own_target  #: whether the project was named for this call alone
        self.progress = progress  #: called with the progress of long work
        self.begin = (
            begin  #: called with the label and total of long work; returns the callback for its steps
        )
        self.measure = measure  #: writes the answer, to measure it against a budget
        self.out = out  #: stream for an answer that does not fit into memory
        self.remarks: list[str] = []  #: for the caller, once the call has succeeded
        self._stores = stores

    @cached_property
    def scope(self) -> Scope:
        """Resolve the project; a new code base becomes one if something is to be stored."""
        find = writing if self._stores else reading
        scope = find(self.engine, self.target, self.caller.here)
        if (name := scope.unknown_name) and (remark := _remark_on(self.engine, name, self._stores)):
            self.remarks.append(remark)
        return scope

    def in_project(self, name: str | None) -> Call:
        """Return this call in the project that a memory's metadata names, unless the caller named one itself."""
        is_named = self.target != AROUND or self.engine.settings.project is not None
        if is_named or not name or not name.strip() or looks_like_path(name):
            return self
        there = Call.__new__(Call)
        own = {field: value for field, value in vars(self).items() if field not in ("scope", "writer")}
        vars(there).update(own, target=Target(name))
        try:
            there.scope  # noqa: B018 - resolved here, because labels are free and may name anything
        except (NotFound, InvalidInput) as error:
            self.remarks.append(f"stored in the project here: {error}")
            return self
        return there

    @cached_property
    def writer(self) -> Writer:
        """Identify the writer in the project of this call."""
        from memory_layer.usecases.who.identify import identify

        caller, engine = self.caller, self.engine
        return identify(
            engine.settings,
            engine.now(),
            door=caller.door,
            project=self.scope.project,
            as_name=caller.name,
            session=caller.session,
            terminal=caller.terminal(),
            confirmed=caller.confirmed(engine.now()),
            means=caller.means,
        )

    @property
    def only_reads(self) -> bool:
        """Should nothing be recorded about a read? A read does not create the store either."""
        return self.caller.only_read or not self.engine.store.size()

    def stage(self, label: str, total: Callable[[], int]) -> Callable[[int], None] | None:
        """Return the callback for finished steps; they are counted only for a caller who wants the total."""
        return self.progress if self.begin is None else self.begin(label, total())

    def limits(self, limit: int | None, budget: int | None) -> tuple[int | None, int]:
        """Return how many memories may be given, and in how many tokens: as asked for, or else as configured."""
        settings = self.engine.settings
        return (
            settings.run_limit if limit is None else limit,
            settings.context_budget if budget is None else budget,
        )

    def relative(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return paths relative to the project."""
        return tuple(self.scope.inside(path, self.caller.here) for path in paths)


def opened_for(engine: Engine, caller: Caller) -> Engine:
    """Return the engine for a caller: what agents learn counts at home, and only a person reads all."""
    reader = caller._replace(name=None)  # another name does not change what the caller may read

    def is_read_by_person() -> bool:
        may_be_person = caller.means is not None or caller.terminal() is not None
        return may_be_person and Call(engine, reader, Target(everything=True)).writer.is_person

    return at_home(engine, caller.here, caller.home)._replace(is_read_by_person=is_read_by_person)


AROUND = Target()  #: the project around the caller's folder


class Verb(Generic[Request, Answer]):
    """An operation: its name, its request, and the function that does it."""

    def __init__(
        self,
        name: str,
        request: type[Request],
        do: Callable[[Call, Request], Answer],
        *,
        stores: bool = False,
    ) -> None:
        self.name = name
        self.request = request
        self.do = do
        self.stores = stores  #: whether a code base met for the first time becomes a project


class Dispatcher:
    """A runner of verbs on one open engine, for one caller."""

    def __init__(self, engine: Engine, caller: Caller, target: Target = AROUND) -> None:
        self.engine = opened_for(engine, caller)
        self.caller = caller
        self.target = target

    def run(
        self,
        verb: Verb[Request, Answer],
        values: dict[str, Any],
        *,
        target: Target | None = None,
        progress: Callable[..., None] | None = None,
        begin: Callable[[str, int], Callable[[int], None] | None] | None = None,
        measure: Callable[[Any], str] | None = None,
        out: BinaryIO | None = None,
        names: Mapping[str, str] = NO_NAMES,
    ) -> Answer:
        """Coerce the values to the verb's request and run it, in the named project or the caller's.

        `names` maps fields to the door's own names for them, for errors.
        """
        for name, callback in (("progress", progress), ("shown", measure)):
            if callback is not None and not callable(callback):
                raise InvalidInput(f"{name} must be a function, not {shown(callback)}")
        now = self.engine.now()
        request = coerced(verb.request, values, now, names=names)
        if target is not None:
            target = coerced(Target, target._asdict(), now)
        call = self.call(target, stores=verb.stores, progress=progress, begin=begin, measure=measure, out=out)
        answer = verb.do(call, request)
        for remark in call.remarks:
            self.caller.remark(remark)
        return answer

    def call(self, target: Target | None = None, **options: Any) -> Call:
        """Return a call in the named project or the caller's."""
        resolved = self.target if target is None else target
        return Call(self.engine, self.caller, resolved, own_target=target is not None, **options)

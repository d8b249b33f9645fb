"""The part of the Python door that keeps the store tidy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path

from memory_layer.doors import python_given as given
from memory_layer.doors import scope
from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.memory import Project, Writer
from memory_layer.model.sources import Verified
from memory_layer.model.upkeep import Consolidated
from memory_layer.ports import Engine
from memory_layer.usecases import consolidate, verify


class Tidying(ABC):
    """What an open memory can do to stay small and true."""

    _engine: Engine
    _here: Path

    def consolidate(
        self,
        *,
        dry_run: bool = False,
        if_due: bool = False,
        project: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Consolidated | None:
        """Archive what is over, merge what says the same, raise and suggest what recurs, in all projects or in one.

        With `dry_run` nothing is changed. With `if_due` it runs at most weekly, and otherwise returns None. `progress`
        is told of each part that is finished.
        """
        named = self._named(given.text(project, "project")) if project is not None else None
        return consolidate.consolidate(
            self._engine,
            self._writer(named),
            named,
            dry_run=given.yes_or_no(dry_run, "dry_run"),
            if_due=given.yes_or_no(if_due, "if_due"),
            progress=progress,
        )

    def verify(
        self,
        memory_ids: Iterable[str] = (),
        *,
        project: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> Verified:
        """Check what memories cite: the named ones, a project's, or those of every project; by default of this one.

        Citations of lines that moved follow them; memories whose source changed or is missing wait in the review.
        With `dry_run` nothing is changed.
        """
        ids = given.texts(memory_ids, "memory_ids")
        if bool(ids) + (project is not None) + given.yes_or_no(everything, "everything") > 1:
            raise InvalidInput("choose one: memories by their ids, a project, or everything")
        around = self._around()
        named = around.project if project is None else self._named(given.text(project, "project"))
        if named is None and not ids and not everything:
            raise NotFound(
                "nothing was ever stored for the project here; everything=True checks every project"
            )
        return verify.verify(
            self._engine,
            self._writer(around.project),
            ids=ids,
            project=None if ids or everything else named,
            place=around.place,
            dry_run=given.yes_or_no(dry_run, "dry_run"),
        )

    @abstractmethod
    def _around(self) -> scope.Scope: ...

    def _named(self, name: str) -> Project:
        found = scope.reading(self._engine, scope.Asked(project=name), self._here).project
        if found is None:
            raise NotFound(f"nothing was ever stored for the project {name[: scope.LONGEST_SHOWN]!r}")
        return found

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...

"""The part of the Python door that keeps named steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from memory_layer.doors import python_given as given
from memory_layer.doors import scope
from memory_layer.model.memory import Project, Writer
from memory_layer.model.outcome import Judged
from memory_layer.model.procedures import Procedure, Procedures, Recipe, Saved
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Outcome
from memory_layer.ports import Engine
from memory_layer.usecases import procedures


class Proceeding(ABC):
    """How an open memory keeps procedures."""

    _engine: Engine
    _asked: scope.Asked
    _here: Path

    def save_procedure(
        self,
        name: str,
        steps: Iterable[str],
        *,
        when: str | None = None,
        scope_patterns: Iterable[str] = (),
        tags: Iterable[str] = (),
    ) -> Saved:
        """Keep steps under a name that is unique in the project; saving it again makes a new version.

        What is not given stays; an empty `when` takes it away.
        """
        recipe = Recipe(
            given.text(name, "name"),
            given.texts(steps, "steps"),
            given.optional(given.text, when, "when"),
            given.texts(scope_patterns, "scope_patterns"),
            given.texts(tags, "tags"),
        )
        around = scope.writing(self._engine, self._asked, self._here)
        return procedures.save(self._engine, recipe, self._writer(around.project), around.project)

    def procedure(self, name: str) -> Procedure:
        """The procedure of that name: the project's own, else one that applies everywhere."""
        around = scope.reading(self._engine, self._asked, self._here)
        return procedures.procedure(self._engine, given.text(name, "name"), around.project)

    def procedures(self, *, limit: int = 100, after: str | None = None) -> Procedures:
        """The procedures of the project and the global ones, proven ones first; `after` is the `next` before."""
        around = scope.reading(self._engine, self._asked, self._here)
        filters = Filters(reach=around.reach, project=around.project_id)
        place = given.optional(given.text, after, "after")
        return procedures.procedures(self._engine, filters, given.whole(limit, "limit"), place)

    def procedure_done(self, name: str, result: str, *, evidence: str | None = None) -> Judged:
        """Say whether the steps worked, failed or helped in part."""
        around = scope.reading(self._engine, self._asked, self._here)
        return procedures.done(
            self._engine,
            given.text(name, "name"),
            given.word(Outcome, result, "result"),
            self._writer(around.project),
            around.project,
            given.optional(given.text, evidence, "evidence"),
        )

    def archive_procedure(self, name: str) -> Procedure:
        """Take a procedure out of sight, which frees its name."""
        around = scope.reading(self._engine, self._asked, self._here)
        writer = self._writer(around.project)
        return procedures.put_away(self._engine, given.text(name, "name"), writer, around.project)

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...

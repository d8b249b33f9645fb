"""The part of the Python door that gives memories to tasks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from memory_layer.doors import python_given as given
from memory_layer.doors import scope
from memory_layer.model.context import BUDGET
from memory_layer.model.memory import Project, Writer
from memory_layer.model.runs import MOST_GIVEN, Finish, Finished, Run, RunResult, Task
from memory_layer.ports import Engine
from memory_layer.usecases import run


class Running(ABC):
    """What an open memory can do for a task from its beginning to its end."""

    _engine: Engine
    _asked: scope.Asked
    _here: Path

    def start_run(
        self,
        task: str,
        *,
        write_scope: Iterable[str] = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        limit: int = MOST_GIVEN,
        budget: int = BUDGET,
    ) -> Run:
        """Begin a run and give it memories: the same memories always give the same list.

        Those that fit the write scope come first, then the highest confidence times relevance. The task's words
        are not searched for.
        """
        asked = Task(
            given.text(task, "task"),
            given.texts(write_scope, "write_scope"),
            given.texts(include, "include"),
            given.texts(exclude, "exclude"),
            given.whole(limit, "limit"),
            given.whole(budget, "budget"),
        )
        around = scope.writing(self._engine, self._asked, self._here)
        return run.start(self._engine, asked, self._writer(around.project), around.project)

    def finish_run(
        self, run_id: str, result: str, *, used: Iterable[str] = (), notes: Iterable[str] = ()
    ) -> Finished:
        """Say that a run ended in `success` or `failure`, by which memories, and what it taught."""
        end = Finish(
            given.word(RunResult, result, "result"), given.texts(used, "used"), given.texts(notes, "notes")
        )
        return run.finish(self._engine, given.text(run_id, "run_id"), end, self._writer())

    def run(self, run_id: str) -> Run:
        """One run with what it was given; never counts as use."""
        return run.run(self._engine, given.text(run_id, "run_id"))

    def runs(self, *, limit: int = 20) -> list[Run]:
        """The last runs of all projects, newest first; `run` has what one was given."""
        return run.runs(self._engine, None, given.whole(limit, "limit"))

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...

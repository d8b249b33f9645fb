"""The part of the Python door that gives memories unasked: contexts, prompts and warnings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from memory_layer.doors import python_given as given
from memory_layer.doors import scope
from memory_layer.model.context import BUDGET, MOST_CHARACTERS, Context, Format, Reproduced, Wanted, Way
from memory_layer.model.memory import Project, Writer
from memory_layer.model.prompt import Composing, Parts, Prompt
from memory_layer.model.runs import MOST_GIVEN, Task
from memory_layer.model.warning import Action, Warned
from memory_layer.ports import Engine
from memory_layer.usecases import compose, context, retold, warn
from memory_layer.usecases.layering import Around


class Giving(ABC):
    """What an open memory can say before it is asked."""

    _engine: Engine
    _asked: scope.Asked
    _here: Path
    _way: Way

    def context(
        self,
        *,
        task: str | None = None,
        query: str | None = None,
        paths: Iterable[str] = (),
        budget: int = BUDGET,
        max_characters: int = MOST_CHARACTERS,
        format: str = "markdown",  # noqa: A002 - the same word as at every door
        start: bool = False,
        peek: bool = False,
    ) -> Context:
        """What an agent should know before it begins, as a text that keeps to its budget.

        First what always applies, then what is present enough and fits the task, then procedures; with `start` the
        last handoff before all of it. What comes back is recorded unless you only peek.
        """
        around = scope.reading(self._engine, self._asked, self._here)
        wanted = Wanted(
            task=given.optional(given.text, task, "task"),
            query=given.optional(given.text, query, "query"),
            paths=tuple(around.inside(path, self._here) for path in given.texts(paths, "paths")),
            budget=given.whole(budget, "budget"),
            characters=given.whole(max_characters, "max_characters"),
            format=given.word(Format, format, "format"),
            start=given.yes_or_no(start, "start"),
            peek=given.yes_or_no(peek, "peek"),
            way=self._way,
        )
        writer = self._writer(around.project)
        return context.context(
            self._engine, wanted, writer, Around(around.reach, around.project, around.place)
        )

    def compose(
        self,
        task: str,
        *,
        role: str = "",
        workspace: str = "",
        read_first: Iterable[str] = (),
        constraints: Iterable[str] = (),
        retry_digest: str = "",
        output_format: str = "",
        write_scope: Iterable[str] = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        memories: Iterable[str] = (),
        limit: int = MOST_GIVEN,
        budget: int = BUDGET,
        peek: bool = False,
    ) -> Prompt:
        """A whole prompt of these parts and the memories that a run would be given, or exactly `memories`.

        The same parts and memories make the same prompt, byte for byte.
        """
        around = scope.reading(self._engine, self._asked, self._here)
        parts = Parts(
            role=given.text(role, "role"),
            task=given.text(task, "task"),
            workspace=given.text(workspace, "workspace"),
            read_first=given.texts(read_first, "read_first"),
            constraints=given.texts(constraints, "constraints"),
            digest=given.text(retry_digest, "retry_digest"),
            output_format=given.text(output_format, "output_format"),
        )
        asked = Task(
            parts.task,
            given.texts(write_scope, "write_scope"),
            given.texts(include, "include"),
            given.texts(exclude, "exclude"),
            given.whole(limit, "limit"),
            given.whole(budget, "budget"),
        )
        wanted = Composing(parts, asked, given.texts(memories, "memories"), given.yes_or_no(peek, "peek"))
        return compose.compose(self._engine, wanted, self._writer(around.project), around.project)

    def warn(
        self,
        *,
        command: str | None = None,
        path: str | None = None,
        error: str | None = None,
        repeat: bool = False,
    ) -> Warned:
        """At most two lines about what is known to go wrong with a command, a file or an error, or none.

        What this session was told within half an hour is not said again unless `repeat` asks for it.
        """
        around = scope.reading(self._engine, self._asked, self._here)
        file = given.optional(given.text, path, "path")
        action = Action(
            given.optional(given.text, command, "command"),
            around.inside(file, self._here) if file else file,
            given.optional(given.text, error, "error"),
        )
        where = Around(around.reach, around.project, around.place)
        return warn.warn(
            self._engine,
            action,
            self._writer(around.project),
            where,
            repeat=given.yes_or_no(repeat, "repeat"),
        )

    def text_given(self, recall_id: str) -> Reproduced:
        """The text of an earlier context or prompt, made again; never counts as use."""
        return retold.text_given(self._engine, given.text(recall_id, "recall_id"))

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...

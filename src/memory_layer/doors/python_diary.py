"""The part of the Python door that keeps a diary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from memory_layer.doors import python_given as given
from memory_layer.doors import scope
from memory_layer.model.episodes import (
    EpisodeKind,
    EpisodeOutcome,
    Event,
    Handoff,
    Parts,
    Recorded,
    Timeline,
)
from memory_layer.model.memory import Project, Writer
from memory_layer.model.query import Filters
from memory_layer.ports import Engine
from memory_layer.ports.log import Span
from memory_layer.usecases import episodes, handoff


class Diary(ABC):
    """How an open memory is told what happened, and tells it again."""

    _engine: Engine
    _asked: scope.Asked
    _here: Path

    def episode(
        self,
        text: str,
        *,
        kind: str = "observation",
        outcome: str | None = None,
        tags: Iterable[str] = (),
        at: datetime | None = None,
    ) -> Recorded:
        """Record an event at the end of the session; the same text twice is two events."""
        event = Event(
            given.text(text, "text"),
            given.word(EpisodeKind, kind, "kind"),
            None if outcome is None else given.word(EpisodeOutcome, outcome, "outcome"),
            given.texts(tags, "tags"),
            given.optional(given.moment, at, "at"),
        )
        around = scope.writing(self._engine, self._asked, self._here)
        return episodes.record(self._engine, event, self._writer(around.project), around.project)

    def timeline(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        session: str | None = None,
        kinds: Iterable[str] = (),
        limit: int = 20,
        after: str | None = None,
    ) -> Timeline:
        """The last events, newest last; `after` is the `next` of a timeline, and leads to what happened before it."""
        between = Filters(
            after=given.optional(given.moment, since, "since"),
            before=given.optional(given.moment, until, "until"),
        )
        around = scope.reading(self._engine, self._asked, self._here)
        span = Span(
            between._replace(reach=around.reach, project=around.project_id),
            given.optional(given.text, session, "session"),
            tuple(given.word(EpisodeKind, kind, "kinds") for kind in given.texts(kinds, "kinds")),
        )
        return episodes.timeline(
            self._engine, span, given.whole(limit, "limit"), given.optional(given.text, after, "after")
        )

    def handoff(
        self,
        text: str = "",
        *,
        done: Iterable[str] = (),
        next_steps: Iterable[str] = (),
        questions: Iterable[str] = (),
        files: Iterable[str] = (),
    ) -> Recorded:
        """Close the session with what the next one should know."""
        parts = Parts(
            given.text(text, "text"),
            given.texts(done, "done"),
            given.texts(next_steps, "next_steps"),
            given.texts(questions, "questions"),
            given.texts(files, "files"),
        )
        around = scope.writing(self._engine, self._asked, self._here)
        return handoff.hand_off(self._engine, parts, self._writer(around.project), around.project)[0]

    def last_handoff(self) -> Handoff | None:
        """What the last session of the project left; None if none has."""
        around = scope.reading(self._engine, self._asked, self._here)
        unknown = around.project is None and around.place is not None and not self._asked.only_global
        return None if unknown else handoff.last_handoff(self._engine, around.project)

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...

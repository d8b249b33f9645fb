"""The part of the Python door that looks at what waits for a decision, and decides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from memory_layer.doors.python_changes import EVERYTHING_ACTIVE
from memory_layer.doors.python_given import text as checked_text
from memory_layer.doors.python_given import texts, word
from memory_layer.doors.scope import Scope
from memory_layer.model.changes import Edited
from memory_layer.model.memory import Project, Writer
from memory_layer.model.query import Filters
from memory_layer.model.review import Choice, Decided, Decision, Matter, Queue, Waiting
from memory_layer.model.vocabulary import MergeText
from memory_layer.ports import Engine
from memory_layer.usecases.decide import decide
from memory_layer.usecases.propose import propose
from memory_layer.usecases.review import review, rights


class Reviewing(ABC):
    """What an open memory can do about the things that wait for a person."""

    _engine: Engine

    def review(self, *, kinds: Iterable[str] = (), limit: int = 20, after: str | None = None) -> Queue:
        """What waits for a person; `after` is the `next` of the stretch before.

        The kinds are `held`, `proposed`, `question`, `conflict`, `similar`, `drifted`, `failing`, `doubtful` and
        `expired`.
        """
        wanted = tuple(word(Matter, kind, "each of kinds") for kind in texts(kinds, "kinds"))
        return review(self._engine, self._reaching(EVERYTHING_ACTIVE), wanted, limit, after)

    def rights(self, item: Waiting) -> tuple[Decision, ...]:
        """What of all that can be decided about something you may decide; the rest needs a person."""
        return rights(item, self._writer())

    def propose(self, memory_id: str) -> Edited:
        """Put an active memory up for a person's approval, by the tag `proposed`; it goes on counting meanwhile."""
        return propose(
            self._engine, checked_text(memory_id, "memory_id"), self._writer(self._around().project)
        )

    def decide(
        self,
        memory_id: str,
        decision: str,
        other: str | None = None,
        *,
        text: str = "fuller",
        content: str | None = None,
        seen: Waiting | None = None,
    ) -> Decided:
        """Decide about something that waits; with `seen` only if it is still what was looked at.

        A program counts as an agent: it may answer a question by `merge`, `keep` or `drop`, and `archive` what
        no person guards. `text` says which text a merge shows. Of a pair, `memory_id` is the one to archive.
        """
        choice = Choice(
            memory=memory_id,
            decision=word(Decision, decision, "decision"),
            other=other,
            text=word(MergeText, text, "text"),
            content=content,
            seen=seen,
        )
        return decide(self._engine, choice, self._writer(), self._around().place)

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...

    @abstractmethod
    def _around(self) -> Scope: ...

    @abstractmethod
    def _reaching(self, filters: Filters) -> Filters: ...

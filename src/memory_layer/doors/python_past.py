"""The part of the Python door that looks back and takes back."""

from __future__ import annotations

from abc import ABC, abstractmethod

from memory_layer.doors import python_given as given
from memory_layer.doors.scope import Scope
from memory_layer.model.history import History, Operation, Undone, Verdict
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.recalls import Recall
from memory_layer.ports import Engine
from memory_layer.usecases import audit, history, recalls, undo


class LookingBack(ABC):
    """What an open memory can tell of its past, and undo."""

    _engine: Engine

    def history(self, memory_id: str, *, limit: int | None = None, after: str | None = None) -> History:
        """Every version of a memory, newest first, each with what it changed; or `limit` of them behind `after`."""
        most = given.optional(given.whole, limit, "limit")
        place = given.optional(given.text, after, "after")
        return history.history(self._engine, given.text(memory_id, "memory_id"), most, place)

    def revert(self, memory_id: str, *, to: int) -> Memory:
        """Make an old version the newest one; nothing in between is erased."""
        return history.revert(self._engine, memory_id, to, self._writer())

    def undo(self, operation: str | None = None) -> Undone:
        """Take back one call's changes: those of the operation, or your last around here that still stand."""
        project = self._around().project
        return undo.undo(
            self._engine, self._writer(project), operation, undo.Around(project.key if project else None)
        )

    def operations(self, *, limit: int = 20) -> list[Operation]:
        """The last operations, newest first; `undo` takes their ids."""
        return undo.operations(self._engine, limit)

    def recalls(self, *, session: str | None = None, limit: int = 20) -> list[Recall]:
        """The last answers that agents were given, of one session or of all, newest first; `recall` has the list."""
        checked = given.optional(given.text, session, "session")
        return recalls.recalls(self._engine, checked, given.whole(limit, "limit"))

    def recall(self, recall_id: str) -> Recall:
        """One answer with the exact list it gave, each with its score and signals then; never counts as use."""
        return recalls.recall(self._engine, given.text(recall_id, "recall_id"))

    def verify_audit(self) -> Verdict:
        """Whether the audit log and the memories agree, and where not."""
        return audit.verify(self._engine)

    @abstractmethod
    def _around(self) -> Scope: ...

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...

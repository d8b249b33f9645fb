"""The operations of a call, so that a door can name what it takes to undo it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_layer.ports import Engine

PREFIX = "op"


class Operations:
    """An engine that notes the operations it begins."""

    def __init__(self, engine: Engine, first: str | None = None) -> None:
        self._ids: list[str] = []
        self._first = first  #: the id of the first operation, if the caller chose it
        self._new_id = engine.new_id
        self.engine = engine._replace(new_id=self._noting)

    def last(self) -> str | None:
        """Return the last operation that changed something; None if nothing was changed."""
        store = self.engine.store
        return next((each for each in reversed(self._ids) if store.find_ids("operation", each, 1)), None)

    def _noting(self, prefix: str) -> str:
        if prefix != PREFIX:
            return self._new_id(prefix)
        self._ids.append(self._first if self._first and not self._ids else self._new_id(prefix))
        return self._ids[-1]

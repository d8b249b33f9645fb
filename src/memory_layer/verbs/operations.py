"""The operations of a call, so that a door can name what it takes to undo it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_layer.ports import Engine

PREFIX = "op"
RUN = "run"


class Operations:
    """An engine that notes the operations it begins."""

    def __init__(self, engine: Engine, first: str | None = None) -> None:
        self._ids: list[str] = []
        self._chosen = chosen_ids(first) if first else {}
        self._new_id = engine.new_id
        self.engine = engine._replace(new_id=self._noting)

    def last(self) -> str | None:
        """Return the last operation that changed something; None if nothing was changed."""
        store = self.engine.store
        return next((each for each in reversed(self._ids) if store.find_ids("operation", each, 1)), None)

    def _noting(self, prefix: str) -> str:
        made = self._chosen.pop(prefix, None) or self._new_id(prefix)
        if prefix == PREFIX:
            self._ids.append(made)
        return made


def chosen_ids(operation: str) -> dict[str, str]:
    """Return the ids of the first operation and the first run of a request, if the caller chose the operation's."""
    return {PREFIX: operation, RUN: operation.replace(PREFIX, RUN, 1)}

"""Connections for special uses: read-only, in memory, and to a file that does not exist yet."""

from __future__ import annotations

import os
import sqlite3
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memory_layer.errors import StoreUnavailable
from memory_layer.store import migrate
from memory_layer.store.sqlite.connection import CACHE_KIB, Connections, is_frozen

if TYPE_CHECKING:
    from memory_layer.store.index.sync import Beside
    from memory_layer.store.sqlite.connection import Own


class ReadOnlyConnections(Connections):
    """Connections that never change the file or the index beside it."""

    only_read = True

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]:  # type: ignore[override]
        raise StoreUnavailable("the store was opened read-only; nothing was changed")

    def _connect(self) -> sqlite3.Connection:
        if not self.path.exists():
            raise StoreUnavailable(f"no store at {self.path} (opened read-only)")
        place = self.path.absolute().as_uri()
        try:
            return self._opened(f"{place}?mode=ro")
        except sqlite3.OperationalError:
            if not is_frozen(self.path):
                raise
            return self._opened(f"{place}?immutable=1")

    def _prepare(self, db: sqlite3.Connection) -> None:
        if not migrate.is_current(db):
            raise StoreUnavailable(
                f"the store {self.path} has an older format; run `mem stats` to upgrade it"
            )
        db.execute("pragma query_only = on")
        db.execute("pragma temp_store = memory")
        db.execute(f"pragma cache_size = -{CACHE_KIB}")


class ScratchConnections(Connections):
    """One thread's connection to an in-memory database."""

    reopens = False

    def index_folder(self) -> None:
        return None  # an in-memory store is indexed in memory only

    def _connect(self) -> sqlite3.Connection:
        return self._opened(":memory:")


class LateConnections(Connections):
    """Connections to a file that the first write creates; until there is one, readers see an empty store."""

    _wanted = False  #: whether there was a write

    def own(self) -> Own:
        """Return this thread's connection, to the file as soon as it exists."""
        if self._waits() and self._may_connect() and not self._mine.own.in_transaction:
            del self._mine.own
        return super().own()

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]:  # type: ignore[override]
        self._wanted = True
        return super().writing(patient=patient)

    def beside(self) -> Beside:
        """Return the index beside the file; a new one in memory until there is a file."""
        if not self._waits():
            return super().beside()
        from memory_layer.store.index.sync import Beside

        return Beside(None, frozen=False)

    def _waits(self) -> bool:
        return hasattr(self._mine, "own") and self._mine.in_memory

    def _may_connect(self) -> bool:
        return self._wanted or os.path.lexists(self.path)

    def _connect(self) -> sqlite3.Connection:
        self._mine.in_memory = not self._may_connect()
        return self._opened(":memory:") if self._mine.in_memory else super()._connect()

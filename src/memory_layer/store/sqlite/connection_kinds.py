"""Connections for special uses: read-only, and in memory."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager

from memory_layer.errors import StoreUnavailable
from memory_layer.store import migrate
from memory_layer.store.sqlite.connection import CACHE_KIB, Connections, is_frozen


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

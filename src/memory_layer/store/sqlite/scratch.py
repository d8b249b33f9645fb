"""A store in memory, for trying something out without a file."""

from __future__ import annotations

import sqlite3

from memory_layer.store.sqlite.connection import Connections


class ScratchConnections(Connections):
    """The connection of one thread to a database in its memory."""

    reopens = False

    def index_folder(self) -> None:
        return None  # what leaves nothing behind is indexed in memory only

    def _connect(self) -> sqlite3.Connection:
        return self._opened(":memory:")

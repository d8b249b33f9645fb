"""The SQLite store: one file, and the verbs over it by family."""

from __future__ import annotations

import sqlite3

from memory_layer.store.sqlite.candidates import Candidates
from memory_layer.store.sqlite.creating import Creating
from memory_layer.store.sqlite.forgetting import Forgetting
from memory_layer.store.sqlite.links import Links
from memory_layer.store.sqlite.projects import Projects


class SqliteStore(Candidates, Creating, Forgetting, Links, Projects):
    """Memory at rest in one SQLite file."""


class ScratchStore(SqliteStore):
    """The same in the memory of one thread: for trying something out without a file."""

    def _connect(self) -> sqlite3.Connection:
        return self._opened(":memory:")

"""The SQLite store: one file, and the verbs over it by family."""

from __future__ import annotations

from memory_layer.store.sqlite.candidates import Candidates
from memory_layer.store.sqlite.logs import Logs
from memory_layer.store.sqlite.past import Past
from memory_layer.store.sqlite.projects import Projects


class SqliteStore(Candidates, Past, Logs, Projects):
    """Memory at rest in one SQLite file."""
